"""What a solve with hints does to a streak, and on boards."""

from datetime import UTC, datetime

import pytest

from bot.leaderboards.boards import Board, BoardGame, StreakFigures
from tests.support.duels import ANN, BEN, CAT, DAN
from tests.support.sql import sql
from tests.support.town import Town

HERE = 100


@pytest.fixture
async def town(town: Town) -> Town:
    await town.join(ANN, HERE)
    return town


async def live(town: Town, first: str, days: str) -> None:
    """Let Ann live some days from a date on.

    She solves by herself (`s`), with a hint (`k`), or is idle.
    """
    town.at(f"{first}T12:00")
    for day in days:
        sql(town.folder, "DELETE FROM pulses")  # the bot is never down
        if day != ".":
            await town.play(ANN, HERE, shown=day == "k")
        town.clock.advance(days=1)
    await town.settle()


async def streak(town: Town) -> tuple[int, int]:
    """Her streak, and her freezes."""
    found = (await town.services.statistics.of(ANN, viewer_id=ANN)).streak
    return found.length, found.freezes


@pytest.mark.parametrize(
    ("days", "length", "freezes", "alone"),
    [
        ("k", 1, 0, 0),
        ("skk", 3, 0, 1),
        ("sssssk", 6, 0, 5),
        ("ssssssk", 7, 0, 6),  # a seventh day, but not without hints
        ("ssssssks", 8, 1, 7),
        ("kkkkkkk", 7, 0, 0),
        ("ksssssss.k", 9, 0, 7),  # the freeze is spent
        ("ksssk..s", 1, 0, 1),  # of the streak before nothing counts
    ],
)
async def test_a_date_with_hints_lengthens_a_streak_but_does_not_count_toward_a_freeze(
    town: Town, days: str, length: int, freezes: int, alone: int
) -> None:
    await live(town, "2026-12-01", days)
    assert await streak(town) == (length, freezes)
    found = (await town.services.statistics.of(ANN, viewer_id=ANN)).streak
    assert found.length - found.assisted == alone


async def test_solving_another_length_without_hints_makes_a_date_unassisted(town: Town) -> None:
    town.at("2026-12-01T12:00")
    await town.play(ANN, HERE, shown=1)
    (row,) = await town.rows(Board(BoardGame.STREAK, guild_id=HERE))
    assert row.figures.encode() == "1/1/1"
    await town.play(ANN, HERE, puzzle="/9")
    (row,) = await town.rows(Board(BoardGame.STREAK, guild_id=HERE))
    assert row.figures.encode() == "1/1/0"


async def test_leaderboards_rank_streaks_by_dates_without_hints_then_by_length(town: Town) -> None:
    lives = {ANN: "ss", BEN: "sks", CAT: "kks", DAN: "kss"}
    for player in lives:
        await town.join(player, HERE)
    town.at("2026-12-01T12:00")
    for day in range(3):
        sql(town.folder, "DELETE FROM pulses")
        for player, days in lives.items():
            if day < len(days):
                await town.play(player, HERE, shown=days[day] == "k")
        town.clock.advance(days=1)
    await town.settle()
    rows = await town.rows(Board(BoardGame.STREAK, guild_id=HERE))
    assert [(row.rank, row.player_id) for row in rows if row.player_id != ANN] == [
        (1, BEN),
        (1, DAN),
        (3, CAT),
    ]
    keys = [StreakFigures(n, n, k).sort_key for n, k in ((3, 0), (4, 2), (3, 1), (2, 0), (2, 1))]
    assert keys == sorted(keys)


@pytest.mark.parametrize("is_rebuilt", [False, True])
async def test_a_streak_begun_with_hints_is_on_the_leaderboard(
    town: Town, *, is_rebuilt: bool
) -> None:
    await live(town, "2026-12-01", "ksk")
    if is_rebuilt:
        await town.services.standings.members.gone(HERE, ANN)
        await town.join(ANN, HERE)
        await town.settle()
    (row,) = await town.rows(Board(BoardGame.STREAK, guild_id=HERE))
    assert row.figures.encode() == "3/3/2"


async def test_a_reminder_is_planned_for_a_streak_begun_with_hints(town: Town) -> None:
    town.at("2026-11-23T12:00")
    await town.play(ANN, HERE, shown=1)
    asked = await town.services.reminders.ask(ANN)
    assert asked.next_at == datetime(2026, 11, 24, 22, tzinfo=UTC)
