"""What the bot does without being asked."""

import logging

import discord
from discord.ext import commands, tasks

from bot.services.heartbeat import BEAT_SECONDS
from bot.services.services import Services
from bot.storage.errors import ClosingError
from cogs.ui.answers import pegs_of_client
from cogs.ui.mastermind_guess import publish

log = logging.getLogger(__name__)


class HousekeepingCog(commands.Cog):
    """Once a minute: the heartbeat that outages are told by, and an end to what has lapsed.

    Args:
        client: the bot.
        services: the use cases.
    """

    def __init__(self, client: discord.Client, services: Services) -> None:
        self._client = client
        self._services = services
        self._is_connected = False

    async def cog_load(self) -> None:
        """Begin."""
        self.beat.start()

    async def cog_unload(self) -> None:
        """End."""
        self.beat.cancel()

    @tasks.loop(seconds=BEAT_SECONDS)
    async def beat(self) -> None:
        """Do it, if Discord can be heard."""
        if self._is_connected:
            await self._beat()

    async def _beat(self) -> None:
        """Do it; what fails, a busy database say, must not stop the beats to come."""
        try:
            await self._services.heartbeat.beat()
            await self._sweep()
        except ClosingError:
            self.beat.cancel()
        except Exception:
            log.exception("no heartbeat this time")

    async def _sweep(self) -> None:
        """Show on the boards of lapsed challenges that they are over."""
        for game in await self._services.mastermind.games.sweep():
            await publish(self._client, game, pegs_of_client(self._client))

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """The first beat tells how long the bot was away."""
        self._is_connected = True
        await self._beat()

    @commands.Cog.listener()
    async def on_resumed(self) -> None:
        """Connected again."""
        self._is_connected = True

    @commands.Cog.listener()
    async def on_disconnect(self) -> None:
        """Discord cannot be heard."""
        self._is_connected = False
