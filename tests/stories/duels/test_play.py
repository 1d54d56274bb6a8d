"""Whole duels, each with the bot starting anew in the middle: modes, the bot itself."""

import re
from pathlib import Path

import pytest

from bot.duels.challenges import Challenge
from bot.duels.position import DuelOptions
from engine import Strength
from tests.support.duel_stories import (
    NUMBERS,
    WRONG,
    alone,
    challenge,
    form,
    number_of,
    pictures,
    press,
    to_move,
    typed,
    with_bot,
)
from tests.support.duels import number_of as drawn_number
from tests.support.screen import buttons, my_games, seen, text
from tests.support.sql import sql
from tests.support.table import Table


async def test_a_duel_in_equal_turns_is_played_to_a_win(table: Table) -> None:
    board = await challenge(table)
    ann, ben = table.ann.mention, table.ben.mention
    assert not board.ephemeral
    assert f"**{ann} challenges {ben}!**" in text(board)
    assert "-# 4 digits, all different\n" in text(board)
    assert "-# Rated. Ends <t:" in text(board)
    assert buttons(board) == ["Accept", "Decline", "More"]
    await table.restart()
    before = text(board)
    asked = await form(table.ben, board, "Accept")
    assert text(board) == before  # nothing has happened yet
    await table.restart()  # the form stays open
    board = seen(await table.ben.submit_modal(asked, {"number": "4 5 6 7"}))
    assert "⏳ Time runs out <t:" in text(board)
    assert buttons(board) == ["Guess", "Notebook", "How to play", "More"]
    first, second = to_move(table, board)
    assert "```" not in text(board)
    board = await typed(first, board, "0589")
    board = await typed(second, board, "0589")
    assert re.search(rf"{first.mention}\u2002{{9}}{second.mention}\n", text(board))
    assert "```\n 1 0589 1B0C  0589 1B0C\n```" in text(board)
    await table.restart()
    board = await typed(first, board, number_of(table, second))
    last = f"**{second.mention} has one guess left** to draw: {first.mention} has found"
    assert last in text(board)
    for number in NUMBERS:
        assert f"`{number}`" not in text(board)
    rare = ["Post the board again", "Is it fair?", "How to play"]
    assert buttons(await press(first, board, "More")) == rare  # nothing is left to decide
    assert buttons(await press(second, board, "More")) == ["Offer a draw", "Resign", *rare]
    board = await typed(second, board, WRONG[0])
    assert f"🏆 **{first.mention} wins**, in 2 guesses." in text(board)
    own, other = number_of(table, first), number_of(table, second)
    (told,) = pictures(board)
    revealed = f"rating 1508 (+8), hid {own}.", f"rating 1492 (−8), hid {other}."
    assert all(words in told for words in (*revealed, "Head to head: 1 – 0"))
    assert buttons(board) == ["Rematch", "Coach", "More"]


async def test_a_duel_with_the_bot_begins_at_once_and_its_terms_can_be_changed(
    table: Table,
) -> None:
    page = await with_bot(table)
    assert page.ephemeral
    assert "-# 4 digits, all different · casual bot" in text(page)
    assert buttons(page) == ["Set my number", "Other settings", "How to play", "More"]
    asked = await form(table.ann, page, "Other settings")
    await table.restart()
    choices = {"numbers": ["5r"], "mode": "classic", "strength": "perfect"}
    changed = seen(await table.ann.submit_modal(asked, choices))
    assert changed.id == page.id
    assert "-# 5 digits, repeats allowed · classic · perfect bot" in text(page)
    asked = await form(table.ann, page, "Other settings")
    page = await typed(table.ann, page, "11223", "Set my number")
    late = seen(await table.ann.submit_modal(asked, choices))
    assert "Your number is already set." in text(late)
    assert "Other settings" not in buttons(page)
    five = await press(table.ann, await alone(table.ann, table.channel, digits=5), "Play the bot")
    assert "-# 5 digits, all different · casual bot" in text(five)


def _not(number: str) -> str:
    return number[1:] + number[0]


@pytest.mark.parametrize("strength", ["casual", "perfect"])
async def test_a_duel_with_the_bot_is_played_to_the_end(
    table: Table, strength: str, tmp_path: Path
) -> None:
    page = await with_bot(table, strength=strength)
    assert page.ephemeral
    assert f"4 digits, all different · {strength} bot" in text(page)
    page = await typed(table.ann, page, NUMBERS[0], "Set my number")
    assert "Your own number: ||0123||" in text(page)
    await table.restart()
    ((bots_seat,),) = sql(tmp_path, "select seat from duel_seats where player_id is null")
    number = drawn_number(tmp_path, 1, bots_seat)
    page = await typed(table.ann, page, _not(number))
    assert "**Your turn.**" in text(
        page
    )  # the bot has guessed at once, so it is the player's turn again
    assert ("nobody can average fewer guesses" in text(page)) == (strength == "perfect")
    page = await typed(table.ann, page, number)
    assert f"🏆 **{table.ann.mention} wins**, in 2 guesses." in text(page)
    shared = seen(await table.ann.click(page, label="Share"))
    assert not shared.ephemeral
    assert f"🏆 **{table.ann.mention} wins**, in 2 guesses." in text(shared)
    again = text(seen(await table.ann.click(page, label="Share")))
    head = (
        "You've shared this here already.\nTo paste anywhere:\n```\n🏆 Bulls and Cows duel 2/30 · "
    )
    assert again.startswith(head)
    assert again.endswith(f"\n 2 {number} 4B0C\n```")
    bens = seen(await table.ben.click(shared, label="Try it"))
    assert bens.ephemeral
    assert "Sharp" in " ".join(buttons(bens))
    again = await press(table.ann, page, "Rematch")
    assert "Set my number" in buttons(again)
    assert again.id != page.id


async def test_a_duel_with_the_bot_is_played_in_direct_messages(
    table: Table, tmp_path: Path
) -> None:
    options = DuelOptions(5, strength=Strength.PERFECT)
    await table.services.duels.inviting.challenge(Challenge(table.ann.id, None), options)
    games = await my_games(table.ann.user)
    page = seen(await table.ann.user.click(games, label="Open"))
    ((bots_seat,),) = sql(tmp_path, "select seat from duel_seats where player_id is null")
    number = drawn_number(tmp_path, 1, bots_seat)
    shown = await table.ann.user.click(page, label="Set my number")
    page = seen(await table.ann.user.submit_modal(shown, {"number": "86420"}))
    assert "The bot plays the best strategy known." in text(page)
    await table.restart()
    shown = await table.ann.user.click(page, label="Guess")
    page = seen(await table.ann.user.submit_modal(shown, {"number": number}))
    assert f"hid the number {number}" in text(page) or number in text(page)
    again = seen(await table.ann.user.click(page, label="Rematch"))
    assert "Set my number" in buttons(again)
