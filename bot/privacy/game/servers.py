"""A server's data: kept for thirty days after it has removed the bot."""

import logging
from collections.abc import Collection, Iterable
from datetime import timedelta
from typing import Final

from bot.clock import Clock, first_running
from bot.db import facts
from bot.db import lease_rows as leases
from bot.db import spent_click_rows as spent_clicks
from bot.db.database import Database
from bot.duels.game import after_deletion
from bot.focdle.store import spent_dailies as spent
from bot.games.game import free_games
from bot.outages import ALL, ShardRange
from bot.posts.game import beginning_anew
from bot.privacy.game.cleaning import empty_log
from bot.privacy.store import servers

log = logging.getLogger(__name__)

KEPT_FOR: Final = timedelta(days=30)
"""How long a server's data are kept after it has removed the bot: it may add the bot again."""

BATCH: Final = 500
"""How many rows one transaction deletes or changes."""

CLICKS_KEPT_FOR: Final = timedelta(days=1)
"""How long it is known that a message's button was pressed: the first click takes it away."""

APPLICATION: Final = "application"
"""The fact that has the application whose servers these are."""


class ServerData:
    """Use cases around servers that come and go; each is one transaction unless it says so.

    Args:
        database: where it is noted.
        clock: what tells the time.
        shards: which shards this process has: of other servers it cannot tell whether they left.
    """

    def __init__(self, database: Database, clock: Clock, shards: ShardRange = ALL) -> None:
        self._database = database
        self._clock = clock
        self._shards = shards

    async def owner(self, application_id: int) -> int:
        """The application whose servers these are: the first one that asks.

        Another one, a bot for tests say, is in other servers; from which it is in, nothing
        follows for these data.

        Args:
            application_id: the application as which Discord knows this process.
        """
        async with self._database.transaction() as tx:
            known = await facts.get(tx, APPLICATION)
            if known is not None:
                return int(known)
            await facts.put(tx, APPLICATION, str(application_id))
            return application_id

    async def left(self, guild_id: int) -> None:
        """Note that a server has removed the bot."""
        async with self._database.transaction() as tx:
            await servers.note_departure(tx, [guild_id], self._clock.now())

    async def joined(self, guild_id: int) -> None:
        """Note that a server has added the bot: what was kept is its own again."""
        async with self._database.transaction() as tx:
            await servers.note_return(tx, [guild_id])

    async def reconcile(self, present: Collection[int]) -> None:
        """Note which servers came and went while nobody was there to notice.

        Their thirty days begin now, since nobody knows when they left.

        Args:
            present: all servers of this process of which the bot is a member.
        """
        async with self._database.transaction() as tx:
            gone = self._own(await servers.known(tx)) - set(present)
            await servers.note_departure(tx, gone, self._clock.now())
            await servers.note_return(tx, present)

    async def sweep(self, present: Collection[int] | None) -> None:
        """Forget what was kept long enough: servers, digests, counts, clicks, leases.

        A few rows in each transaction, so that who clicks meanwhile need not wait for all.

        Args:
            present: all servers of this process of which the bot is a member; they keep their
                data even if nobody has noticed yet that they are back. None if that cannot be
                told: then all servers keep theirs.
        """
        async with self._database.transaction() as tx:
            now = self._clock.now()
            await spent.purge(tx, first_running(now))
            await after_deletion.purge(tx, now)
            await beginning_anew.purge(tx, now)
            await free_games.purge(tx, now)
            await spent_clicks.purge(tx, before=now - CLICKS_KEPT_FOR)
            await leases.purge(tx, now)
        if present is not None:
            await self._forget_servers(present)
        await empty_log(self._database)

    async def _forget_servers(self, present: Collection[int]) -> None:
        async with self._database.transaction() as tx:
            await servers.note_return(tx, present)
            due = self._own(await servers.left_by(tx, self._clock.now() - KEPT_FOR))
        for guild_id in due:
            while await self._forget_some(guild_id):
                pass
            log.info("the data of server %d were deleted", guild_id)

    def _own(self, guild_ids: Iterable[int]) -> set[int]:
        """Those of servers that this process would hear from."""
        return {guild_id for guild_id in guild_ids if self._shards.serves(guild_id)}

    async def _forget_some(self, guild_id: int) -> bool:
        """Forget some of a server; whether there may be more."""
        async with self._database.transaction() as tx:
            # It may have come back since.
            is_due = guild_id in await servers.left_by(tx, self._clock.now() - KEPT_FOR)
            return is_due and await servers.forget_some(tx, guild_id, BATCH)
