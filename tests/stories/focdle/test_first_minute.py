"""What a board tells somebody who has not played before, and no longer tells who has."""

from dataclasses import replace

import pytest
from simcord import ResponseMessage

from bot.presentation.base.tiles import Palette
from bot.presentation.focdle.board import board as board_of
from cogs.base.pages import button
from tests.support.loose import post
from tests.support.plays import TILES, a_play
from tests.support.screen import buttons, custom_ids, reach, seen, text
from tests.support.table import Table

LEGEND = "-# 🟩 in place, 🟡 elsewhere, ⬜ out"
WARM_UP = "Warm up with a short one"


async def test_a_first_board_says_what_marks_mean_and_offers_a_short_one(table: Table) -> None:
    board = await table.focdle(table.ann)
    assert LEGEND in text(board)
    short = seen(await table.ann.click(board, label=WARM_UP))
    assert short.id != board.id
    assert "FoCdle practice\n-# 7 symbols" in text(short)
    assert LEGEND in text(short)
    assert WARM_UP not in buttons(short)
    refused = await table.guess(table.ann, board, "1")
    assert buttons(refused) == ["Edit", "How to play", "More"]
    await table.restart()
    guessed = await table.guess(table.ann, refused, "12+34-5=41")
    assert buttons(guessed) == ["Guess", "Hint", "More"]


async def test_after_three_games_it_goes_without_saying(table: Table) -> None:
    for number in range(1, 4):
        board = seen(await table.ann.slash(table.channel, "practice", length=7))
        assert LEGEND in text(board)
        secret = (await table.services.daily.view(table.ann.id, number)).game.secret
        assert "Solved with the first guess" in text(await table.guess(table.ann, board, secret))
    board = await table.focdle(table.ann)
    assert LEGEND not in text(board)
    assert buttons(board) == ["Guess", "How to play", "More"]
    assert LEGEND in text(await table.focdle(table.ben))


async def length_of(table: Table, board: ResponseMessage, length: int) -> ResponseMessage:
    """Ann chooses the length of a practice."""
    (lengths,) = [each for each in custom_ids(board) if each.startswith("fd:length:")]
    return seen(await table.ann.select(board, [str(length)], custom_id=lengths))


async def test_an_untouched_practice_becomes_one_of_another_length(table: Table) -> None:
    board = seen(await table.ann.slash(table.channel, "practice"))
    for length in (8, 14, 14, 12):
        await table.restart()
        shown = await length_of(table, board, length)
        assert shown.id == board.id
        assert f"FoCdle practice\n-# {length} symbols" in text(shown)
    games = seen(await table.ann.slash(table.channel, "games"))
    assert text(games).count("FoCdle practice") == 1
    refused = await table.guess(table.ann, shown, "1+2=3")
    assert "It did not count." in text(refused)
    assert [each for each in custom_ids(refused) if each.startswith("fd:length:")]
    guessed = await table.guess(table.ann, refused, "12*34+56=464")
    assert "5 guesses left" in text(guessed)
    assert [each for each in custom_ids(guessed) if each.startswith("fd:length:")] == []


@pytest.mark.parametrize("palette", Palette)
@pytest.mark.parametrize("turns", [0, 3])
def test_the_legend_is_in_the_boards_own_tiles(palette: Palette, turns: int) -> None:
    play = replace(a_play(10, turns), palette=palette.value, is_learning=True)
    name = {Palette.STANDARD: "1c 2p 3a", Palette.SHAPES: "1s 2o 3x"}[palette]
    here, elsewhere, out = (TILES.markup[each] for each in name.split())
    legend = f"-# {here} in place, {elsewhere} elsewhere, {out} out"
    assert legend in board_of(play, TILES).status.splitlines()
    assert "elsewhere" not in board_of(replace(play, is_learning=False), TILES).status


async def test_hard_mode_is_chosen_on_the_board_before_the_first_guess(table: Table) -> None:
    board = await table.focdle(table.ann)
    hard = await reach(table.ann, board, "Hard mode on")
    assert hard.id == board.id
    assert "10 symbols · hard mode" in text(hard)
    eased = await reach(table.ann, hard, "Hard mode off")
    assert "hard mode" not in text(eased)
    stale = seen(await table.ann.click(eased, label="More"))
    older = await post(table.world, button("fd:hard:on:1", "Hard mode on"))
    assert "Hard mode on" in buttons(stale)
    begun = await table.guess(table.ann, stale, "12+34-5=41")
    assert "Hard mode on" not in buttons(seen(await table.ann.click(begun, label="More")))
    late = seen(await table.ann.click(older, label="Hard mode on"))
    assert "hard mode" not in text(late)
    assert not (await table.services.preferences.view(table.ann.id)).hard_mode
