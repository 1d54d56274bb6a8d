"""Restored streaks among others on a leaderboard."""

from dataclasses import replace

import pytest

from bot.leaderboards.game import Row
from bot.leaderboards.pages import board_texts
from bot.leaderboards.scores import Board, BoardGame, StreakFigures
from tests.support.standings import a_page

HERE, ELSEWHERE = 1, 2


def lines(*restored: int) -> list[str]:
    """A page of streaks, each as long as the one before."""
    page = a_page(Board.of(BoardGame.STREAK, guild_id=1))
    rows = [Row(1, n, "Ann", StreakFigures(9, 10, kind)) for n, kind in enumerate(restored)]
    return board_texts(replace(page, rows=tuple(rows)), is_in_server=True).rows.splitlines()


def test_the_row_of_a_restored_streak_has_a_mark_and_other_rows_have_none() -> None:
    first, second = "`1` \u2068Ann\u2069\u00a0↺", "`1` \u2068Ann\u2069"
    assert lines(HERE, 0)[:4:2] == [first, second]
    assert lines(0, HERE)[:4:2] == [second, first]


@pytest.mark.parametrize(
    ("restored", "legend"),
    [
        ([0, 0], "-# 9 days · best 10"),
        ([0, HERE, HERE], "-# ↺ restored"),
        ([ELSEWHERE, 0], "-# ↺ since it was restored elsewhere"),
        ([HERE, ELSEWHERE], "-# ↺ restored, or since it was restored elsewhere"),
    ],
)
def test_the_mark_of_a_restored_streak_is_explained_on_pages_that_have_one(
    restored: list[int], legend: str
) -> None:
    assert lines(*restored)[-1] == legend
