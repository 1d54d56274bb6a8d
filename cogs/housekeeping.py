"""What the bot does without being asked."""

import logging

import discord
from discord.ext import commands, tasks

from bot.presentation import console
from bot.services.heartbeat import BEAT_SECONDS
from bot.services.services import Services
from cogs.timed import TimedCog
from cogs.ui.mastermind_guess import publish

log = logging.getLogger(__name__)


class HousekeepingCog(TimedCog):
    """Once a minute: the heartbeat that outages are told by, and boards that show what is."""

    def __init__(self, client: discord.Client, services: Services) -> None:
        super().__init__(client, services)
        self._is_connected = False

    @tasks.loop(seconds=BEAT_SECONDS)
    async def beat(self) -> None:
        """Do it, if Discord can be heard."""
        if self._is_connected:
            await self._attempt("heartbeat", self._beat())

    async def _beat(self) -> None:
        if await self._services.heartbeat.beat():
            log.warning("%s", console.another_process())

    # In a loop of its own: Discord may let edits wait for minutes, and a heartbeat that waits
    # with them would look like an outage.
    @tasks.loop(seconds=BEAT_SECONDS)
    async def publish(self) -> None:
        """Show on public boards what they do not show yet, if Discord can be heard."""
        if self._is_connected:
            await self._attempt("boards", self._publish())

    async def _publish(self) -> None:
        """End challenges that have lapsed, and show that, with what could not be shown before."""
        mastermind = self._services.mastermind
        await mastermind.games.sweep()
        async for game in mastermind.games.unshown():
            work = publish(self._client, mastermind.challenges, game)
            await self._attempt(f"board of mastermind {game.id}", work)

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """The first beat tells how long the bot was away."""
        self._is_connected = True
        await self.beat()
        await self.publish()

    @commands.Cog.listener()
    async def on_resumed(self) -> None:
        """Connected again: until now nobody could play."""
        self._is_connected = True
        await self.beat()

    @commands.Cog.listener()
    async def on_disconnect(self) -> None:
        """Discord cannot be heard."""
        self._is_connected = False
        await self._attempt("heartbeat", self._services.heartbeat.pause())
