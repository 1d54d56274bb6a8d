"""Duels in tiles: what everybody sees while a duel goes on, through mistakes and a restart."""

import re

import pytest
from simcord import MemberActor, ResponseMessage

from cogs.duels import messages
from cogs.ui.host import Hearing
from tests.support.duel_stories import (
    WRONG,
    be_killed,
    beat,
    number_of,
    pictures,
    playing,
    press,
    to_move,
    typed,
)
from tests.support.overwrites import overwrite
from tests.support.screen import buttons, parts, text
from tests.support.table import Table

WAITING, PLAYING, WON = 0xF0B429, 0x5865F2, 0x3BA55D


async def upload(table: Table) -> None:
    """Let Discord have the tiles."""
    await table.bot.upload_tiles()


def rows(board: ResponseMessage) -> list[str]:
    """The tiles of a board, by their names."""
    found = (re.findall(r"<:(\w\w):\d+>", line) for line in text(board).splitlines())
    return [" ".join(names) for names in found if len(names) > 2]


def colour(board: ResponseMessage) -> int:
    """The colour of a board's frame."""
    return next(part["accent_color"] for part in parts(board) if part["type"] == 17)


async def test_a_duel_shown_in_tiles_continues_after_mistakes_and_a_restart(table: Table) -> None:
    await upload(table)
    board = await playing(table)
    first, second = to_move(table, board)
    assert rows(board) == []
    board = await typed(first, board, "0589")
    assert rows(board) == ["0u 5u 8u 9u 10 bl bl bl bl bl"]
    await typed(second, board, "05")
    assert rows(board) == ["0u 5u 8u 9u 10 bl bl bl bl bl"]
    watched = await press(table.world.members[2], board, "Guess")
    assert "Start your own!" in text(watched)
    await table.restart()
    await upload(table)
    board = await typed(second, board, "0589")
    assert rows(board) == ["0u 5u 8u 9u 10 0u 5u 8u 9u 10"]
    page = await press(second, board, "Notebook")
    assert rows(page) == rows(board)
    assert " in place · <:" in text(board)
    board = await typed(first, board, number_of(table, second))
    found = " ".join(f"{digit}c" for digit in number_of(table, second))
    assert rows(board)[1] == f"{found} 40"
    board = await typed(second, board, WRONG[0])
    assert f"🏆 **{first.mention} wins**" in text(board)
    assert colour(board) == WON


async def duel(table: Table) -> tuple[ResponseMessage, MemberActor, MemberActor]:
    """A duel that the first mover wins in two; the board, the winner and the other."""
    board = await playing(table)
    first, second = to_move(table, board)
    for who in (first, second):
        board = await typed(who, board, WRONG[0])
    board = await typed(first, board, number_of(table, second))
    return await typed(second, board, WRONG[1]), first, second


async def test_a_finished_duel_has_a_picture_of_all_rounds_with_a_description(
    table: Table,
) -> None:
    await upload(table)
    board, first, second = await duel(table)
    assert rows(board) == []
    (words,) = pictures(board)
    names = {table.ann: "Ann", table.ben: "Ben"}
    winner, loser = words.splitlines()[:2]
    own, other = number_of(table, first), number_of(table, second)
    assert re.fullmatch(
        rf"{names[first]}: solved in 2, rating \d+ \(\+\d+\), hid {own}\.",
        winner,
    )
    assert re.fullmatch(rf"{names[second]}: 2 guesses, rating \d+ \(−\d+\), hid {other}\.", loser)
    assert re.search(rf"{names[first]}: {WRONG[0]} 0B\dC, {other} 4B0C", words)
    assert "Head to head: 1 – 0" in words
    assert f"🏆 **{first.mention} wins**" in text(board)
    assert buttons(board) == ["Rematch", "Coach", "More"]


def unknown(*_: object) -> bool:
    """What the bot answers of a server before its shard is ready."""
    return False


async def test_a_duel_that_ends_before_the_bot_knows_its_servers_has_its_picture_soon(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = await playing(table)
    first, second = to_move(table, board)
    await typed(first, board, number_of(table, second))
    with monkeypatch.context() as starting:
        starting.setattr(Hearing, "knows", unknown)
        starting.setattr(messages, "may_attach", unknown)
        await typed(second, board, WRONG[0])
    assert "wins" in text(board)
    assert pictures(board) == []
    await beat(table, 60)
    assert len(pictures(board)) == 1


async def test_a_duel_whose_end_was_shown_as_the_bot_was_killed_has_its_picture_soon(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = await playing(table)
    first, second = to_move(table, board)
    await typed(first, board, number_of(table, second))
    with monkeypatch.context() as killing:
        killing.setattr(messages, "publish", be_killed)
        await typed(second, board, WRONG[0])
    assert "wins" in text(board)
    await table.restart()
    await beat(table, 60)
    assert len(pictures(board)) == 1


async def test_a_finished_duel_stays_in_tiles_where_the_bot_may_not_attach_files(
    table: Table,
) -> None:
    await upload(table)
    overwrite(table, table.channel, attach_files=False)
    board, _, _ = await duel(table)
    assert (pictures(board), len(rows(board))) == ([], 2)


@pytest.mark.parametrize("broken", ["final_picture", "DRAW_FINAL"])
async def test_a_duel_keeps_its_tiles_when_the_picture_cannot_be_drawn(
    table: Table, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    await upload(table)
    board = await playing(table)
    first, second = to_move(table, board)
    monkeypatch.setattr(messages, broken, None)
    board = await typed(first, board, number_of(table, second))
    board = await typed(second, board, WRONG[0])
    assert (pictures(board), len(rows(board))) == ([], 1)
    assert "has no picture" in caplog.text


async def test_a_duel_in_an_archived_thread_still_gets_its_picture(
    table: Table,
) -> None:
    await upload(table)
    board = await playing(table)
    first, second = to_move(table, board)
    await typed(first, board, number_of(table, second))
    await typed(second, board, WRONG[0])
    table.env.inject_error("PATCH", "/channels/*/messages/*", status=400, code=50083)
    assert len(pictures(board)) == 1
