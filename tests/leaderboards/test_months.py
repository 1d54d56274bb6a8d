"""Closed months stay on leaderboards, for a year."""

from datetime import date
from typing import Any

import pytest
from simcord import ResponseMessage

from bot.leaderboards.boards import Board, BoardGame, Period
from bot.leaderboards.game import LeaderboardPage
from bot.leaderboards.words import board_texts
from tests.support.duels import ANN, BEN
from tests.support.screen import custom_ids, parts, seen, text
from tests.support.sql import sql
from tests.support.table import Table
from tests.support.town import Town

HERE = 100
OCTOBER = date(2026, 10, 1)


def of_month(month: date, game: BoardGame = BoardGame.FOCDLE) -> Board:
    return Board(game, Period.MONTH, guild_id=HERE, month=month)


async def look(town: Town, month: date = OCTOBER) -> LeaderboardPage:
    return await town.page(of_month(month), ANN)


async def two_in_october(town: Town) -> None:
    town.at("2026-10-31T12:00")
    for player, guesses in ((ANN, 3), (BEN, 2)):
        await town.join(player, HERE)
        await town.play(player, HERE, guesses)
    for _ in range(5):
        await town.mastermind(ANN, 4)


async def test_a_closed_month_can_be_viewed_for_a_year(town: Town) -> None:
    await two_in_october(town)
    for moment in ("2026-11-15T12:00", "2027-01-31T12:00", "2027-10-30T12:00"):
        town.at(moment)
        await town.play(ANN, HERE)  # which writes the rows anew
        found = await look(town)
        assert [(row.rank, row.player_id) for row in found.rows] == [(1, BEN), (2, ANN)]
        assert found.days == (OCTOBER, date(2026, 10, 31))
        (row,) = await town.rows(of_month(OCTOBER, BoardGame.MASTERMIND))
        assert row.player_id == ANN
    town.at("2027-11-03T12:00")
    await town.play(ANN, HERE)
    assert [row.player_id for row in (await look(town)).rows] == [BEN]  # as he was last written


async def test_a_monthly_leaderboard_lists_the_months_that_have_rows(town: Town) -> None:
    await two_in_october(town)
    town.at("2026-12-20T12:00")
    await town.play(BEN, HERE)
    for board in (
        Board(BoardGame.FOCDLE, Period.MONTH, guild_id=HERE),
        Board(BoardGame.FOCDLE, Period.MONTH, previous=True, guild_id=HERE),
        of_month(OCTOBER),
    ):
        assert (await town.page(board)).months == (OCTOBER,)
    assert (await town.page(Board(BoardGame.FOCDLE, Period.WEEK, guild_id=HERE))).months == ()
    town.at("2027-01-20T12:00")
    assert (await look(town)).months == (OCTOBER,)  # nobody has played in November
    town.at("2027-02-20T12:00")
    assert (await look(town)).months == (date(2026, 12, 1), OCTOBER)


async def test_a_page_of_a_closed_month_is_worded_in_the_past_tense(town: Town) -> None:
    await two_in_october(town)
    town.at("2026-12-20T12:00")
    found = board_texts(await look(town))
    assert found.title.startswith("### FoCdle points · October 2026\n-# ")
    assert "up " not in found.rows
    empty = board_texts(await look(town, date(2026, 9, 1)))
    assert empty.rows == "Nobody played then."
    stranger = await town.page(of_month(OCTOBER), 5)
    assert board_texts(stranger).own == "You weren't on this board."


@pytest.mark.parametrize("how", ["hides", "leaves", "deletes"])
async def test_a_player_who_disappears_from_leaderboards_disappears_from_closed_months(
    town: Town, how: str
) -> None:
    await two_in_october(town)
    town.at("2026-12-20T12:00")
    match how:
        case "hides":
            await town.services.preferences.set_hidden(BEN, on=True)
        case "leaves":
            await town.services.standings.members.gone(HERE, BEN)
        case _:
            await town.services.privacy.players.delete(BEN, "DELETE")
    assert [row.player_id for row in (await look(town)).rows] == [ANN]
    if how == "hides":
        await town.services.preferences.set_hidden(BEN, on=False)
    elif how == "leaves":
        await town.join(BEN, HERE)
    else:
        return
    assert [row.player_id for row in (await look(town)).rows] == [BEN, ANN]


def test_custom_ids_can_name_the_leaderboard_of_a_month() -> None:
    board = of_month(OCTOBER)
    assert board.encode() == "focdle.month.202610.100"
    assert Board.decode(board.encode()) == board
    for text_of_board in ("focdle.week.202610.1", "focdle.month.202613.1", "streak.all.202610.1"):
        with pytest.raises(ValueError):  # noqa: PT011 - it says nothing more
            Board.decode(text_of_board)
    streaks = Board.of(BoardGame.STREAK, Period.MONTH, month=OCTOBER, guild_id=1)
    assert streaks == Board(BoardGame.STREAK, guild_id=1)


def listed(shown: ResponseMessage) -> list[str]:
    """What the list of periods offers."""
    (periods,) = [p for p in parts(shown) if p.get("custom_id", "").startswith("lb:period:")]
    return [option["label"] for option in periods["options"]]


async def pick(table: Table, shown: ResponseMessage, value: str) -> ResponseMessage:
    (periods,) = [each for each in custom_ids(shown) if each.startswith("lb:period:")]
    return seen(await table.ann.select(shown, [value], custom_id=periods))


async def test_members_find_closed_months_in_the_list_of_periods(
    table: Table, tmp_path: Any
) -> None:
    guild = table.ann.guild.id
    await table.services.standings.members.seen(
        table.ann.id, "Ann", guild_id=guild, guild_name="Ann"
    )
    play = await table.services.daily.open(table.ann.id, guild)
    await table.services.daily.guess(table.ann.id, play.id, play.game.secret)
    table.clock.advance(days=45)
    sql(tmp_path, "DELETE FROM pulses")
    shown = seen(await table.ann.slash(table.channel, "leaderboard", game="focdle"))
    assert "November 2026" not in listed(shown)
    shown = await pick(table, shown, "month.0")
    assert listed(shown)[-3:] == ["Last month", "November 2026", "All time"]
    shown = await pick(table, shown, "month.202611")
    assert "FoCdle points · November 2026" in text(shown)
    assert "Ann" in text(shown)
    table.clock.advance(days=30)  # and that month it stays
    await table.restart()
    for game, name in (("mastermind", "Mastermind"), ("focdle", "FoCdle points")):
        (games,) = [each for each in custom_ids(shown) if each.startswith("lb:game:")]
        shown = seen(await table.ann.select(shown, [game], custom_id=games))
        assert f"{name} · November 2026" in text(shown)
