"""Seals of duels: of both numbers, and of the bot's."""

import re
from pathlib import Path

import pytest
from simcord import MemberActor, ResponseMessage

from cogs.ui.pages import button
from tests.support.duel_stories import (
    NUMBERS,
    WRONG,
    accept,
    challenge,
    more,
    number_of,
    press,
    resign,
    to_move,
    typed,
    with_bot,
)
from tests.support.loose import post
from tests.support.screen import NOT_YOURS, buttons, seen, text
from tests.support.seals import Eavesdropper, carries_digits, checked, noted
from tests.support.table import Table


@pytest.fixture
def ears(table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Eavesdropper:
    return Eavesdropper(table, tmp_path, caplog)


async def noted_of(who: MemberActor, message: ResponseMessage) -> list[str]:
    """The seals that *Is it fair?* shows behind *More*."""
    return await noted(who, await press(who, message, "More"))


async def checked_of(who: MemberActor, message: ResponseMessage, *seals: str) -> list[str]:
    """What was hashed, as *Is it fair?* shows it behind *More*."""
    return await checked(who, await press(who, message, "More"), *seals)


async def test_both_numbers_are_sealed_when_they_are_set(table: Table, ears: Eavesdropper) -> None:
    board = await challenge(table)
    assert not carries_digits(text(board))
    assert "Is it fair?" not in buttons(board)
    (of_ann,) = await noted_of(table.ben, board)
    await table.restart()
    board = await accept(table.ben, board)
    also, of_ben = await noted_of(table.ann, board)  # the challenger's first
    assert also == of_ann
    assert not carries_digits(text(board))
    for member in table.world.members:
        assert await noted_of(member, board) == [of_ann, of_ben]
    first, second = to_move(table, board)
    board = await typed(first, board, WRONG[0])
    assert not carries_digits(text(board))
    await table.restart()
    board = await typed(second, board, WRONG[1])
    assert not carries_digits(text(board))
    board = await typed(first, board, number_of(table, second))
    for member in table.world.members:
        assert await noted_of(member, board) == [of_ann, of_ben]
    assert not ears.heard()
    board = await typed(second, board, WRONG[2])
    for member in table.world.members:
        assert await checked_of(member, board, of_ann, of_ben) == [
            f"duel 1 challenger {NUMBERS[0]}",
            f"duel 1 opponent {NUMBERS[1]}",
        ]
    assert not ears.logged()


async def test_the_verify_page_says_whose_number_each_seal_covers(table: Table) -> None:
    board = await challenge(table)
    (of_ann,) = await noted_of(table.ben, board)
    anns = f"**{table.ann.mention}'s seal**\n`{of_ann}`"
    assert anns in text(await more(table.ann, board, "Is it fair?"))
    board = await accept(table.ben, board)
    _of_ann, of_ben = await noted_of(table.ann, board)
    bens = f"**{table.ben.mention}'s seal**\n`{of_ben}`"
    page = text(await more(table.world.members[2], board, "Is it fair?"))
    assert page.index(anns) < page.index(bens)
    first, _ = to_move(table, board)
    await typed(first, board, WRONG[0])
    await resign(table.ben, board)
    page = text(await more(table.ann, board, "Is it fair?"))
    assert page.index(f"{table.ann.mention}'s seal") < page.index(NUMBERS[0])
    assert page.index(NUMBERS[0]) < page.index(f"{table.ben.mention}'s seal")


async def test_the_bots_number_is_sealed_before_the_player_sets_a_number(
    table: Table, ears: Eavesdropper
) -> None:
    page = await with_bot(table)
    (bots,) = await noted_of(table.ann, page)
    assert "**The bot's seal**" in text(await more(table.ann, page, "Is it fair?"))
    page = await typed(table.ann, page, NUMBERS[0], "Set my number")
    own, also = await noted_of(table.ann, page)
    assert also == bots
    await table.restart()
    message = await post(table.world, button("verify:duel:1", "Is it fair?"))
    assert text(seen(await table.ben.click(message, label="Is it fair?"))) == NOT_YOURS
    assert not ears.heard()
    page = await typed(table.ann, page, WRONG[0])
    page = await resign(table.ann, page)
    lines = await checked_of(table.ann, page, own, bots)
    assert lines[0] == f"duel 1 challenger {NUMBERS[0]}"
    assert re.fullmatch(r"duel 1 opponent \d{4}", lines[1])
    assert text(seen(await table.ben.click(message, label="Is it fair?"))) == NOT_YOURS
