"""Makes a backup of an SQLite file while the bot runs, and lets old ones go."""

import asyncio
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import Event

from bot.backups.keeping import to_let_go
from bot.clock import Clock
from bot.db.backing_up import Copied, CopyError, DifferentCopyError, copy_file, let_go
from bot.db.backup_names import Name, backups_in
from bot.db.database import file_at
from bot.kept import Kept

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
    stop, name = Event(), Name(clock.now(), is_kept)
    try:
        return await asyncio.to_thread(copy_file, file, folder, name, stop)
    except asyncio.CancelledError:
        stop.set()  # the program waits for its threads before it ends
        raise


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
