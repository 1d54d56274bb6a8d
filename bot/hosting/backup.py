"""Backups: each night, by `python -m bot backup`, and put back by `python -m bot restore`."""

import asyncio
import logging
import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Final

from bot.clock import Clock, SystemClock
from bot.config import (
    SettingsError,
    is_for_many,
    read_backups_folder,
    read_database_url,
    read_environment,
)
from bot.db import copies
from bot.db.copies import (
    Copied,
    CopyError,
    DifferentCopyError,
    Name,
    NotWholeError,
    OldBackupError,
    Order,
    ReplacingError,
    SameFileError,
    StillOpenError,
    UnflushedError,
    backups_in,
    copy_file,
    delete_backups,
    delete_left,
)
from bot.db.database import Database, Transaction, file_at
from bot.db.leases import Leases
from bot.db.sqlite import reason
from bot.errors import DamagedDatabaseError, NoDatabaseError, StorageError
from bot.hosting.terminal import refuse, tell
from bot.page import store as sessions
from bot.privacy.deletion_log import Deletions, read_all
from bot.privacy.game import delete_again
from bot.privacy.model import Deletion
from bot.shards.game import note_loss
from engine.errors import counted

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


class Nightly:
    """The nightly backup of a running bot."""

    def __init__(
        self, url: str, folder: Path, clock: Clock, leases: Leases, deletions: Deletions
    ) -> None:
        self._folder = folder
        self._url = url
        self._clock = clock
        self._leases = leases
        self._deletions = deletions

    async def attempt(self) -> None:
        """Make last night's backup if it is due, and log a line about it, or why it failed."""
        try:
            made = await self.make_if_due()
        except FileExistsError:
            return  # another backup was made in this very second
        except (CopyError, DamagedDatabaseError, DifferentCopyError, NoDatabaseError) as error:
            folder, why = self._folder, error.advice
            log.error("Backup in %s: %s The bot tries again by itself.", folder, why)  # noqa: TRY400 - no traceback
        else:
            if made is not None:
                file, rows = made.copied.file, made.copied.rows
                log.info("%s is there, whole, rows: %d", file, rows)

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
            made = await make(self._url, self._folder, self._clock)
        try:
            await self._deletions.forget_before(made.oldest.date())
        except OSError as error:
            raise OldBackupError(reason(error)) from error
        return made

    async def _is_due(self) -> bool:
        try:
            await asyncio.to_thread(delete_left, self._folder)
            there = await asyncio.to_thread(backups_in, self._folder)
        except OSError as error:
            raise CopyError(reason(error)) from error
        own = {name.made_at for name in there.values() if not name.is_kept}
        return is_due(own, self._clock.now())


@dataclass(frozen=True, slots=True)
class Restored:
    """A restored backup.

    Attributes:
        rows: the backup's number of rows.
        heard_at: the bot's last sign of life in the backup; None if it has none.
        deleted: the number of deletions, of players or servers, that were repeated.
        unread: the number of lines in the lists of deletions that cannot be read.
        has_lists: whether there is any such list.
        lost: who was kept out or taken off since the backup, and is so no more; None if the old
            database cannot be read.
        replaced: the file that keeps the old database or, if that was missing, its write-ahead log;
            None if there was neither.
    """

    file: Path
    backup: Path
    rows: int
    heard_at: datetime | None
    deleted: int
    unread: int
    has_lists: bool
    lost: list[Order] | None
    replaced: Path | None


async def put_back(url: str, backup: Path, folders: Collection[Path], clock: Clock) -> Restored:
    """Put a backup in the place of the database, which nobody may have open.

    A copy of the backup is checked, migrated and prepared beside the database: the deletions of
    players and servers since the backup, which `folders` list, are repeated, the page's sessions
    and tickets are deleted, and the time since it counts as an outage. The copy then takes the
    database's place in one step: a killed command leaves either the old database or the prepared
    copy there.

    Raises:
        NoFileError: the database is no file.
        StillOpenError: a bot, or another program, has the database open.
        NotWholeError: the backup is damaged, or no database of the bot's.
        SameFileError: the backup is the database itself.
        NoDatabaseError: there is no such backup.
        UnfitDatabaseError: it has a trigger, which the bot's databases never have.
        NewerDatabaseError, TrialDatabaseError: only another version can use it.
        ReplacingError: a file could not be read or written.
        UnflushedError: the backup is in place, but perhaps not yet on the disk.
    """
    file = file_at(url)
    if file is None:
        raise NoFileError
    file = file.resolve()
    try:
        found = await asyncio.to_thread(read_all, {each.resolve() for each in folders})
        noted, unread = ([], 0) if found is None else found
        await copies.checkpoint_file(file)
        before = await copies.orders_in(file)
        with copies.lock(file) as mine:
            try:
                staged, rows = await copies.stage(backup, file)
                heard_at, deleted = await _make_ready(staged, noted, clock)
                await copies.finish(staged)
                after = {order.digest for order in await copies.orders_in(staged) or ()}
                # Without an `await` no cancellation can come in the middle.
                replaced = copies.replace(file, staged, mine, clock.now())
            finally:
                copies.discard_staged(file)
    except OSError as error:
        raise ReplacingError(reason(error)) from error
    lost = None if before is None else sorted(each for each in before if each.digest not in after)
    has_lists = found is not None
    return Restored(file, backup, rows, heard_at, deleted, unread, has_lists, lost, replaced)


async def _make_ready(
    staged: Path, noted: list[Deletion], clock: Clock
) -> tuple[datetime | None, int]:
    """Migrate a staged copy, end its sessions, note an outage, repeat the deletions `noted` since.

    Returns:
        The bot's last sign of life in the copy, None for none, and the number of repeated
        deletions.
    """
    database = await Database.open(copies.url_of(staged), must_exist=True)
    try:

        def body(tx: Transaction) -> datetime | None:
            heard_at = note_loss(tx, clock.now())
            copies.skip_ids(tx)
            sessions.drop_all(tx)
            return heard_at

        heard_at = await database.write(body)
        deleted = await delete_again(database, noted)
    finally:
        await database.close()
    return heard_at, deleted


def _undone(order: Order) -> str:
    who = order.user_id or "one whose data are deleted"
    if order.is_off:
        return f"Off the boards of server {order.guild_id} since then, and on them again: {who}."
    what = "user" if order.guild_id is None else "server"
    named = f"{what} {order.guild_id or who}"
    return f"Kept out since then, and let in again: {named}. See python -m bot keep-out."


_NEEDS_FILE = (
    "This is no file of SQLite's. PostgreSQL comes with pg_dump to make backups, and pg_restore."
)


def run(source: str | None, folder: Path | None) -> int:
    """Make a backup that the bot never deletes; return the exit status: 0, or 2 if none was made.

    `source` is the database's URL. Without both arguments, those of the settings are used; just
    one is refused.
    """
    if (source is None) != (folder is None):
        return refuse("Name a database and a folder; or neither, for those in .env.")
    try:
        if source is None or folder is None:
            environment = read_environment(os.environ)
            folder, url = read_backups_folder(environment), read_database_url(environment)
            if folder is None and not is_for_many(url):
                return refuse(
                    "BACKUPS is off. Name a folder: python -m bot backup sqlite:///focdle.db "
                    "backups"
                )
        else:
            url = read_database_url({"DATABASE_URL": source})
        made = asyncio.run(back_up(url, folder or Path(), SystemClock()))
    except (SettingsError, StorageError) as error:
        return refuse(error.advice)
    except NoFileError:
        return refuse(_NEEDS_FILE)
    except FileExistsError:
        return refuse("There is a backup of this second already. Please try again.")
    tell(f"{made.file} is there, whole, with {counted(made.rows, 'row')}.")
    tell("It stays until you delete it.")
    return 0


def restore(file: Path) -> int:
    """Restore a backup over the database of the settings; return the exit status.

    It is 0 if the backup is in place, 2 if it is not.
    """
    try:
        environment = read_environment(os.environ)
        own = read_backups_folder(environment)
        folders = {file.parent} if own is None else {file.parent, own}
        url = read_database_url(environment)
        found = asyncio.run(put_back(url, file, folders, SystemClock()))
    except (SettingsError, UnflushedError) as error:
        return refuse(error.advice)
    except NoFileError:
        return refuse(_NEEDS_FILE)
    except StorageError as error:
        as_it_was = "Nothing was restored, and the database is as it was."
        return refuse(f"{_why_not(error, file)}\n{as_it_was}")
    for line in _restored(found, is_own=own is not None and own.resolve() == file.parent.resolve()):
        tell(line)
    return 0


def _why_not(error: StorageError, backup: Path) -> str:
    match error:
        case NoDatabaseError():
            return f"There is no file {error.path}."
        case StillOpenError():
            return (
                "The bot is running, or another program has the database open. Stop it first: what "
                "is played meanwhile would be lost."
            )
        case NotWholeError():
            return f"{backup} is no backup of this bot's, or it is damaged. Take another one."
        case SameFileError():
            return f"{backup} is the database itself. Name a backup."
        case ReplacingError():
            return (
                f"It could not be done ({error}). Check that you may write to the database's "
                "folder, and that its disk has room for the backup once more."
            )
        case _:
            return f"The backup cannot be used. {error.advice}"


def _restored(found: Restored, *, is_own: bool) -> Iterator[str]:
    """Yield the lines that report the restore, and the next steps.

    `is_own` says that the backup lies in the bot's own folder, where it notes deletions.
    """
    yield f"{found.backup} is whole, with {counted(found.rows, 'row')}."
    if not found.has_lists and not is_own:
        yield (
            "There is no list of deletions beside it or in BACKUPS. If players have deleted their "
            "data since then, they are in it again: type python -m bot forget PLAYER_ID."
        )
    elif found.deleted:
        yield f"Done again: {counted(found.deleted, 'deletion')} made since then."
    else:
        yield "No deletion is noted since then of anybody who is in it."
    if found.unread:
        lines = counted(found.unread, "line")
        yield (
            f"Unreadable: {lines} in the lists of deletions. Somebody who has deleted their data "
            "may be there again."
        )
    yield from map(_undone, found.lost or ())
    if found.lost is None:
        yield (
            "Whoever was kept out, or taken off a server's boards, since then is so no more: the "
            "database that was there cannot tell who."
        )
    if found.heard_at is None:
        yield "The bot was never on Discord by then."
    else:
        yield (
            f"In it the bot was on Discord until {found.heard_at:%Y-%m-%d %H:%M} UTC. What was "
            "played later is lost; for streaks and clocks of duels, the bot counts as having been "
            "away since then."
        )
    yield f"It is {found.file} now."
    if found.replaced is not None:
        yield (
            f"What was there before is {found.replaced}. Delete it when you need it no more: "
            "whoever has deleted their data since the backup may be in it."
        )
    yield "Start the bot now."
