"""What tells whether the database does its work, for who looks after the bot."""

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from bot.clock import Clock
from bot.db import facts, keyed, keys
from bot.db.backing_up import backups_in
from bot.db.database import Database, Transaction
from bot.outages import ALL, ShardRange
from bot.posts import store as posts_store

LATE: Final = timedelta(minutes=1)
"""So long after its time a post is late: a round goes by the clock every few seconds."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What the database tells of itself and of what is to be done.

    Attributes:
        size: of the database, in bytes.
        late_posts: how many daily posts are late, in servers of this process.
    """

    size: int
    late_posts: int


class Health:
    """Use cases of who looks after the bot.

    Args:
        database: the bot's.
        clock: what tells the time.
        shards: those of this process.
        backups: where backups are; None for nowhere.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        shards: ShardRange = ALL,
        backups: Path | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._shards = shards
        self._backups = backups

    async def write(self) -> None:
        """Commit a write that matters to nobody; no other process waits for it.

        Raises:
            StorageError: the database takes none now.
        """
        name = f"trial {self._shards}"
        now = self._clock.now().isoformat()

        def note(tx: Transaction) -> None:
            facts.put(tx, name, now)

        await self._database.write(note, keys.trial(name))

    async def look(self) -> Stored:
        """What the database tells now.

        Raises:
            StorageError: it cannot be read now.
        """

        def found(tx: Transaction) -> Stored:
            before = self._clock.now() - LATE
            late = posts_store.posts_due.count_due(tx, before, self._shards)
            return Stored(keyed.bytes_of(tx), late)

        return await self._database.read(found)

    async def backed_up_at(self) -> datetime | None:
        """When the newest backup was made that is there, by whomever; None if there is none.

        Each is called so only once it is whole. One of later than now is of a wrong clock.

        Raises:
            OSError: the folder cannot be read now.
        """
        if self._backups is None:
            return None
        there = await asyncio.to_thread(backups_in, self._backups)
        now = self._clock.now()
        return max((each.made_at for each in there.values() if each.made_at <= now), default=None)
