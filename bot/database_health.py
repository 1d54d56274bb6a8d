"""What the health server asks the database."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Final

from bot.clock import Clock
from bot.db import facts, keyed, keys
from bot.db.copies import newest_backup
from bot.db.database import Database, Transaction
from bot.outages import ALL, ShardRange
from bot.people import store as people_store
from bot.posts import store as posts_store

LATE: Final = timedelta(minutes=1)
"""How long after its time a daily post counts as late; the loop that sends posts runs every few
seconds.
"""


@dataclass(frozen=True, slots=True)
class Stored:
    """The database's size in bytes, and how many daily posts of this process's servers are late."""

    size: int
    late_posts: int


class DatabaseHealth:
    """Checks of the database; `backups` is the folder of its backups, None if it has none."""

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
        """Try to write: commit a row of this process's own, for which no other process waits."""
        name = f"trial {self._shards}"
        now = self._clock.now().isoformat()

        def note(tx: Transaction) -> None:
            facts.put(tx, name, now)

        await self._database.write(note, keys.trial(name))

    async def look(self) -> Stored:

        def found(tx: Transaction) -> Stored:
            before = self._clock.now() - LATE
            late = posts_store.posts_due.count_due(tx, before, self._shards)
            return Stored(keyed.size_in_bytes(tx), late)

        return await self._database.read(found)

    async def active_today(self) -> int:
        """Count the players who have done something since midnight UTC."""
        midnight = datetime.combine(self._clock.now().date(), time(), UTC)
        return await self._database.read(lambda tx: people_store.count_seen(tx, midnight))

    async def backed_up_at(self) -> datetime | None:
        """Return when the newest backup was made; None without a folder or a backup."""
        if self._backups is None:
            return None
        return await asyncio.to_thread(newest_backup, self._backups, self._clock.now())
