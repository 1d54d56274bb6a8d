"""The heartbeat: every minute, and when a shard comes or goes."""

import logging

from discord.ext import commands, tasks

from bot.shards.game.heartbeat import BEAT_SECONDS
from cogs.ui.timed import TimedCog

log = logging.getLogger(__name__)


class HeartbeatCog(TimedCog):
    """Writes down which shards are heard; nothing else may keep it waiting."""

    @tasks.loop(seconds=BEAT_SECONDS)
    async def beat(self) -> None:
        """Note which shards are heard; without any, there is no beat."""
        if self._hearing.heard:
            await self._attempt("heartbeat", self._beat())

    async def _beat(self) -> None:
        hearing = self._hearing
        if await self._services.heartbeat.beat(frozenset(hearing.heard), hearing.count):
            log.warning("Another process answers from this database. Stop one of them.")

    @commands.Cog.listener()
    async def on_shard_connect(self, _shard_id: int) -> None:
        """Whoever is on this shard can play: the first beat tells since when they could not."""
        await self.beat()

    @commands.Cog.listener()
    async def on_shard_resumed(self, _shard_id: int) -> None:
        """Connected again: until now nobody on it could play."""
        await self.beat()

    @commands.Cog.listener()
    async def on_shard_disconnect(self, _shard_id: int) -> None:
        """Nothing comes by a shard; by others it may."""
        if self._hearing.heard:
            await self.beat()
        else:
            await self._attempt("heartbeat", self._services.heartbeat.pause())
