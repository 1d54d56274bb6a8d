"""Moving to another database, of whatever kind: all of it or nothing, and read back."""

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from bot.clock import Clock
from bot.db import moving
from bot.db.database import Database, Transaction, are_same
from bot.db.moving import Content, DifferentContentError
from bot.shards import store as shards_store
from bot.shards.game import BEAT_SECONDS

__all__ = [
    "Content",
    "DifferentContentError",
    "MovingError",
    "NotEmptyError",
    "SameDatabaseError",
    "StillRunningError",
    "move",
]

# Nobody waits for this but a host at a terminal.
_PATIENCE_SECONDS: Final = 30.0
_SHORT: Final = timedelta(seconds=2 * BEAT_SECONDS)


class MovingError(Exception):
    """Base of what keeps a database from being moved. Nothing was copied."""


class SameDatabaseError(MovingError):
    """Both are the same."""


class StillRunningError(MovingError):
    """A bot has answered from the database within the last minutes, and did not say goodbye."""


class NotEmptyError(MovingError):
    """There are rows in the other database already; `table` has some."""

    def __init__(self, table: str) -> None:
        super().__init__(table)
        self.table = table


async def move(
    source_url: str, target_url: str, clock: Clock, tell: Callable[[Content], None]
) -> list[Content]:
    """Copy all that a database has into an empty one, in one transaction.

    Nobody can write to either meanwhile, and the first is left as it was. Whoever ends this in
    the middle may begin anew: the second is empty still.

    Args:
        source_url: the database, as an SQLAlchemy URL.
        target_url: the empty one; the file of SQLite is made if it is not there.
        clock: what tells the time.
        tell: is told of each table that is there.

    Raises:
        MovingError: it cannot be moved as things are.
        DifferentContentError: something has not become what it was, and all is undone.
        StorageError: one of them cannot be used; see `bot.errors`.
    """
    if are_same(source_url, target_url):
        raise SameDatabaseError
    source = await Database.open(source_url, patience=_PATIENCE_SECONDS, must_exist=True)
    try:
        async with source.transaction() as reads:
            await _require_nobody(reads, clock)
            target = await Database.open(target_url, patience=_PATIENCE_SECONDS)
            try:
                async with target.transaction() as writes:
                    table = await moving.first_with_rows(writes)
                    if table is not None:
                        raise NotEmptyError(table)
                    return await moving.copy(reads, writes, tell)
            finally:
                await target.close()
    finally:
        await source.close()


async def _require_nobody(tx: Transaction, clock: Clock) -> None:
    """Make sure that no bot goes on with the database that is left."""
    for pulse in await shards_store.get_pulses(tx):
        if pulse.silent_since is None and clock.now() - pulse.beat_at < _SHORT:
            raise StillRunningError
