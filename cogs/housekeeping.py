"""What the bot does without being asked."""

import logging
from collections.abc import Coroutine
from typing import Any, Final

import discord
from discord.ext import commands, tasks

from bot.services.failures import Failures
from bot.services.heartbeat import BEAT_SECONDS
from bot.services.services import Services
from bot.storage.errors import ClosingError
from cogs.ui.mastermind_guess import publish

log = logging.getLogger(__name__)

_BOARDS: Final = "boards"


class HousekeepingCog(commands.Cog):
    """Once a minute: the heartbeat that outages are told by, and boards that show what is.

    Args:
        client: the bot.
        services: the use cases.
    """

    def __init__(self, client: discord.Client, services: Services) -> None:
        self._client = client
        self._services = services
        self._failures = Failures(log)
        self._is_connected = False

    async def cog_load(self) -> None:
        """Begin."""
        self.beat.start()
        self.publish.start()

    async def cog_unload(self) -> None:
        """End."""
        self.beat.cancel()
        self.publish.cancel()

    @tasks.loop(seconds=BEAT_SECONDS)
    async def beat(self) -> None:
        """Do it, if Discord can be heard."""
        if self._is_connected:
            await self._beat()

    async def _beat(self) -> None:
        """Do it; what fails, a busy database say, must not stop the beats to come."""
        await self._note(self._services.heartbeat.beat())

    async def _note(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await self._failures.attempt("heartbeat", work)
        except ClosingError:
            self.beat.cancel()

    # In a loop of its own: Discord may let edits wait for minutes, and a heartbeat that waits
    # with them would look like an outage.
    @tasks.loop(seconds=BEAT_SECONDS)
    async def publish(self) -> None:
        """Show on public boards what they do not show yet, if Discord can be heard."""
        if self._is_connected:
            await self._publish()

    async def _publish(self) -> None:
        """Do it, one kind of game after the other."""
        for show_boards in (self._show_masterminds,):
            await self._attempt(show_boards())

    async def _attempt(self, work: Coroutine[Any, Any, None], what: str = _BOARDS) -> None:
        """Do something; what fails must not stop the other boards, nor those to come."""
        try:
            await self._failures.attempt(what, work)
        except ClosingError:
            self.publish.cancel()

    async def _show_masterminds(self) -> None:
        """End challenges that have lapsed, and show that, with what could not be shown before."""
        mastermind = self._services.mastermind
        await mastermind.games.sweep()
        for game in await mastermind.games.unshown():
            work = publish(self._client, mastermind.challenges, game)
            await self._attempt(work, f"board of mastermind {game.id}")

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """The first beat tells how long the bot was away."""
        self._is_connected = True
        await self._beat()
        await self._publish()

    @commands.Cog.listener()
    async def on_resumed(self) -> None:
        """Connected again: until now nobody could play."""
        self._is_connected = True
        await self._beat()

    @commands.Cog.listener()
    async def on_disconnect(self) -> None:
        """Discord cannot be heard."""
        self._is_connected = False
        await self._note(self._services.heartbeat.pause())
