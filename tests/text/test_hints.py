"""What hints cost and tell, in words."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.focdle.words import board, form_reminder, picture_description
from bot.focdle.words import hint_button as play_button
from bot.games.model import Hint
from bot.games.words import shown_row
from bot.mastermind.board_words import play_board
from bot.mastermind.model import Kind
from bot.text.tiles import PLAIN
from engine import Mastermind, Shown
from tests.support.mastermind_boards import a_game
from tests.support.plays import a_play

SYMBOLS = (Hint(1, 3, "4"), Hint(1, 1, "5"))


@pytest.mark.parametrize(
    ("turns", "taken", "label"),
    [(1, 0, "Hint: −1 point"), (5, 0, "Hint: −1 point"), (5, 1, "Hint"), (4, 1, "Hint: −1 point")],
)
def test_the_hint_button_of_a_daily_names_its_price_only_while_a_hint_costs_a_point(
    turns: int, taken: int, label: str
) -> None:
    play = replace(a_play(10, turns, on_date=True), hints=SYMBOLS[:taken])
    assert play_button(play) == label
    assert play_button(replace(play, seen_at=play.seen_at + timedelta(days=1))) == "Hint"


def test_each_shown_symbol_stands_in_its_place() -> None:
    assert shown_row([Shown(3, "4"), Shown(1, "5")], 10) == "`·5·4······`"


def test_a_board_shows_hints_only_during_the_game() -> None:
    play = replace(a_play(10, 1), hints=SYMBOLS)
    row = "💡 `·5·4······`"
    assert row in board(play).rows
    assert row in form_reminder(play)
    assert picture_description(play).endswith("hint: 4 in place 4\nhint: 5 in place 2")
    game = replace(a_game(Kind.PLAY, Mastermind(), 1), hints=(Hint(1, 2, "G"),))
    assert "💡\u2002▫️▫️🟢▫️" in play_board(game, PLAIN).texts[1]
