"""A bot with nothing to do asks and writes little, whatever its loops look for."""

from collections.abc import Awaitable
from pathlib import Path
from typing import Any

from discord.ext import tasks

from cogs.ui.schedule import TimedCog
from tests.support.sql import overheard
from tests.support.table import Table

HOUR = 3600
CHECKS = 120
"""How often a container asks for health in an hour, each time with a write."""
# So many statements take about 0.3 % of a core.
MOST_STATEMENTS = 25_000
MOST_WRITES = 250
MOST_BYTES = 60_000_000 / 24
_DOES_NOT_WRITE = ("BEGIN", "SELECT", "WITH")


def loops_of(table: Table) -> list[tasks.Loop[Any]]:
    """All loops of the bot's, those that wait longest last."""
    bot = table.bot
    cogs = [cog for cog in bot.cogs.values() if isinstance(cog, TimedCog)]
    found = [
        getattr(cog, name)
        for cog in cogs
        for name, member in vars(type(cog)).items()
        if isinstance(member, tasks.Loop)
    ]
    return sorted(found, key=seconds_of)


def seconds_of(loop: tasks.Loop[Any]) -> float:
    return (loop.seconds or 0) + 60 * (loop.minutes or 0) + HOUR * (loop.hours or 0)


async def asked_by(table: Table, loop: tasks.Loop[Any], made: list[str]) -> None:
    """Do one round of a loop, and note its statements."""
    with overheard(lambda statement, _: made.append(statement)):
        await table.rounds(loop)


async def check(table: Table) -> None:
    """Ask for health, as a container does."""
    await table.services.health.write()


async def written_by(log: Path, work: Awaitable[None]) -> int:
    """The bytes that work has written: each page to the log, and from there into the file."""
    before = size_of(log)
    await work
    return 2 * (size_of(log) - before)


def size_of(log: Path) -> int:
    return log.stat().st_size if log.exists() else 0


async def test_an_idle_hour_takes_few_statements_and_writes(table: Table, tmp_path: Path) -> None:
    board = await table.focdle(table.ann)
    await table.ann.click(board, label="Guess")
    log, loops = tmp_path / "test.db-wal", loops_of(table)
    asked, wrote, size = 0.0, float(CHECKS), CHECKS * await written_by(log, check(table))
    for loop in loops:
        for _ in range(2):  # the first one may have something to do
            await table.rounds(loop)
            table.clock.advance(seconds=seconds_of(loop))
        made, times = list[str](), HOUR / seconds_of(loop)
        size += times * await written_by(log, asked_by(table, loop, made))
        asked += times * len(made)
        wrote += times * any(not each.startswith(_DOES_NOT_WRITE) for each in made)
    assert len(loops) > 15
    assert 0 < asked < MOST_STATEMENTS
    assert 0 < wrote < MOST_WRITES
    assert size < MOST_BYTES
    assert size or not size_of(log)  # PostgreSQL has its own
