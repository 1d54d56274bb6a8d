"""Moving to another database, of whatever kind: all of it or nothing, and read back."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from threading import Event
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


class _GivenUpError(Exception):
    """Nobody waits for the copy any more."""


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
    loop, given_up = asyncio.get_running_loop(), Event()

    def tell_or_end(content: Content) -> None:
        if given_up.is_set():
            raise _GivenUpError
        tell(content)

    async def copy(reads: Transaction) -> list[Content]:
        target = await Database.open(target_url, patience=_PATIENCE_SECONDS)
        try:
            return await target.write(lambda writes: _copy(reads, writes, tell_or_end))
        finally:
            await target.close()

    def body(reads: Transaction) -> list[Content]:
        _require_nobody(reads, clock)
        return asyncio.run_coroutine_threadsafe(copy(reads), loop).result()

    source = await Database.open(source_url, patience=_PATIENCE_SECONDS, must_exist=True)
    try:
        return await source.write(body)
    finally:
        given_up.set()
        await source.close()


def _copy(
    reads: Transaction, writes: Transaction, tell: Callable[[Content], None]
) -> list[Content]:
    table = moving.first_with_rows(writes)
    if table is not None:
        raise NotEmptyError(table)
    return moving.copy(reads, writes, tell)


def _require_nobody(tx: Transaction, clock: Clock) -> None:
    """Make sure that no bot goes on with the database that is left."""
    for pulse in shards_store.get_pulses(tx):
        if pulse.silent_since is None and clock.now() - pulse.beat_at < _SHORT:
            raise StillRunningError
