"""What happens to duels by themselves: deadlines, boards shown late, whose turn it is."""

import asyncio
from typing import Final

import discord
from discord.ext import commands, tasks

from bot.services.duels.game import DuelGame
from bot.services.services import Services
from cogs.timed import TimedCog
from cogs.ui.duel_messages import publish, send_nudge

BEAT_SECONDS: Final = 10
_AT_ONCE: Final = 5


class DuelClockCog(TimedCog):
    """Looks into the database every few seconds: nothing that is due is kept in memory."""

    def __init__(self, client: discord.Client, services: Services) -> None:
        super().__init__(client, services)
        self._duels = services.duels
        self._is_connected = False

    @tasks.loop(seconds=BEAT_SECONDS)
    async def beat(self) -> None:
        """End what is late and show what is not shown, if Discord can be heard."""
        if self._is_connected and await self._attempt("duels' deadlines", self._sweep()):
            await self._attempt("duels' boards", self._repair())

    @tasks.loop(seconds=BEAT_SECONDS)
    async def nudge(self) -> None:
        """Tell players that it is their turn; boards that Discord is slow to show do not wait."""
        if self._is_connected:
            await self._attempt("duels' calls", self._nudge())

    @beat.before_loop
    @nudge.before_loop
    async def _until_heard(self) -> None:
        """Begin at once when Discord can be heard."""
        await self._client.wait_until_ready()
        self._is_connected = True

    async def _sweep(self) -> None:
        """End duels in which somebody is too late."""
        for game in await self._duels.games.sweep():
            await self._show(game)

    async def _repair(self) -> None:
        """Show what Discord has not accepted so far."""
        async for game in self._duels.boards.stale():
            await self._show(game)

    async def _show(self, game: DuelGame) -> None:
        work = publish(self._client, self._duels.boards, game)
        await self._attempt(f"board of duel {game.id}", work)

    async def _nudge(self) -> None:
        boards, gate = self._duels.boards, asyncio.Semaphore(_AT_ONCE)

        async def one(duel_id: int) -> None:
            async with gate:
                work = send_nudge(self._client, boards, duel_id)
                await self._attempt(f"call to duel {duel_id}", work)

        await asyncio.gather(*[one(duel_id) async for duel_id in boards.to_nudge()])

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
