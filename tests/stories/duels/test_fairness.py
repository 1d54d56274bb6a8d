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
    challenge_to_race,
    number_of,
    playing,
    press,
    setting,
    to_move,
    typed,
)
from tests.support.loose import post
from tests.support.screen import NOT_YOURS, buttons, seen, text
from tests.support.seals import Eavesdropper, checked, noted, sealed
from tests.support.sql import sql
from tests.support.table import Table


@pytest.fixture
def ears(table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Eavesdropper:
    return Eavesdropper(table, tmp_path, caplog)


def are_short(board: ResponseMessage, *seals: str) -> bool:
    """Whether a board shows how these seals begin, and no more of any."""
    return sealed(text(board)) == [seal[:8] for seal in seals]


async def test_both_numbers_are_sealed_when_they_are_set(table: Table, ears: Eavesdropper) -> None:
    board = await challenge(table)
    assert not sealed(text(board))
    board = await press(table.ben, board, "Accept")
    assert not sealed(text(board))
    assert "Verify" not in buttons(board)
    board = await typed(table.ben, board, NUMBERS[1], "Set my number")
    (of_ben,) = sealed(text(board))
    assert f"-# 🔏 {table.ben.mention}'s seal `{of_ben}`" in text(board)
    assert await noted(table.ann, board) == [of_ben]
    await table.restart()
    board = await typed(table.ann, board, NUMBERS[0], "Set my number")
    of_ann, also = sealed(text(board))  # the challenger's first
    assert also == of_ben
    for member in table.world.members:
        assert await noted(member, board) == [of_ann, of_ben]
    first, second = to_move(table, board)
    board = await typed(first, board, WRONG[0])
    assert are_short(board, of_ann, of_ben)
    await table.restart()
    board = await typed(second, board, WRONG[1])
    assert are_short(board, of_ann, of_ben)
    board = await typed(first, board, number_of(table, second))
    for member in table.world.members:
        assert await noted(member, board) == [of_ann, of_ben]
    assert not ears.heard()
    board = await typed(second, board, WRONG[2])
    for member in table.world.members:
        assert await checked(member, board, of_ann, of_ben) == [
            f"duel 1 challenger {NUMBERS[0]}",
            f"duel 1 opponent {NUMBERS[1]}",
        ]
    assert not ears.logged()


async def test_verify_says_whose_number_each_seal_is_of(table: Table) -> None:
    board = await setting(table)
    board = await typed(table.ben, board, NUMBERS[1], "Set my number")
    (of_ben,) = sealed(text(board))
    bens = f"**{table.ben.mention}'s seal**\n`{of_ben}`"
    assert bens in text(await press(table.ann, board, "Verify"))
    board = await typed(table.ann, board, NUMBERS[0], "Set my number")
    of_ann, _of_ben = sealed(text(board))
    anns = f"**{table.ann.mention}'s seal**\n`{of_ann}`"
    page = text(await press(table.world.members[2], board, "Verify"))
    assert page.index(anns) < page.index(bens)
    await press(table.ben, await press(table.ben, board, "Resign"), "Yes, resign")
    page = text(await press(table.ann, board, "Verify"))
    assert page.index(f"{table.ann.mention}'s seal") < page.index(NUMBERS[0])
    assert page.index(NUMBERS[0]) < page.index(f"{table.ben.mention}'s seal")


async def test_an_own_page_shows_how_the_seals_begin(table: Table, ears: Eavesdropper) -> None:
    board = await playing(table)
    seals = sealed(text(board))
    for who in (table.ann, table.ben):
        page = await press(who, board, "Notebook")
        assert are_short(page, *seals)
        assert await noted(who, page) == seals
    assert not ears.heard()
    first, second = to_move(table, board)
    board = await typed(first, board, number_of(table, second))
    await typed(second, board, WRONG[0])
    page = await press(table.ben, page, "Refresh")
    assert await checked(table.ben, page, *seals)


async def test_a_race_has_one_seal(table: Table, ears: Eavesdropper, tmp_path: Path) -> None:
    board = await challenge_to_race(table, tmp_path, pace="relaxed")
    assert not sealed(text(board))
    board = await press(table.ben, board, "Accept")
    (seal,) = sealed(text(board))
    assert await noted(table.ann, board) == [seal]
    ann = await press(table.ann, board, "Start")
    assert are_short(ann, seal)
    assert await noted(table.ann, ann) == [seal]
    ann = await typed(table.ann, ann, WRONG[0])
    assert sealed(text(board)) == [seal]  # whole, for Ben, who has not started
    ben = await press(table.ben, board, "Start")
    assert are_short(ben, seal)
    assert are_short(board, seal)
    await table.restart()
    ((number,),) = sql(tmp_path, "SELECT DISTINCT secret FROM duel_seats")
    await typed(table.ann, ann, number)
    assert not ears.heard()
    last = await typed(table.ben, ben, number)
    assert await checked(table.ben, last, seal) == [f"duel 1 {number}"]
    assert not ears.logged()


async def test_the_bots_number_is_sealed_before_the_players_is_set(
    table: Table, ears: Eavesdropper
) -> None:
    page = seen(await table.ann.slash(table.channel, "duel", strength="casual"))
    (bots,) = await noted(table.ann, page)
    assert are_short(page, bots)
    assert "**The bot's seal**" in text(await press(table.ann, page, "Verify"))
    page = await typed(table.ann, page, NUMBERS[0], "Set my number")
    own, also = await noted(table.ann, page)
    assert also == bots
    await table.restart()
    message = await post(table.world, button("verify:duel:1", "Verify"))
    assert text(seen(await table.ben.click(message, label="Verify"))) == NOT_YOURS
    assert not ears.heard()
    page = await press(table.ann, page, "Resign")
    page = await press(table.ann, page, "Yes, resign")
    if "seal" not in text(page):  # the question was answered in place of itself
        page = seen(await table.ann.slash(table.channel, "duel", strength="casual"))
    lines = await checked(table.ann, page, own, bots)
    assert lines[0] == f"duel 1 challenger {NUMBERS[0]}"
    assert re.fullmatch(r"duel 1 opponent \d{4}", lines[1])
    assert text(seen(await table.ben.click(message, label="Verify"))) == NOT_YOURS


async def test_a_duel_that_is_called_off_opens_nothing(table: Table, ears: Eavesdropper) -> None:
    board = await setting(table)
    board = await typed(table.ann, board, NUMBERS[0], "Set my number")
    (seal,) = sealed(text(board))
    message = await post(
        table.world, button("verify:duel:1", "Verify"), button("verify:duel:9", "Verify")
    )
    answer = seen(await table.ben.click(message, custom_id="verify:duel:1"))
    assert seal in text(answer)
    answer = seen(await table.ben.click(message, custom_id="verify:duel:9"))
    assert "is gone" in text(answer)
    await table.services.duels.playing.leave(table.ben.id, 1)
    answer = seen(await table.ben.click(message, custom_id="verify:duel:1"))
    assert "has no seal" in text(answer)
    assert not ears.heard()
