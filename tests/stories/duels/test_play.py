"""Whole duels, each with the bot starting anew in the middle: modes, paces, the bot itself."""

from pathlib import Path

import pytest
from simcord import ResponseMessage

from bot.duels.challenges import Challenge
from bot.duels.position import Options
from engine import Mode, Strength
from tests.support.duel_stories import (
    NUMBERS,
    WRONG,
    accept,
    challenge,
    challenge_to_race,
    form,
    number_of,
    press,
    resign,
    to_move,
    typed,
    with_bot,
)
from tests.support.duels import number_of as drawn_number
from tests.support.duels import tells
from tests.support.screen import buttons, my_games, seen, text
from tests.support.sql import sql
from tests.support.table import Table

PACES = ["live", "relaxed"]


@pytest.mark.parametrize("pace", PACES)
async def test_a_duel_in_equal_turns_is_played_to_a_win(table: Table, pace: str) -> None:
    board = await challenge(table)
    ann, ben = table.ann.mention, table.ben.mention
    assert not board.ephemeral
    assert f"**{ann} challenges {ben}!**" in text(board)
    assert "-# 4 digits, all different · equal turns\n" in text(board)
    accepts = {"live": "Accept: now", "relaxed": "Accept: a move a day"}
    assert buttons(board) == [*accepts.values(), "Decline", "Change", "How to play", "More"]
    await table.restart()
    asked = await form(table.ben, board, accepts[pace])
    turn = {"live": "2 minutes a turn", "relaxed": "24 hours a turn"}[pace]
    assert f"4 digits, all different · equal turns · {turn} · rated" in text(board)
    assert f"✅ {ann} is ready.\n⏳ {ben} is choosing" in text(board)
    assert buttons(board) == ["Set my number", "How to play", "More"]
    await table.restart()  # the form stays open
    board = seen(await table.ben.submit_modal(asked, {"number": "4 5 6 7"}))
    if pace == "live":
        assert f"**Both numbers are set.** {ann}, press **Start**" in text(board)
        assert buttons(board) == ["Start", "How to play", "More"]
        await table.restart()
        assert text(await press(table.ben, board, "Start")) == f"{ann} has yet to press **Start**."
        board = await press(table.ann, board, "Start")
    assert buttons(board) == ["Guess", "Notebook", "How to play", "More"]
    first, second = to_move(table, board)
    assert "←" not in text(board)
    board = await typed(first, board, "0589")
    board = await typed(second, board, "0589")
    assert f"← {first.mention} · {second.mention} →\n" in text(board)
    assert "```\n 1 0589 1B0C  0589 1B0C\n```" in text(board)
    await table.restart()
    board = await typed(first, board, number_of(table, second))
    last = f"**{second.mention} has one guess left**, for a draw: {first.mention} has found"
    assert last in text(board)
    for number in NUMBERS:
        assert f"`{number}`" not in text(board)
    board = await typed(second, board, WRONG[0])
    assert f"🏆 **{first.mention} wins**, in 2 guesses." in text(board)
    own, other = number_of(table, first), number_of(table, second)
    revealed = f"{first.mention}'s number was `{own}`, {second.mention}'s was `{other}`."
    assert revealed in text(board)
    assert f"{first.mention}: 1500 → **1508**" in text(board)
    assert f"{second.mention}: 1500 → **1492**" in text(board)
    assert f"Head to head: {first.mention} 1 – 0 {second.mention}" in text(board)
    assert buttons(board) == ["Rematch", "Coach", "More"]


async def test_a_duel_with_the_bot_begins_at_once_and_its_terms_can_be_changed(
    table: Table,
) -> None:
    page = await with_bot(table)
    assert page.ephemeral
    assert "-# 4 digits, all different · equal turns · casual bot" in text(page)
    assert buttons(page) == ["Set my number", "Change", "How to play", "More"]
    asked = await form(table.ann, page, "Change")
    await table.restart()
    choices = {"numbers": ["5r"], "mode": "classic", "strength": "perfect"}
    changed = seen(await table.ann.submit_modal(asked, choices))
    assert changed.id == page.id
    assert "-# 5 digits, repeats allowed · classic · perfect bot" in text(page)
    asked = await form(table.ann, page, "Change")
    page = await typed(table.ann, page, "11223", "Set my number")
    late = seen(await table.ann.submit_modal(asked, choices))
    assert "Your number is set already." in text(late)
    assert "Change" not in buttons(page)
    five = seen(await table.ann.slash(table.channel, "duel", digits=5))
    assert "-# 5 digits, all different · equal turns · casual bot" in text(five)


async def both_start(
    table: Table, folder: Path, pace: str
) -> tuple[ResponseMessage, list[ResponseMessage]]:
    """A race; the board, and the pages of Ann and of Ben."""
    board = await accept(table.ben, await challenge_to_race(table, folder, pace=pace))
    assert "**The race is on.**" in text(board)
    assert buttons(board) == ["Start", "My page", "More"]
    pages = [await press(who, board, "Start") for who in (table.ann, table.ben)]
    assert all(page.ephemeral for page in pages)
    return board, pages


@pytest.mark.parametrize("pace", PACES)
async def test_a_race_is_played_on_private_pages(table: Table, pace: str, tmp_path: Path) -> None:
    board, (anns, bens) = await both_start(table, tmp_path, pace)
    number = drawn_number(tmp_path, 1)
    ann, ben = table.ann.mention, table.ben.mention
    assert f"🏃 {ann} is racing.\n🏃 {ben} is racing." in text(board)
    before = text(board)
    anns = await typed(table.ann, anns, _not(number))
    assert f" 1 {_not(number)} " in text(anns)
    # What only this page tells stands above what she has guessed.
    assert text(anns).index("numbers are still possible.") < text(anns).index(_not(number))
    await table.restart()
    assert text(board) == before
    anns = await typed(table.ann, anns, number)
    assert "**You have finished**, in 2 guesses." in text(anns)
    is_told = f"🏁 {ann} has finished." in text(board)
    assert is_told == (pace == "relaxed")
    assert not tells(text(board), number)
    await table.restart()
    bens = await typed(table.ben, bens, number)
    assert f"🏆 **{ben} wins** with the very first guess!" in text(board)
    assert f"The number was `{number}`." in text(board)
    assert f"🏆 **{ben} wins**" in text(bens)


async def test_the_faster_player_wins_a_live_race_tied_in_guesses(
    table: Table, tmp_path: Path
) -> None:
    board = await accept(table.ben, await challenge_to_race(table, tmp_path))
    number = drawn_number(tmp_path, 1)
    anns = await press(table.ann, board, "Start")
    table.clock.advance(seconds=70)
    anns = await typed(table.ann, anns, number)
    assert "**You have finished**, in 1 guess. " in text(anns)
    bens = await press(table.ben, board, "Start")
    table.clock.advance(seconds=5)
    await typed(table.ben, bens, number)
    ben = table.ben.mention
    assert (f"🏆 **{ben} wins** by less time, 0:05 min to 1:10 min: both needed 1 guess.") in text(
        board
    )


async def test_a_rematch_of_a_race_is_a_duel_in_equal_turns(table: Table, tmp_path: Path) -> None:
    board = await challenge_to_race(table, tmp_path)
    await table.restart()
    board = await accept(table.ben, board)
    await resign(table.ann, board)
    again = await typed(table.ann, board, NUMBERS[0], "Rematch")
    assert "· equal turns\n" in text(again)
    assert "Set my number" in buttons(await accept(table.ben, again))


def _not(number: str) -> str:
    return number[1:] + number[0]


@pytest.mark.parametrize("strength", ["casual", "perfect"])
async def test_a_duel_with_the_bot_is_played_to_the_end(
    table: Table, strength: str, tmp_path: Path
) -> None:
    page = await with_bot(table, strength=strength)
    assert page.ephemeral
    assert f"4 digits, all different · equal turns · {strength} bot" in text(page)
    page = await typed(table.ann, page, NUMBERS[0], "Set my number")
    assert "Your own number: ||0123||" in text(page)
    await table.restart()
    ((bots_seat,),) = sql(tmp_path, "select seat from duel_seats where player_id is null")
    number = drawn_number(tmp_path, 1, bots_seat)
    page = await typed(table.ann, page, _not(number))
    assert "**<@" in text(page)  # the bot has guessed at once, so it is the player's turn again
    assert ("nobody needs fewer guesses" in text(page)) == (strength == "perfect")
    page = await typed(table.ann, page, number)
    assert f"🏆 **{table.ann.mention} wins**, in 2 guesses." in text(page)
    shared = seen(await table.ann.click(page, label="Share"))
    assert not shared.ephemeral
    assert f"🏆 **{table.ann.mention} wins**, in 2 guesses." in text(shared)
    bens = seen(await table.ben.click(shared, label="Try it"))
    assert bens.ephemeral
    assert "Sharp" in " ".join(buttons(bens))
    again = await press(table.ann, page, "Rematch")
    assert "Set my number" in buttons(again)
    assert again.id != page.id


async def test_a_race_with_the_bot_is_played_in_direct_messages(
    table: Table, tmp_path: Path
) -> None:
    options = Options(5, mode=Mode.RACE, strength=Strength.PERFECT)
    await table.services.duels.inviting.challenge(Challenge(table.ann.id, None), options)
    games = await my_games(table.ann.user)
    page = seen(await table.ann.user.click(games, label="Open"))
    number = "86420"  # a drawn one might be what the bot guesses first
    sql(tmp_path, f"update duel_seats set secret = {number}")
    page = seen(await table.ann.user.click(page, label="Start"))
    shown = await table.ann.user.click(page, label="Guess")
    page = seen(await table.ann.user.submit_modal(shown, {"number": _not(number)}))
    assert "No way of guessing is proven best;" in text(page)
    await table.restart()
    shown = await table.ann.user.click(page, label="Guess")
    page = seen(await table.ann.user.submit_modal(shown, {"number": number}))
    assert "wins**, in 2 guesses." in text(page)
    again = seen(await table.ann.user.click(page, label="Rematch"))
    assert "· equal turns ·" in text(again)
    assert "Set my number" in buttons(again)
