"""The heartbeat, the nightly backup, and the upkeep of what is kept beside the games."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from discord.ext import commands, tasks

from bot.services import Services
from bot.shards.game import BEAT_SECONDS
from cogs.ui.host import Host
from cogs.ui.schedule import TimedCog

log = logging.getLogger(__name__)


class HeartbeatCog(TimedCog):
    """Notes which shards are heard, in a loop of its own: nothing else may delay it."""

    @tasks.loop(seconds=BEAT_SECONDS)
    async def beat(self) -> None:
        """Beat for the shards that are heard; without any, there is no beat."""
        if self._hearing.heard:
            await self._attempt("heartbeat", self._beat())

    async def _beat(self) -> None:
        hearing = self._hearing
        if await self._services.heartbeat.beat(frozenset(hearing.heard), hearing.count):
            log.warning("Another process answers from this database. Stop one of them.")

    @commands.Cog.listener()
    async def on_shard_connect(self, _shard_id: int) -> None:
        """End the outage of the shard: its players can play again."""
        await self.beat()

    @commands.Cog.listener()
    async def on_shard_resumed(self, _shard_id: int) -> None:
        """End the outage of the shard: it is heard again."""
        await self.beat()

    @commands.Cog.listener()
    async def on_shard_disconnect(self, _shard_id: int) -> None:
        """Beat for the shards that are still heard; if there are none, note that all are silent."""
        if self._hearing.heard:
            await self.beat()
        else:
            await self._attempt("heartbeat", self._services.heartbeat.pause())


class BackupCog(TimedCog):
    """Checks hourly if last night's backup exists, and makes it if not."""

    def __init__(
        self, client: Host, services: Services, back_up: Callable[[], Awaitable[None]]
    ) -> None:
        super().__init__(client, services)
        self._back_up = back_up

    @tasks.loop(hours=1)
    async def look(self) -> None:
        await self._attempt("backup", self._back_up())


class UpkeepCog(TimedCog):
    """Brings streaks and rows of leaderboards up to date, and dailies' difficulties.

    The loops are their own: the heartbeat must not wait when thousands of streaks end at midnight.
    """

    waits = True

    @tasks.loop(minutes=1)
    async def settle(self) -> None:
        """Do all work that is due, a few players at a time; what failed is tried again later."""
        await self._attempt("standings", self._settle())

    async def _settle(self) -> None:
        while await self._services.upkeep.settle():
            pass

    @tasks.loop(seconds=20)
    async def work_out(self) -> None:
        """Work out some dailies' difficulties, but not at a start, which has players to answer."""
        is_start = asyncio.current_task() is self.work_out.get_task()
        if self.work_out.current_loop or not is_start:
            await self._attempt("difficulties", self._services.coach.difficulties.work_out())
