"""A manager restores a streak on the settings panel; the member reads who did, and why."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from simcord import MemberActor, ResponseMessage, RoleHandle

from tests.support.screen import seen, text
from tests.support.sql import sql
from tests.support.table import Table


@pytest.fixture(autouse=True)
def host(table: Table) -> RoleHandle:
    """Ann may manage the server; this role is why."""
    return table.let_manage(table.ann)


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


async def restore(table: Table, member: MemberActor, reason: str) -> ResponseMessage:
    """Fill in the form; what it answers."""
    panel = seen(await table.ann.slash(table.channel, "settings"))
    form = await table.ann.click(panel, label="Restore")
    return seen(await table.ann.submit_modal(form, {"member": [member.user], "reason": reason}))


async def test_the_member_reads_who_restored_it_and_why(table: Table, days: Days) -> None:
    await days.solve(3, 4, 5)
    days.at(7)
    answer = await restore(table, table.ben, "You were *ill* `that` day")
    assert answer.ephemeral
    assert text(answer) == (
        f"{table.ben.mention}'s streak is restored: **3 days**.\n"
        "-# On this server's board it stands whole, marked ↺. On all others it counts from the "
        "last restored day on."
    )
    days.at(7)
    board = await table.focdle(table.ben)
    play = await table.services.daily.open(table.ben.id, table.ben.guild.id)
    board = await table.guess(table.ben, board, play.game.secret)
    assert "🔥 Streak: **4 days**" in text(board)
    assert "Your streak was restored: `/stats` says by whom and why." in text(board)
    statistics = seen(await table.ben.slash(table.channel, "stats"))
    assert (
        f"Nov 6: the streak was restored by {table.ann.mention}: `You were *ill* ˋthatˋ day`"
    ) in text(statistics)


async def test_why_it_cannot_be_is_said_privately(table: Table, days: Days) -> None:
    await days.solve(3, 4, 5)
    days.at(7)
    answer = await restore(table, table.ben, "  ")
    assert text(answer) == f"Say why the streak is restored; {table.ben.mention} will read it."
    answer = await restore(table, table.ann, "Me")
    assert answer.ephemeral
    assert text(answer) == (
        "Nobody restores their own streak. Ask somebody else who manages the server."
    )


async def test_a_form_left_open_serves_only_who_still_may(
    table: Table, days: Days, host: RoleHandle
) -> None:
    await days.solve(3, 4, 5)
    days.at(7)
    panel = seen(await table.ann.slash(table.channel, "settings"))
    form = await table.ann.click(panel, label="Restore")
    table.env.backend.remove_member_role(table.ann.guild.id, table.ann.id, host.id)
    sent = await table.ann.submit_modal(form, {"member": [table.ben.user], "reason": "Ill"})
    assert "Only members with the permission Manage Server" in text(seen(sent))
