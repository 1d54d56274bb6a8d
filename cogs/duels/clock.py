"""What happens to duels by themselves: deadlines, boards shown late, whose turn it is."""

import asyncio
from typing import Final

import discord
from discord.ext import tasks

from bot.duels.model.duel import DuelGame
from bot.services import Services
from cogs.duels.messages import publish, send_nudge
from cogs.ui.timed import TimedCog

BEAT_SECONDS: Final = 10
_AT_ONCE: Final = 5


class DuelClockCog(TimedCog):
    """Looks into the database every few seconds: nothing that is due is kept in memory."""

    def __init__(self, client: discord.Client, services: Services) -> None:
        super().__init__(client, services)
        self._duels = services.duels

    @tasks.loop(seconds=BEAT_SECONDS)
    async def beat(self) -> None:
        """End what is late and show what is not shown, if Discord can be heard."""
        if self._hearing.heard and await self._attempt("duels' deadlines", self._sweep()):
            await self._attempt("duels' boards", self._repair())

    @tasks.loop(seconds=BEAT_SECONDS)
    async def nudge(self) -> None:
        """Tell players that it is their turn; boards that Discord is slow to show do not wait."""
        if self._hearing.heard:
            await self._attempt("duels' calls", self._nudge())

    @beat.before_loop
    @nudge.before_loop
    async def _until_begun(self) -> None:
        """Begin at once when the first servers are known."""
        await self._hearing.until_begun()

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
