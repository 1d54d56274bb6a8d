"""Logins of shards, one after the other, in whatever process they are."""

from datetime import timedelta
from typing import Final

from bot.db import keys
from bot.db.database import Database
from bot.shards.store import logins

LASTS: Final = timedelta(seconds=5.25)
"""How long after a login the next of its bucket may come: Discord's five, and the way there."""


class Logins:
    """The slots in which shards log in; each use is one short transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def take(self, shard: int, at_once: int) -> timedelta:
        """Take the next slot for a shard; how long until it begins.

        Args:
            shard: its number.
            at_once: how many Discord lets log in at once; those with one remainder share a bucket.
        """
        bucket = shard % at_once
        async with self._database.transaction(keys.login(bucket)) as tx:
            return await logins.take(tx, bucket, LASTS)
