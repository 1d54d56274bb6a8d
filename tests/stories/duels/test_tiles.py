"""Duels in tiles: what everybody sees while a duel goes on, through mistakes and a restart."""

import re

from simcord import ResponseMessage

from bot.app import CodebreakerBot
from tests.support.duel_stories import (
    NUMBERS,
    WRONG,
    challenge,
    number_of,
    playing,
    press,
    setting,
    to_move,
    typed,
)
from tests.support.screen import parts, text
from tests.support.table import Table

WAITING, PLAYING, WON = 0xF0B429, 0x5865F2, 0x3BA55D


async def upload(table: Table) -> None:
    """Let Discord have the tiles."""
    assert isinstance(table.env.bot, CodebreakerBot)
    await table.env.bot.upload_tiles()


def rows(board: ResponseMessage) -> list[str]:
    """The tiles of a board, by their names."""
    found = (re.findall(r"<:(\w\w):\d+>", line) for line in text(board).splitlines())
    return [" ".join(names) for names in found if len(names) > 2]


def colour(board: ResponseMessage) -> int:
    """The colour of a board's frame."""
    return next(part["accent_color"] for part in parts(board) if part["type"] == 17)


async def test_a_duel_in_tiles_goes_on_after_mistakes_and_a_restart(table: Table) -> None:
    await upload(table)
    board = await playing(table)
    first, second = to_move(table, board)
    assert rows(board) == []
    board = await typed(first, board, "0589")
    assert rows(board) == ["0u 5u 8u 9u 10"]
    await typed(second, board, "05")
    assert rows(board) == ["0u 5u 8u 9u 10"]
    watched = await press(table.world.members[2], board, "Guess")
    assert "watch as you like" in text(watched)
    await table.restart()
    await upload(table)
    board = await typed(second, board, "0589")
    assert rows(board) == ["0a 5a 8a 9a 10 0u 5u 8u 9u 10"]
    page = await press(second, board, "Notebook")
    assert rows(page) == rows(board)
    assert "B: right digit, right place" in text(board)
    board = await typed(first, board, number_of(table, second))
    found = " ".join(f"{digit}c" for digit in number_of(table, second))
    assert rows(board)[1] == f"{found} 40"
    board = await typed(second, board, WRONG[0])
    assert rows(board)[1].startswith(f"{found} 40 9u 8u 7u 6u")
    assert f"🏆 **{first.mention} wins**" in text(board)
    assert colour(board) == WON


async def test_the_colour_says_how_far_a_duel_is(table: Table) -> None:
    board = await challenge(table)
    assert colour(board) == WAITING
    board = await press(table.ben, board, "Accept")
    assert colour(board) == WAITING
    for who, number in zip((table.ann, table.ben), NUMBERS, strict=True):
        board = await typed(who, board, number, "Set my number")
    assert colour(board) == PLAYING


async def test_six_digits_stand_below_each_other(table: Table) -> None:
    await upload(table)
    board = await setting(table, digits=6)
    for who, number in zip((table.ann, table.ben), ("012345", "456789"), strict=True):
        board = await typed(who, board, number, "Set my number")
    first, second = to_move(table, board)
    board = await typed(first, board, "987654")
    board = await typed(second, board, "123450")
    assert [len(row.split()) for row in rows(board)] == [7, 7]
    assert rows(board)[1].startswith("1u 2u 3u 4u 5u 0u")
