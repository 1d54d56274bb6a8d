"""The base of cogs that do something by the clock."""

import logging
from collections.abc import Awaitable, Iterator
from typing import Any

import discord
from discord.ext import commands, tasks

from bot.errors import ClosingError
from bot.failures import Failures
from bot.services import Services
from cogs.ui.hearing import hearing_of


class TimedCog(commands.Cog):
    """Base of cogs with loops, which go on from the cog's beginning to its end.

    Args:
        client: the bot.
        services: the use cases.
    """

    def __init__(self, client: discord.Client, services: Services) -> None:
        self._client = client
        self._services = services
        self._hearing = hearing_of(client)
        self._failures = Failures(logging.getLogger(type(self).__module__))

    async def cog_load(self) -> None:
        """Begin."""
        for loop in self._loops():
            loop.start()

    async def cog_unload(self) -> None:
        """End."""
        for loop in self._loops():
            loop.cancel()

    def _loops(self) -> Iterator[tasks.Loop[Any]]:
        for name, member in vars(type(self)).items():
            if isinstance(member, tasks.Loop):
                yield getattr(self, name)

    async def _attempt(self, what: str, work: Awaitable[object]) -> bool:
        """Whether to go on; what fails, a busy database say, must not stop what is to come."""
        try:
            with self._failures.telling(what):
                await work
        except ClosingError:
            await self.cog_unload()
            return False
        return True
