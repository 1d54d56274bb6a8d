"""Makes a backup of an SQLite file while the bot runs, and lets old ones go."""

import asyncio
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import Event

from bot.model.backups import Kept
from bot.services.backups.keeping import to_let_go
from bot.services.base.clock import Clock
from bot.storage.backing_up import (
    Copied,
    CopyError,
    DifferentCopyError,
    backups_in,
    copy_file,
    let_go,
)
from bot.storage.database import file_at

__all__ = ["Copied", "CopyError", "DifferentCopyError", "Made", "NoFileError", "back_up", "make"]


class NoFileError(Exception):
    """The database is no file: PostgreSQL has a way of its own."""


@dataclass(frozen=True, slots=True)
class Made:
    """A backup, and what became of those that were there.

    Attributes:
        copied: the new one.
        gone: how many older ones were deleted.
        oldest: when the oldest was made that is there.
    """

    copied: Copied
    gone: int
    oldest: datetime


async def back_up(url: str, folder: Path, clock: Clock) -> Copied:
    """Make a backup that is named after the second.

    Args:
        url: the database, as an SQLAlchemy URL.
        folder: where backups are; made if it is not there.
        clock: what tells the time.

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
    stop = Event()
    try:
        return await asyncio.to_thread(copy_file, file, folder, clock.now(), stop)
    except asyncio.CancelledError:
        stop.set()  # the program waits for its threads before it ends
        raise


async def make(url: str, folder: Path, kept: Kept, clock: Clock) -> Made:
    """Make a backup; once it is there and whole, delete those that are not kept any more.

    Args:
        url: the database, as an SQLAlchemy URL.
        folder: where backups are; made if it is not there.
        kept: which of them stay.
        clock: what tells the time.

    Raises:
        As `back_up`; with `CopyError` also where an old one cannot be deleted.
    """
    copied = await back_up(url, folder, clock)
    there = await asyncio.to_thread(backups_in, folder)
    gone = to_let_go(there, kept, clock.now())
    await asyncio.to_thread(let_go, [there[made_at] for made_at in gone])
    return Made(copied, len(gone), min(there.keys() - gone))
