"""Cogs that do something by the clock: how they begin, go on after failures, and end."""

import asyncio

import pytest
from discord.ext import tasks

from bot.errors import ClosingError, StorageBusyError
from cogs.ui.schedule import TimedCog
from tests.support.table import Table


class TwoLoops(TimedCog):
    """Does nothing in its loops, and what a test wants in its rounds."""

    @tasks.loop(hours=1)
    async def first(self) -> None:
        """Nothing."""

    @tasks.loop(hours=1)
    async def second(self) -> None:
        """Nothing."""

    async def round(self, error: Exception | None = None) -> bool:
        """One attempt; whether to go on."""

        async def work() -> None:
            if error is not None:
                raise error

        return await self._attempt("round", work())

    def running(self) -> list[bool]:
        """Of each loop, whether it goes on."""
        return [self.first.is_running(), self.second.is_running()]

    async def ended(self) -> None:
        """Wait until both loops have ended."""
        found = (loop.get_task() for loop in (self.first, self.second))
        await asyncio.wait([task for task in found if task is not None])


async def test_timed_loops_continue_after_failures_until_the_program_ends(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    cog = TwoLoops(table.bot, table.services)
    await cog.cog_load()
    assert await cog.round()
    assert await cog.round(StorageBusyError())
    assert cog.running() == [True, True]
    told = [record.getMessage() for record in caplog.records if record.name == __name__]
    assert told == ["round: not this time, the database was busy"]
    assert not await cog.round(ClosingError())
    await cog.ended()
    assert cog.running() == [False, False]


async def test_timed_loops_end_when_their_cog_is_unloaded(table: Table) -> None:
    cog = TwoLoops(table.bot, table.services)
    await cog.cog_load()
    assert cog.running() == [True, True]
    await cog.cog_unload()
    await cog.ended()
    assert cog.running() == [False, False]
