"""Restores a backup of an SQLite file while no bot runs; what is lost by it is excused."""

import asyncio
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bot.backups.making import NoFileError
from bot.clock import Clock
from bot.db import restoring
from bot.db.backing_up import reason
from bot.db.database import Database, Transaction, file_at
from bot.db.restoring import NotWholeError, ReplacingError, SameFileError, StillOpenError
from bot.privacy.game import delete_again
from bot.privacy.model import Deletion
from bot.privacy.noted import read_all
from bot.shards.game import note_loss

__all__ = [
    "NotWholeError",
    "ReplacingError",
    "Restored",
    "SameFileError",
    "StillOpenError",
    "restore",
]


@dataclass(frozen=True, slots=True)
class Restored:
    """What was done.

    Attributes:
        file: the database.
        backup: what it was made from.
        rows: how many rows the backup has.
        heard_at: when Discord was last heard before the backup; None if it never was.
        deleted: how many deletions were done again.
        unread: how many lines in the lists of deletions say nothing.
        has_lists: whether there are such lists.
        replaced: where the database is that was there, or what was left of it; None for nothing.
    """

    file: Path
    backup: Path
    rows: int
    heard_at: datetime | None
    deleted: int
    unread: int
    has_lists: bool
    replaced: Path | None


async def restore(url: str, backup: Path, folders: Collection[Path], clock: Clock) -> Restored:
    """Put a backup in the place of a database that nobody has open.

    It is checked, brought up to date, and made ready beside the database: who had deleted their
    data since is deleted from it, and until now the bot counts as having been away. Then it takes
    the database's place in one step. Whoever ends this before has the old one, after it the new.

    Args:
        url: the database, as an SQLAlchemy URL; its file may be damaged, or not be there.
        backup: the file of the backup.
        folders: where lists of deletions may be.
        clock: what tells the time.

    Raises:
        NoFileError: the database is no file.
        StillOpenError: a bot, or another program, has the database open.
        NotWholeError, SameFileError: the backup cannot be restored.
        NoDatabaseError: there is no such backup.
        UnfitDatabaseError: it has what no database of this bot's has.
        NewerDatabaseError, OlderDatabaseError: only another version can use it.
        ReplacingError: something could not be read or written.
    """
    file = file_at(url)
    if file is None:
        raise NoFileError
    file = file.resolve()
    try:
        found = await asyncio.to_thread(read_all, {each.resolve() for each in folders})
        noted, unread = ([], 0) if found is None else found
        await restoring.settle(file)
        with restoring.held(file) as mine:
            try:
                staged, rows = await restoring.stage(backup, file)
                heard_at, deleted = await _make_ready(staged, noted, clock)
                await restoring.finish(staged)
                # Nothing of it is awaited: whoever interrupts waits for it.
                replaced = restoring.replace(file, staged, mine, clock.now())
            finally:
                restoring.discard_staged(file)
    except OSError as error:
        raise ReplacingError(reason(error)) from error
    has_lists = found is not None
    return Restored(file, backup, rows, heard_at, deleted, unread, has_lists, replaced)


async def _make_ready(
    staged: Path, noted: list[Deletion], clock: Clock
) -> tuple[datetime | None, int]:
    """Let a copy of a backup be a database of now; when the bot was last heard, and who went."""
    database = await Database.open(restoring.url_of(staged), must_exist=True)
    try:

        def body(tx: Transaction) -> datetime | None:
            heard_at = note_loss(tx, clock.now())
            restoring.skip_ids(tx)
            return heard_at

        heard_at = await database.write(body)
        deleted = await delete_again(database, noted, clock, secrets.SystemRandom())
    finally:
        await database.close()
    return heard_at, deleted
