"""What tells whether the database does its work, for who looks after the bot."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.clock import Clock
from bot.db import facts, keys, size
from bot.db.database import Database, Transaction
from bot.outages import ALL, ShardRange
from bot.posts.store import posts

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
    """

    def __init__(self, database: Database, clock: Clock, shards: ShardRange = ALL) -> None:
        self._database = database
        self._clock = clock
        self._shards = shards

    async def write(self) -> None:
        """Commit a write that matters to nobody; no other process waits for it.

        Raises:
            StorageError: the database takes none now.
        """
        name = f"trial {self._shards}"
        now = self._clock.now().isoformat()

        async def note(tx: Transaction) -> None:
            await facts.put(tx, name, now)

        await self._database.write(note, keys.trial(name))

    async def look(self) -> Stored:
        """What the database tells now.

        Raises:
            StorageError: it cannot be read now.
        """

        async def found(tx: Transaction) -> Stored:
            before = self._clock.now() - LATE
            late = await posts.agenda.count_due(tx, before, self._shards)
            return Stored(await size.bytes_of(tx), late)

        return await self._database.read(found)
