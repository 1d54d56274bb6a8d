"""What a board tells somebody who has not played before, and no longer tells who has."""

import random
from dataclasses import replace

import pytest
from simcord import ResponseMessage

from bot.focdle.words import board as board_of
from bot.people.model import Choices
from bot.text.tiles import Palette
from cogs.ui.pages import button
from engine import Code, Focdle
from tests.support.loose import post
from tests.support.plays import TILES, a_play
from tests.support.screen import buttons, custom_ids, my_games, reach, seen, text
from tests.support.table import SECRET, Table

WARM_UP = "Warm up"


async def test_a_newcomers_first_board_has_one_sentence_and_three_buttons(table: Table) -> None:
    board = await table.focdle(table.ann)
    assert "\nFind the hidden equation: " in text(board)
    assert buttons(board) == ["Guess", "How to play", "More"]
    refused = await table.guess(table.ann, board, "1")
    assert buttons(refused) == ["Edit", "How to play", "More"]
    await table.restart()
    guessed = await table.guess(table.ann, refused, "12+34-5=41")
    assert buttons(guessed) == ["Guess", "Hint: −1 point", "More"]


def never_guessed(_rules: Focdle, _dice: random.Random) -> Code:
    """A secret of length 7 that is none of the guesses below by chance."""
    return "5+1-2=4"


async def test_the_warm_up_is_offered_and_guides_a_newcomer_step_by_step(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = seen(await table.ann.click(await table.focdle(table.ann), label="How to play"))
    monkeypatch.setattr(Focdle, "draw", never_guessed)
    board = seen(await table.ann.click(page, label=WARM_UP))
    assert "FoCdle practice\n-# 7 symbols" in text(board)
    assert "Press *Guess* and type any true equation, say `5+1-2=4`." in text(board)
    assert buttons(board) == ["Guess", "How to play", "More"]
    told = list[str]()
    for number in range(1, 6):
        board = await table.guess(table.ann, board, f"{number}+2+1={number + 3}")
        told.append(text(board))
    sentences = ("Green is in place: ", "Yellow belongs elsewhere: ", "Grey is out: ")
    guided = [any(each in words for each in sentences) for words in told[:3]]
    assert guided == [True] * 3
    assert "2 guesses left." in told[3]
    assert "**Last guess.**" in told[4]


async def test_a_player_with_a_finished_game_gets_no_guidance(table: Table) -> None:
    await table.focdle(table.ann, guess=SECRET)
    board = seen(await table.ann.slash(table.channel, "practice", length=7))
    assert "any true" not in text(board)
    assert WARM_UP not in buttons(seen(await table.ann.slash(table.channel, "play")))
    assert WARM_UP in buttons(seen(await table.ben.slash(table.channel, "play")))


async def length_of(table: Table, board: ResponseMessage, length: int) -> ResponseMessage:
    """Ann chooses the length of a practice."""
    (lengths,) = [each for each in custom_ids(board) if each.startswith("fd:length:")]
    return seen(await table.ann.select(board, [str(length)], custom_id=lengths))


async def test_an_untouched_practice_can_change_its_length(table: Table) -> None:
    board = seen(await table.ann.slash(table.channel, "practice"))
    for length in (8, 14, 14, 12):
        await table.restart()
        shown = await length_of(table, board, length)
        assert shown.id == board.id
        assert f"FoCdle practice\n-# {length} symbols" in text(shown)
    games = await my_games(table.ann, table.channel)
    assert text(games).count("FoCdle practice") == 1
    refused = await table.guess(table.ann, shown, "1+2=3")
    assert "No guess was spent." in text(refused)
    assert [each for each in custom_ids(refused) if each.startswith("fd:length:")]
    guessed = await table.guess(table.ann, refused, "12*34+56=464")
    assert "5 guesses left" in text(guessed)
    assert [each for each in custom_ids(guessed) if each.startswith("fd:length:")] == []


@pytest.mark.parametrize("palette", Palette)
@pytest.mark.parametrize("turns", [1, 3])
def test_the_legend_uses_the_tiles_of_marks(palette: Palette, turns: int) -> None:
    play = replace(a_play(10, turns), is_learning=True)
    play = replace(play, choices=Choices(palette=palette.value))
    name = {Palette.STANDARD: "bc bp ba", Palette.SHAPES: "bs bo bx"}[palette]
    here, elsewhere, out = (TILES.markup[each] for each in name.split())
    legend = f"-# {here} in place, {elsewhere} elsewhere, {out} out"
    assert legend in board_of(play, TILES).status.splitlines()
    assert "elsewhere" not in board_of(replace(play, is_learning=False), TILES).status


async def test_hard_mode_is_chosen_on_the_board_before_the_first_guess(table: Table) -> None:
    await table.focdle(table.ann, guess=SECRET)
    board = await table.focdle(table.ann, puzzle="300")
    hard = await reach(table.ann, board, "Turn on hard mode")
    assert hard.id == board.id
    assert " · hard mode\n" in text(hard)
    eased = await reach(table.ann, hard, "Turn off hard mode")
    assert "hard mode" not in text(eased)
    stale = seen(await table.ann.click(eased, label="More"))
    older = await post(table.world, button("fd:hard:on:2", "Turn on hard mode"))
    assert "Turn on hard mode" in buttons(stale)
    begun = await table.guess(table.ann, stale, "12+34-5=41")
    assert "Turn on hard mode" not in buttons(seen(await table.ann.click(begun, label="More")))
    late = seen(await table.ann.click(older, label="Turn on hard mode"))
    assert "hard mode" not in text(late)
    assert not (await table.services.preferences.view(table.ann.id)).hard_mode
