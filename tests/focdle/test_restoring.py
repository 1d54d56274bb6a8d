"""What managers of servers have restored goes on counting, and can still be read."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from bot.clock import PuzzleName
from bot.games.game import Step
from bot.leaderboards.scores import Board, BoardGame, StreakFigures
from bot.posts.game import DuePost
from bot.services import Services
from bot.statistics.model import StreakRecord
from bot.stored import DateEffect
from bot.streaks.model import Restored, Streak
from tests.support.clock import FakeClock
from tests.support.restored import HOST, restore
from tests.support.sql import sql

ANN = 11
HERE, THERE = 55, 66


class Life:
    """Ann's days in a server, always at noon; the bot is never down."""

    def __init__(self, services: Services, clock: FakeClock, folder: Path) -> None:
        self.services = services
        self._clock = clock
        self._folder = folder

    def at(self, day: int) -> None:
        """Let it be noon of a day of November."""
        self._clock.set(datetime(2026, 11, 1, 12, tzinfo=UTC) + timedelta(days=day - 1))
        sql(self._folder, "DELETE FROM pulses")

    async def solve(self, *days: int, guild: int = HERE) -> Streak:
        streak = Streak()
        for day in days:
            self.at(day)
            play = await self.services.daily.open(ANN, guild)
            play = await self.services.daily.guess(ANN, play.id, play.game.secret)
            assert play.ending.streak is not None
            streak = play.ending.streak
        return streak

    async def restored(self, *days: int, reason: str = "Sick") -> StreakRecord:
        """Her streak after dates of it were restored in this server."""
        restore(self._folder, ANN, HERE, *(date(2026, 11, day) for day in days), reason=reason)
        return (await self.services.statistics.of(ANN, viewer_id=ANN)).streak


@pytest.fixture
def life(services: Services, clock: FakeClock, tmp_path: Path) -> Life:
    return Life(services, clock, tmp_path)


async def test_a_restored_date_does_not_lengthen_a_streak_and_shows_its_manager_and_reason(
    life: Life,
) -> None:
    await life.solve(1, 2, 3)
    life.at(5)  # the 4th was missed
    streak = await life.restored(4, reason="Power cut in her street")
    assert (streak.length, streak.best, streak.is_restored) == (3, 3, True)
    last = streak.log[0]
    assert (last.day, last.reason, last.before, last.after) == (
        date(2026, 11, 4),
        DateEffect.RESTORED,
        3,
        3,
    )
    assert last.restored == Restored(HOST, "Power cut in her street", HERE)
    assert (await life.solve(5)).length == 4


async def test_later_solved_dates_are_added_to_a_restored_streak(life: Life) -> None:
    await life.solve(1, 2, 3)
    assert (await life.solve(6, 7)).length == 2
    streak = await life.restored(4, 5)
    assert streak.length == 5
    assert [c.day.day for c in streak.log if c.reason is DateEffect.RESTORED] == [5]


async def test_only_the_restoring_server_counts_a_restored_streak_in_full(
    life: Life, tmp_path: Path
) -> None:
    for guild in (HERE, THERE):
        await life.services.standings.members.seen(ANN, "A", guild_id=guild, guild_name="A")
    await life.services.preferences.set_on_global_boards(ANN, on=True)
    await life.solve(1, 2, 3)
    await life.solve(6, 7)

    async def shown(guild: int | None) -> tuple[int, int, int]:
        board = Board(BoardGame.STREAK, guild_id=guild)
        (row,) = (await life.services.standings.boards.page(board, ANN)).rows
        figures = row.figures
        assert isinstance(figures, StreakFigures)
        return figures.length, figures.best, figures.restored

    assert await shown(HERE) == (2, 3, 0)
    await life.restored(4, 5)
    for _ in range(2):
        assert [await shown(guild) for guild in (HERE, THERE, None)] == [
            (5, 5, 1),
            (2, 3, 2),
            (2, 3, 2),
        ]
        sql(tmp_path, "DELETE FROM standings")
        await life.services.preferences.set_hidden(ANN, on=False)  # works all rows out anew
    await life.solve(8)
    assert [await shown(guild) for guild in (HERE, THERE)] == [(6, 6, 1), (3, 3, 2)]


async def test_posts_of_other_servers_show_a_restored_streak_at_its_unrestored_length(
    life: Life,
) -> None:
    for guild in (HERE, THERE):
        await life.services.standings.members.seen(ANN, "A", guild_id=guild, guild_name="A")
    await life.solve(1, 2, 3, 4)
    life.at(6)
    await life.restored(5)
    assert (await life.solve(6, 7)).is_restored

    async def told(guild: int, day: int) -> list[tuple[int, int]]:
        life.at(day)
        streaks = (await life.services.posts.news.gather(due(guild, day))).streaks
        return [(event.before, event.after) for event in streaks.grown]

    assert [await told(guild, 8) for guild in (HERE, THERE)] == [[(5, 6)], [(1, 2)]]


def due(guild: int, day: int) -> DuePost:
    return DuePost(
        guild_id=guild,
        channel_id=1,
        day=date(2026, 11, day),
        puzzle=PuzzleName(304 + day, 10),
        role_id=None,
        finishers_threads=False,
        last_day=None,
        step=Step.SEND,
        claimed_at=datetime(2026, 11, day, tzinfo=UTC),
    )
