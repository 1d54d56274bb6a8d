"""The loop of every minute: the heartbeat, and public boards that are behind."""

import logging

from discord.ext import commands, tasks

from bot.presentation import console
from bot.presentation.base.language import say
from bot.services.server.heartbeat import BEAT_SECONDS
from cogs.base.loops import TimedCog
from cogs.mastermind.guess import publish

log = logging.getLogger(__name__)


class HousekeepingCog(TimedCog):
    """Once a minute, writes the heartbeat and edits boards that are behind."""

    @tasks.loop(seconds=BEAT_SECONDS)
    async def beat(self) -> None:
        """Note which shards are heard; without any, there is no beat."""
        if self._hearing.heard:
            await self._attempt("heartbeat", self._beat())

    async def _beat(self) -> None:
        hearing = self._hearing
        if await self._services.heartbeat.beat(frozenset(hearing.heard), hearing.count):
            log.warning("%s", say(console.ANOTHER_PROCESS))

    # In a loop of its own: Discord may let edits wait for minutes, and a heartbeat that waits
    # with them would look like an outage.
    @tasks.loop(seconds=BEAT_SECONDS)
    async def publish(self) -> None:
        """Show on public boards what they do not show yet, if Discord can be heard."""
        if self._hearing.heard:
            await self._attempt("boards", self._publish())

    @publish.before_loop
    async def _until_begun(self) -> None:
        """Begin at once when the first servers are known."""
        await self._hearing.until_begun()

    async def _publish(self) -> None:
        """End challenges that have lapsed, and show that, with what could not be shown before."""
        mastermind = self._services.mastermind
        await mastermind.games.sweep()
        async for game in mastermind.games.unshown():
            if self._hearing.knows(game.guild_id):
                work = publish(self._client, mastermind.challenges, game)
                await self._attempt(f"board of mastermind {game.id}", work)

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
