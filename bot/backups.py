"""Backups: each night and before a migration, and which of the bot's own are deleted."""

import asyncio
import logging
import shutil
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Final

from bot.clock import Clock
from bot.db.copies import (
    Copied,
    CopyError,
    DifferentCopyError,
    Name,
    OldBackupError,
    backups_in,
    copy_file,
    delete_backups,
    delete_left,
)
from bot.db.database import file_at
from bot.db.leases import Leases
from bot.db.revisions import known_revisions
from bot.db.sqlite import reason
from bot.privacy.deletion_log import Deletions

__all__ = ["Copied", "CopyError", "DifferentCopyError", "Made", "NoFileError", "back_up", "make"]

log = logging.getLogger(__name__)

NIGHT: Final = time(3, tzinfo=UTC)
"""The time of the nightly backup: not midnight, when much else is due."""

DAYS: Final = 7
WEEKS: Final = 4
"""The newest backup is kept of each of so many days, today the first, and weeks, from Monday, in
UTC: so none of the bot's own has what players deleted longer ago.
"""

_DAY: Final = timedelta(days=1)


def is_due(made: Collection[datetime], now: datetime) -> bool:
    """Return true if none of these backups was made since the last 3:00 UTC.

    Backups dated after `now` come from a wrong clock and do not count.
    """
    night = datetime.combine(now.astimezone(UTC).date(), NIGHT)
    since = night if night <= now else night - _DAY
    return not any(since <= at <= now for at in made)


def expired(made: Collection[datetime], now: datetime) -> set[datetime]:
    """Choose which of the bot's own backups to delete.

    The newest one stays, and the newest of each of the last `DAYS` and `WEEKS`. Backups dated
    after `now` stay, as their age is unknown.
    """
    past = sorted(at for at in made if at <= now)
    newest = {period: at for at in past for period in _periods(at, now)}
    return {*past} - {*newest.values(), *past[-1:]}


def _periods(at: datetime, now: datetime) -> Iterator[tuple[str, int]]:
    """Yield the day and the week of an instant, each only if a backup of it is kept.

    A day is ("days", n), if it was n days ago, a week ("weeks", n), if it was n weeks ago, in UTC.
    """
    then, today = at.astimezone(UTC).date(), now.astimezone(UTC).date()
    days = (today - then).days
    weeks = (_monday(today) - _monday(then)).days // 7
    for name, passed, many in (("days", days, DAYS), ("weeks", weeks, WEEKS)):
        if passed < many:
            yield name, passed


def _monday(day: date) -> date:
    return day - day.weekday() * _DAY


class NoFileError(Exception):
    """There is no file to copy: the database is PostgreSQL's, which has tools of its own for it."""


@dataclass(frozen=True, slots=True)
class Made:
    """A new backup, how many old ones were deleted, and when the oldest that is left was made."""

    copied: Copied
    gone: int
    oldest: datetime


async def back_up(url: str, folder: Path, clock: Clock, *, is_kept: bool = True) -> Copied:
    """Make a backup, named after the present second; with `is_kept`, the bot never deletes it.

    Raises:
        NoFileError: the database is no file.
        FileExistsError: there is one of this second.
        DamagedDatabaseError: the database is damaged.
        DifferentCopyError: the copy is damaged, or differs from the database.
        CopyError: the database cannot be read, or the backup not written.
        NoDatabaseError: the database is not there.
        UnusableDatabaseError: the database is a folder.
    """
    file = file_at(url)
    if file is None:
        raise NoFileError
    return await copy_file(file, folder, Name(clock.now(), is_kept))


async def make(url: str, folder: Path, clock: Clock) -> Made:
    """Make one of the bot's own backups, then delete those that have expired.

    Errors are those of `back_up`.
    """
    copied = await back_up(url, folder, clock, is_kept=False)
    there = await asyncio.to_thread(backups_in, folder)
    own = {name.made_at for name in there.values() if not name.is_kept}
    over = expired(own, clock.now())
    gone = {file for file, name in there.items() if not name.is_kept and name.made_at in over}
    await asyncio.to_thread(delete_backups, gone)
    return Made(copied, len(gone), min(there[file].made_at for file in there.keys() - gone))


_TIMES: Final = 2
"""The free space that a copy needs, in sizes of the database: one for the copy, and one for writes
meanwhile.
"""


class _NoCopyError(Exception):
    """The reason why no copy was made."""


class CopiesBefore:
    """Backups before migrations, in the folder of the nightly ones.

    A backup that fails is logged, and the migration goes on; a damaged database is not migrated.
    Without a folder, no backup is made.
    """

    def __init__(self, folder: Path | None, clock: Clock) -> None:
        self._folder = folder
        self._clock = clock

    async def make(self, file: Path | None, revision: str) -> None:
        """Copy a database before its migration; raise `DamagedDatabaseError` if it is damaged.

        The caller keeps other processes from writing meanwhile. `file` is None for PostgreSQL,
        which is not copied; `revision` is the last migration that the database has had.
        """
        if file is None:
            log.warning(
                "the database is brought up to date without a copy: "
                "before an update, make one with pg_dump"
            )
            return
        try:
            copied = await self._copy(file, revision)
        except DifferentCopyError:
            log.warning("the database is brought up to date without a copy, which was damaged")
        except (_NoCopyError, CopyError, OSError) as error:
            log.warning("the database is brought up to date without a copy: %s", reason(error))
        else:
            log.info("the database is brought up to date; as it was, it is %s", copied.file)

    async def _copy(self, file: Path, revision: str) -> Copied:
        if self._folder is None:
            raise _NoCopyError("BACKUPS is off")
        parts = (file, file.with_name(file.name + "-wal"))
        size = sum(part.stat().st_size for part in parts if part.exists())
        folder = self._folder.absolute()  # it is made with the first backup
        there = next(each for each in (folder, *folder.parents) if each.exists())
        if shutil.disk_usage(there).free < _TIMES * size:
            raise _NoCopyError("twice its size is not free on the disk")
        return await copy_file(file, self._folder, Name(self._clock.now(), revision=revision))

    def to_go_back_to(self) -> Path | None:
        try:
            there = {} if self._folder is None else backups_in(self._folder)
        except OSError:
            return None
        usable = [file for file, name in there.items() if name.revision in known_revisions()]
        return max(usable, key=lambda file: there[file].made_at, default=None)


class Nightly:
    def __init__(
        self,
        url: str,
        folder: Path,
        clock: Clock,
        leases: Leases,
        deletions: Deletions,
    ) -> None:
        self.folder = folder
        self._url = url
        self._clock = clock
        self._leases = leases
        self._deletions = deletions

    async def make_if_due(self) -> Made | None:
        """Make the night's backup; None if there is one, or another process is making it.

        After a new backup, forget the noted deletions of dates before the oldest backup: no backup
        contains what they deleted. Errors are those of `make`.
        """
        if not await self._is_due():
            return None
        async with self._leases.held("backup") as is_ours:
            if not is_ours or not await self._is_due():
                return None
            made = await make(self._url, self.folder, self._clock)
        try:
            await self._deletions.forget_before(made.oldest.date())
        except OSError as error:
            raise OldBackupError(reason(error)) from error
        return made

    async def _is_due(self) -> bool:
        try:
            await asyncio.to_thread(delete_left, self.folder)
            there = await asyncio.to_thread(backups_in, self.folder)
        except OSError as error:
            raise CopyError(reason(error)) from error
        own = {name.made_at for name in there.values() if not name.is_kept}
        return is_due(own, self._clock.now())
