"""Seals of duels: of both numbers, of the one of a race, and of the bot's."""

import re
from pathlib import Path

import pytest
from simcord import ResponseMessage

from cogs.base.pages import button
from tests.support.duel_stories import (
    NUMBERS,
    WRONG,
    challenge,
    number_of,
    press,
    setting,
    to_move,
    typed,
)
from tests.support.loose import post
from tests.support.screen import buttons, seen, text
from tests.support.seals import Eavesdropper, opened, sealed, verify, without_salt
from tests.support.sql import sql
from tests.support.table import Table


@pytest.fixture
def ears(table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Eavesdropper:
    return Eavesdropper(table, tmp_path, caplog)


async def test_both_numbers_are_sealed_when_they_are_set(table: Table, ears: Eavesdropper) -> None:
    board = await challenge(table)
    assert not sealed(text(board))
    board = await press(table.ben, board, "Accept")
    assert not sealed(text(board))
    board = await typed(table.ben, board, NUMBERS[1], "Set my number")
    (of_ben,) = sealed(text(board))
    assert f"-# 🔏 Seal of {table.ben.mention}'s number `{of_ben}`" in text(board)
    await table.restart()
    board = await typed(table.ann, board, NUMBERS[0], "Set my number")
    of_ann, also = sealed(text(board))  # the challenger's first
    assert also == of_ben
    page = seen(await table.ann.click(board, label="Notebook"))
    assert sealed(text(page)) == [of_ann, of_ben]
    first, second = to_move(table, board)
    board = await typed(first, board, WRONG[0])
    await table.restart()
    board = await typed(second, board, WRONG[1])
    assert sealed(text(board)) == [of_ann, of_ben]
    board = await typed(first, board, number_of(table, second))
    assert not ears.heard()
    assert "Verify" not in buttons(board)
    board = await typed(second, board, WRONG[2])
    assert opened(text(board), of_ann, of_ben) == [
        f"duel 1 challenger {NUMBERS[0]}",
        f"duel 1 opponent {NUMBERS[1]}",
    ]
    for member in table.world.members:
        found = await verify(member, board)
        assert [digest[:40] for _line, digest in found] == [of_ann, of_ben]
    assert not ears.logged()


async def test_a_race_has_one_seal(table: Table, ears: Eavesdropper, tmp_path: Path) -> None:
    board = await challenge(table, mode="race", pace="relaxed")
    assert not sealed(text(board))
    board = await press(table.ben, board, "Accept")
    (seal,) = sealed(text(board))
    pages: list[ResponseMessage] = []
    for who in (table.ann, table.ben):
        page = await press(who, board, "Start")
        pages.append(page)
        assert sealed(text(page)) == [seal]
    await table.restart()
    ((number,),) = sql(tmp_path, "SELECT DISTINCT secret FROM duel_seats")
    await typed(table.ann, pages[0], number)
    assert not ears.heard()
    last = await typed(table.ben, pages[1], number)
    assert opened(text(last), seal) == [f"duel 1 {number}"]
    ((line, _digest),) = await verify(table.ben, last)
    assert without_salt(line) == f"duel 1 {number}"
    assert not ears.logged()


async def test_the_bots_number_is_sealed_before_the_players_is_set(
    table: Table, ears: Eavesdropper
) -> None:
    page = seen(await table.ann.slash(table.channel, "duel", strength="casual"))
    (bots,) = sealed(text(page))
    page = await typed(table.ann, page, NUMBERS[0], "Set my number")
    own, also = sealed(text(page))
    assert also == bots
    await table.restart()
    assert not ears.heard()
    page = await press(table.ann, page, "Resign")
    page = await press(table.ann, page, "Yes, resign")
    if "seal" not in text(page):  # the question was answered in place of itself
        page = seen(await table.ann.slash(table.channel, "duel", strength="casual"))
    lines = opened(text(page), own, bots)
    assert lines[0] == f"duel 1 challenger {NUMBERS[0]}"
    assert re.fullmatch(r"duel 1 opponent \d{4}", lines[1])
    await verify(table.ann, page)
    message = await post(table.world, button("verify:duel:1", "Verify"))
    assert table.ann.mention in text(seen(await table.ben.click(message, label="Verify")))


async def test_a_duel_that_is_called_off_opens_nothing(table: Table, ears: Eavesdropper) -> None:
    board = await setting(table)
    board = await typed(table.ann, board, NUMBERS[0], "Set my number")
    message = await post(
        table.world, button("verify:duel:1", "Verify"), button("verify:duel:9", "Verify")
    )
    answer = seen(await table.ben.click(message, custom_id="verify:duel:1"))
    assert "when the game is over" in text(answer)
    answer = seen(await table.ben.click(message, custom_id="verify:duel:9"))
    assert "no longer stored" in text(answer)
    await table.services.duels.playing.leave(table.ben.id, 1)
    answer = seen(await table.ben.click(message, custom_id="verify:duel:1"))
    assert "has no seal" in text(answer)
    assert not ears.heard()
