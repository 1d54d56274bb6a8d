"""`/privacy`, and the end of what is kept for a while only."""

import logging
from collections.abc import Coroutine
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands, tasks

from bot.presentation import labels
from bot.services.failures import Failures
from bot.services.services import Services
from bot.storage.errors import ClosingError
from cogs.ui.answers import Interaction
from cogs.ui.privacy import show_data

log = logging.getLogger(__name__)

_FAILED: Final = "servers' data"


class PrivacyCog(commands.Cog):
    """A player's own data; and once an hour, an end to what was kept long enough.

    Args:
        client: the bot.
        services: the use cases.
    """

    def __init__(self, client: discord.Client, services: Services) -> None:
        self._client = client
        self._servers = services.privacy.servers
        self._failures = Failures(log)

    async def cog_load(self) -> None:
        """Begin."""
        self.sweep.start()

    async def cog_unload(self) -> None:
        """End."""
        self.sweep.cancel()

    @app_commands.command(name="privacy", description=labels.PRIVACY)
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def privacy(self, interaction: Interaction) -> None:
        """Show what is stored about the player."""
        await show_data(interaction)

    @tasks.loop(hours=1)
    async def sweep(self) -> None:
        """Do it; what fails now is tried again."""
        await self._client.wait_until_ready()
        await self._attempt(self._servers.sweep(self._present()))

    def _present(self) -> list[int]:
        return [guild.id for guild in self._client.guilds]  # with those that an outage hides

    async def _attempt(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await self._failures.attempt(_FAILED, work)
        except ClosingError:
            self.sweep.cancel()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Servers may have come and gone while nobody was there to notice."""
        await self._attempt(self._servers.reconcile(self._present()))

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """A server has added the bot."""
        await self._attempt(self._servers.joined(guild.id))

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """A server has removed the bot."""
        await self._attempt(self._servers.left(guild.id))
