"""What leaderboards need without being asked."""

import logging

import discord
from discord.ext import commands, tasks

from bot.services.failures import Failures
from bot.services.services import Services
from bot.storage.errors import ClosingError

log = logging.getLogger(__name__)


class UpkeepCog(commands.Cog):
    """Once a minute: streaks that have ended leave their boards.

    In a loop of its own: when thousands end at one midnight, the heartbeat must not wait.

    Args:
        client: the bot.
        services: the use cases.
    """

    def __init__(self, client: discord.Client, services: Services) -> None:
        self._client = client
        self._services = services
        self._failures = Failures(log)

    async def cog_load(self) -> None:
        """Begin."""
        self.settle.start()

    async def cog_unload(self) -> None:
        """End."""
        self.settle.cancel()

    @tasks.loop(minutes=1)
    async def settle(self) -> None:
        """Do all that is due, a few players at a time; what fails now is tried again."""
        await self._client.wait_until_ready()
        try:
            await self._failures.attempt("standings", self._settle())
        except ClosingError:
            self.settle.cancel()

    async def _settle(self) -> None:
        while await self._services.upkeep.settle():
            pass
