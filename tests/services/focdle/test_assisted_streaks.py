"""What a solve with hints does to a streak, and on boards: before November 23, 2026, and since."""

from collections.abc import AsyncGenerator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from bot.services.standings.keys import Board, BoardGame
from tests.support.clock import FakeClock
from tests.support.duels import ANN
from tests.support.restored import restore
from tests.support.sql import sql
from tests.support.town import Town, open_town

HERE = 100


@pytest.fixture
async def town(tmp_path: Path, database_url: str, clock: FakeClock) -> AsyncGenerator[Town]:
    async with open_town(tmp_path, database_url, clock) as opened:
        await opened.join(ANN, HERE)
        yield opened


async def live(town: Town, first: str, days: str) -> None:
    """Let Ann live some days from a date on: `s` solves, `h` solves with a hint, `.` is idle."""
    town.at(f"{first}T12:00")
    for day in days:
        sql(town.folder, "DELETE FROM pulses")  # the bot is never down
        if day != ".":
            await town.play(ANN, HERE, counted=day == "h")
        town.clock.advance(days=1)
    await town.settle()


async def streak(town: Town) -> tuple[int, int]:
    """Her streak, and her freezes."""
    found = (await town.services.statistics.of(ANN, viewer_id=ANN)).streak
    return found.length, found.freezes


@pytest.mark.parametrize(
    ("first", "days", "length", "freezes"),
    [
        ("2026-11-22", "h", 0, 0),
        ("2026-11-23", "h", 1, 0),
        ("2026-11-22", "hhh", 1, 0),  # the second date begins it, the third keeps it
        ("2026-11-23", "hs", 2, 0),
        ("2026-11-23", "hssssss", 7, 0),  # seven dates, six of them without hints
        ("2026-11-23", "hsssssss", 8, 1),
        ("2026-11-16", "sssssss", 7, 1),
        ("2026-11-23", "s..h", 1, 0),
        ("2026-11-23", "hs..hssssss", 7, 0),  # nothing of the streak before counts
        ("2026-11-17", "s..h", 0, 0),
    ],
)
async def test_hints_begin_a_streak_and_bring_no_freeze_closer(
    town: Town, first: str, days: str, length: int, freezes: int
) -> None:
    await live(town, first, days)
    assert await streak(town) == (length, freezes)


@pytest.mark.parametrize("is_rebuilt", [False, True])
async def test_it_stands_on_the_leaderboard(town: Town, *, is_rebuilt: bool) -> None:
    await live(town, "2026-11-23", "hsh")
    if is_rebuilt:
        await town.services.standings.members.gone(HERE, ANN)
        await town.join(ANN, HERE)
        await town.settle()
    (row,) = await town.rows(Board(BoardGame.STREAK, guild_id=HERE))
    assert row.figures.encode() == "2/2/0"


async def test_on_its_date_it_is_known_when_it_would_end(town: Town) -> None:
    town.at("2026-11-23T12:00")
    await town.play(ANN, HERE, counted=True)
    asked = await town.services.reminders.ask(ANN)
    assert asked.next_at == datetime(2026, 11, 24, 22, tzinfo=UTC)


async def test_one_that_hints_began_and_a_manager_restored_goes_on(town: Town) -> None:
    await live(town, "2026-11-23", "h..h")
    restore(town.folder, ANN, HERE, date(2026, 11, 24), date(2026, 11, 25))
    assert await streak(town) == (1, 0)
    await live(town, "2026-11-27", "s")
    assert await streak(town) == (2, 0)
    (row,) = await town.rows(Board(BoardGame.STREAK, guild_id=HERE))
    assert row.figures.encode() == "2/2/1"
