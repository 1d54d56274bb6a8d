"""`/privacy`, and deletions by the clock."""

import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands, tasks

from bot.services import Services
from bot.text import labels
from cogs.privacy.pages import show_data
from cogs.ui.replies import Interaction, forget_after_of
from cogs.ui.timed import TimedCog

log = logging.getLogger(__name__)

_FAILED: Final = "servers' data"
_UNFINISHED: Final = "nobody's games"


class PrivacyCog(TimedCog):
    """The command for a player's own data, and the clock that deletes what was kept long enough."""

    def __init__(self, client: discord.Client, services: Services) -> None:
        super().__init__(client, services)
        self._servers = services.privacy.servers
        self._has_warned = False

    @app_commands.command(name="privacy", description=labels.PRIVACY)
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def privacy(self, interaction: Interaction) -> None:
        """Show what is stored about the player."""
        await show_data(interaction)

    @tasks.loop(minutes=1)
    async def clean(self) -> None:
        """Delete what is left of players and servers, a few rows at a time."""
        await self._attempt(_UNFINISHED, self._clean())

    async def _clean(self) -> None:
        privacy = self._services.privacy
        while await privacy.cleaning.step() or await privacy.cleaning.expire():
            pass
        while await privacy.deletion.step():
            pass
        forget_after = forget_after_of(self._client)
        if forget_after is not None:
            await privacy.unseen.forget_some(forget_after)

    @tasks.loop(hours=1)
    async def sweep(self) -> None:
        """Do it when all servers are known; what fails now is tried again."""
        await self._client.wait_until_ready()
        await self._attempt(_FAILED, self._sweep())

    async def _sweep(self) -> None:
        await self._servers.sweep(self._present() if await self._are_ours() else None)

    def _present(self) -> list[int]:
        return [guild.id for guild in self._client.guilds]  # with those that an outage hides

    async def _are_ours(self) -> bool:
        """Whether the servers in the database are this application's; warns once if not."""
        application_id = self._client.application_id
        if application_id is None:  # not logged in
            return False
        owner = await self._servers.owner(application_id)
        if owner != application_id and not self._has_warned:
            self._has_warned = True
            log.warning(
                "This database is that of the application %s, and the token that of %s. The data "
                "of servers that remove the bot are kept. python -m bot doctor says what to do.",
                owner,
                application_id,
            )
        return owner == application_id

    async def _if_ours(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        if await self._are_ours():
            await work()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Servers may have come and gone while nobody was there to notice."""
        await self._attempt(
            _FAILED, self._if_ours(lambda: self._servers.reconcile(self._present()))
        )

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """A server has added the bot."""
        await self._attempt(_FAILED, self._if_ours(lambda: self._servers.joined(guild.id)))

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """A server has removed the bot."""
        await self._attempt(_FAILED, self._if_ours(lambda: self._servers.left(guild.id)))
