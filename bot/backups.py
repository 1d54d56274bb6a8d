"""Backups: made each night and before a migration, and which are kept."""

import asyncio
import logging
import shutil
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Final

from bot.clock import Clock
from bot.config import Kept
from bot.db.backing_up import (
    Copied,
    CopyError,
    DifferentCopyError,
    Name,
    backups_in,
    copy_file,
    let_go,
    reason,
)
from bot.db.database import file_at, known_revisions
from bot.db.leases import Leases
from bot.privacy.noted import Deletions

NIGHT: Final = time(3, tzinfo=UTC)
"""From when on there is to be a backup of the night: not at midnight, when much else is due."""

_DAY: Final = timedelta(days=1)


def is_due(made: Collection[datetime], now: datetime) -> bool:
    """Whether there is no backup since the last night's hour, however long the bot was away.

    Args:
        made: when the backups were made that are there. Later ones than now were made by a wrong
            clock, and do not count.
        now: the present instant.
    """
    night = datetime.combine(now.astimezone(UTC).date(), NIGHT)
    since = night if night <= now else night - _DAY
    return not any(since <= at <= now for at in made)


def to_let_go(made: Collection[datetime], kept: Kept, now: datetime) -> set[datetime]:
    """Which backups are to be deleted: neither the newest, nor the newest of a time that is kept.

    Args:
        made: when the backups were made that are there. Later ones than now stay: nobody knows
            of when they are.
        kept: of which times one is kept.
        now: the present instant, in the first of these times.
    """
    past = sorted(at for at in made if at <= now)
    newest = {period: at for at in past for period in _periods(at, kept, now)}
    return {*past} - {*newest.values(), *past[-1:]}


def _periods(at: datetime, kept: Kept, now: datetime) -> Iterator[tuple[str, int]]:
    """The times that are kept and have an instant, each with how many have passed since."""
    then, today = at.astimezone(UTC).date(), now.astimezone(UTC).date()
    days = (today - then).days
    weeks = (_monday(today) - _monday(then)).days // 7
    for name, passed, many in (("days", days, kept.days), ("weeks", weeks, kept.weeks)):
        if passed < many:
            yield name, passed


def _monday(day: date) -> date:
    return day - day.weekday() * _DAY


__all__ = ["Copied", "CopyError", "DifferentCopyError", "Made", "NoFileError", "back_up", "make"]


class NoFileError(Exception):
    """The database is no file: PostgreSQL has a way of its own."""


@dataclass(frozen=True, slots=True)
class Made:
    """A backup, and what became of those that were there.

    Attributes:
        copied: the new one.
        gone: how many older ones were deleted.
        oldest: when the oldest was made that is there, by hand, too.
    """

    copied: Copied
    gone: int
    oldest: datetime


async def back_up(url: str, folder: Path, clock: Clock, *, is_kept: bool = True) -> Copied:
    """Make a backup that is named after the second.

    Args:
        url: the database, as an SQLAlchemy URL.
        folder: where backups are; made if it is not there.
        clock: what tells the time.
        is_kept: whether somebody makes it by hand, so that it stays until they delete it.

    Raises:
        NoFileError: the database is no file.
        FileExistsError: there is one of this second.
        DamagedDatabaseError: the database is damaged.
        DifferentCopyError: it was not what the database is.
        CopyError: the database cannot be read, or the backup not written.
        NoDatabaseError: the database is not there.
    """
    file = file_at(url)
    if file is None:
        raise NoFileError
    return await copy_file(file, folder, Name(clock.now(), is_kept))


async def make(url: str, folder: Path, kept: Kept, clock: Clock) -> Made:
    """Make the bot's own backup; once it is there and whole, delete those that go.

    Args:
        url: the database, as an SQLAlchemy URL.
        folder: where backups are; made if it is not there.
        kept: which of the bot's own stay.
        clock: what tells the time.

    Raises:
        As `back_up`; with `CopyError` also where an old one cannot be deleted.
    """
    copied = await back_up(url, folder, clock, is_kept=False)
    there = await asyncio.to_thread(backups_in, folder)
    own = {name.made_at for name in there.values() if not name.is_kept}
    over = to_let_go(own, kept, clock.now())
    gone = {file for file, name in there.items() if not name.is_kept and name.made_at in over}
    await asyncio.to_thread(let_go, gone)
    return Made(copied, len(gone), min(there[file].made_at for file in there.keys() - gone))


log = logging.getLogger(__name__)

_TIMES: Final = 2
"""How much room there must be: the copy, and as much for what is written meanwhile."""


class _NoCopyError(Exception):
    """No copy is made; the message says why."""


class CopiesBefore:
    """Copies that are made before a migration, in the folder of the bot's own backups.

    No copy that cannot be made keeps the bot from starting: the log says so.

    Args:
        folder: where backups are; None where the host wants none.
        clock: what tells the time.
    """

    def __init__(self, folder: Path | None, clock: Clock) -> None:
        self._folder = folder
        self._clock = clock

    async def make(self, file: Path | None, revision: str) -> None:
        """Copy a database that nobody else can write to now.

        Args:
            file: where it is; None where it is no file.
            revision: the last migration it has had.

        Raises:
            DamagedDatabaseError: it is damaged, and is better not touched.
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
        if shutil.disk_usage(_there_of(self._folder)).free < _TIMES * size:
            raise _NoCopyError("twice its size is not free on the disk")
        return await copy_file(file, self._folder, Name(self._clock.now(), revision=revision))

    def to_go_back_to(self) -> Path | None:
        """The newest copy that this version can use; None if there is none."""
        try:
            there = {} if self._folder is None else backups_in(self._folder)
        except OSError:
            return None
        usable = [file for file, name in there.items() if name.revision in known_revisions()]
        return max(usable, key=lambda file: there[file].made_at, default=None)


def _there_of(folder: Path) -> Path:
    """The part of a path that is there."""
    absolute = folder.absolute()
    return next(each for each in (absolute, *absolute.parents) if each.exists())


_WHAT: Final = "backup"


class Nightly:
    """Backups by the clock.

    Args:
        url: the database, as an SQLAlchemy URL.
        folder: where they are.
        kept: which of them stay.
        clock: what tells the time.
        leases: what keeps another process from making the same.
        deletions: what is noted of deletions beside them.

    Attributes:
        folder: the same.
    """

    def __init__(
        self,
        url: str,
        folder: Path,
        kept: Kept,
        clock: Clock,
        leases: Leases,
        deletions: Deletions,
    ) -> None:
        self.folder = folder
        self._url = url
        self._kept = kept
        self._clock = clock
        self._leases = leases
        self._deletions = deletions

    async def make_if_due(self) -> Made | None:
        """Make the night's backup, unless there is one, or another process is at it.

        Raises:
            As `make`.
        """
        if not await self._is_due():
            return None
        async with self._leases.held(_WHAT) as is_ours:
            if not is_ours or not await self._is_due():
                return None
            made = await make(self._url, self.folder, self._kept, self._clock)
        await self._forget_deletions(made)
        return made

    async def _is_due(self) -> bool:
        try:
            there = await asyncio.to_thread(backups_in, self.folder)
        except OSError as error:
            raise CopyError(reason(error)) from error
        own = {name.made_at for name in there.values() if not name.is_kept}
        return is_due(own, self._clock.now())

    async def _forget_deletions(self, made: Made) -> None:
        """Forget those that every backup has had."""
        try:
            await self._deletions.forget_before(made.oldest.date())
        except OSError as error:
            raise CopyError(reason(error)) from error
