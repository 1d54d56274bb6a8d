"""Backups of an SQLite file, which a host makes while the bot runs."""

import asyncio
from pathlib import Path

from bot.services.base.clock import Clock
from bot.storage.backing_up import Copied, DifferentCopyError, copy_file
from bot.storage.database import file_at

__all__ = ["Copied", "DifferentCopyError", "NoFileError", "back_up"]


class NoFileError(Exception):
    """The database is no file: PostgreSQL has a way of its own."""


async def back_up(url: str, folder: Path, clock: Clock) -> Copied:
    """Make a backup that is named after the second.

    Args:
        url: the database, as an SQLAlchemy URL.
        folder: where backups are; made if it is not there.
        clock: what tells the time.

    Raises:
        NoFileError: the database is no file.
        FileExistsError: there is one of this second.
        DifferentCopyError: it was not what the database is.
        StorageError: the database cannot be read, or the backup not written.
    """
    file = file_at(url)
    if file is None:
        raise NoFileError
    now = clock.now()
    name = f"focdle-{now:%Y-%m-%dT%H%M%SZ}.db"
    return await asyncio.to_thread(copy_file, file, folder, name, now)
