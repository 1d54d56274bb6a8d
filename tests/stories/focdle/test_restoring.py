"""Whose streak a manager has restored reads who did, and why."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from tests.support.restored import restore
from tests.support.screen import seen, text
from tests.support.sql import sql
from tests.support.table import Table


class Days:
    """Ben's days; the bot is never down."""

    def __init__(self, table: Table, folder: Path) -> None:
        self._table = table
        self._folder = folder

    def at(self, day: int) -> None:
        self._table.clock.set(datetime(2026, 11, 1, 12, tzinfo=UTC) + timedelta(days=day - 1))
        sql(self._folder, "DELETE FROM pulses")

    async def solve(self, *days: int) -> None:
        for day in days:
            self.at(day)
            player = self._table.ben
            play = await self._table.services.daily.open(player.id, player.guild.id)
            await self._table.services.daily.guess(player.id, play.id, play.game.secret)


@pytest.fixture
def days(table: Table, tmp_path: Path) -> Days:
    return Days(table, tmp_path)


async def test_a_member_reads_who_restored_their_streak_and_why(
    table: Table, days: Days, tmp_path: Path
) -> None:
    await days.solve(3, 4, 5)
    days.at(7)
    reason = "You were *ill* `that` day"
    ann, ben = table.ann.id, table.ben.id
    restore(tmp_path, ben, table.ben.guild.id, date(2026, 11, 6), by=ann, reason=reason)
    board = await table.focdle(table.ben)
    play = await table.services.daily.open(table.ben.id, table.ben.guild.id)
    board = await table.guess(table.ben, board, play.game.secret)
    assert "🔥 Streak: **4 days**" in text(board)
    assert "Your streak was restored." in text(board)
    statistics = seen(await table.ben.slash(table.channel, "stats"))
    assert (
        f"Nov 6: the streak was restored by {table.ann.mention}: `You were *ill* ˋthatˋ day`"
    ) in text(statistics)
