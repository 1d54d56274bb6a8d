"""What happens to duels by themselves: deadlines, boards shown late, whose turn it is."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, Final

import discord
from discord.ext import commands, tasks

from bot.services.duels.game import DuelGame
from bot.services.failures import Failures
from bot.services.services import Services
from bot.storage.errors import ClosingError
from cogs.ui.duel_messages import publish, send_nudge

log = logging.getLogger(__name__)

BEAT_SECONDS: Final = 10
_AT_ONCE: Final = 5


class DuelClockCog(commands.Cog):
    """Looks into the database every few seconds: nothing that is due is kept in memory.

    Args:
        client: the bot.
        services: the use cases.
    """

    def __init__(self, client: discord.Client, services: Services) -> None:
        self._client = client
        self._duels = services.duels
        self._failures = Failures(log)
        self._is_connected = False

    async def cog_load(self) -> None:
        """Begin."""
        for loop in (self.beat, self.nudge):
            loop.start()

    async def cog_unload(self) -> None:
        """End."""
        for loop in (self.beat, self.nudge):
            loop.cancel()

    @tasks.loop(seconds=BEAT_SECONDS)
    async def beat(self) -> None:
        """End what is late and show what is not shown, if Discord can be heard."""
        if self._is_connected and await self._try(self._sweep(), "duels' deadlines"):
            await self._try(self._repair(), "duels' boards")

    @tasks.loop(seconds=BEAT_SECONDS)
    async def nudge(self) -> None:
        """Tell players that it is their turn; boards that Discord is slow to show do not wait."""
        if self._is_connected:
            await self._try(self._nudge(), "duels' calls")

    @beat.before_loop
    @nudge.before_loop
    async def _until_heard(self) -> None:
        """Begin at once when Discord can be heard."""
        await self._client.wait_until_ready()
        self._is_connected = True

    async def _try(self, work: Coroutine[Any, Any, None], what: str) -> bool:
        """Whether to go on; what fails, a busy database say, is tried again at the next beat."""
        try:
            await self._failures.attempt(what, work)
        except ClosingError:
            await self.cog_unload()
            return False
        return True

    async def _sweep(self) -> None:
        """End duels in which somebody is too late."""
        for game in await self._duels.games.sweep():
            await self._show(game)

    async def _repair(self) -> None:
        """Show what Discord has not accepted so far."""
        for game in await self._duels.boards.stale():
            await self._show(game)

    async def _show(self, game: DuelGame) -> None:
        work = publish(self._client, self._duels.boards, game)
        await self._try(work, f"board of duel {game.id}")

    async def _nudge(self) -> None:
        boards, gate = self._duels.boards, asyncio.Semaphore(_AT_ONCE)

        async def one(duel_id: int) -> None:
            async with gate:
                await self._try(
                    send_nudge(self._client, boards, duel_id), f"call to duel {duel_id}"
                )

        await asyncio.gather(*(one(duel_id) for duel_id in await boards.to_nudge()))

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Discord can be heard."""
        self._is_connected = True

    @commands.Cog.listener()
    async def on_resumed(self) -> None:
        """Heard again."""
        self._is_connected = True

    @commands.Cog.listener()
    async def on_disconnect(self) -> None:
        """Discord cannot be heard, so nobody could answer in time."""
        self._is_connected = False
