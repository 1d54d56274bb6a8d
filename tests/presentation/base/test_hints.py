"""What hints cost and tell, in words."""

from dataclasses import replace

import pytest

from bot.model.hints import Hint, HintKind
from bot.presentation.base.hints import mastermind_question, no_more_hints, play_question
from bot.services.mastermind.model import Kind
from engine import Mastermind
from tests.support.mastermind_boards import a_game
from tests.support.plays import a_play

COUNTS = tuple(Hint(turn, HintKind.COUNT, "9") for turn in (1, 2, 3))
SUGGESTION = Hint(1, HintKind.SUGGESTION, "12+34-5=41")


@pytest.mark.parametrize(
    ("rules", "is_counted"),
    [
        (Mastermind(), True),  # what leaderboards count
        (Mastermind(repeats=False), False),
        (Mastermind(pegs=5), False),
        (Mastermind(colours=8), False),
        (Mastermind(max_guesses=10), False),
    ],
    ids=str,
)
def test_a_hint_counts_as_a_guess_where_boards_count(rules: Mastermind, is_counted: bool) -> None:
    words = mastermind_question(replace(a_game(Kind.PLAY, rules, 1), is_ranked=is_counted))
    assert ("On the leaderboard a hint counts as a guess" in words) is is_counted
    assert ("no points to lose" in words) is not is_counted


@pytest.mark.parametrize(
    ("taken", "words"),
    [
        (0, "a point: 2 instead of 3"),
        (1, "another point: 1 instead of 2"),
        (2, "no point any"),
    ],
)
def test_a_second_hint_is_priced_without_the_rest(taken: int, words: str) -> None:
    question = play_question(replace(a_play(10, 3, on_date=True), hints=COUNTS[:taken]))
    assert words in question
    assert ("streak" in question) is (taken == 0)


@pytest.mark.parametrize("turns", [1, 5])  # while it costs a point, and when it costs none
def test_the_whole_price_of_a_daily_is_told(turns: int) -> None:
    words = play_question(a_play(10, turns, on_date=True))
    assert ("costs a point" in words) is (turns == 1)
    assert "your streak stays, and today adds no day to it" in words


def test_hints_are_only_promised_while_there_are_any() -> None:
    assert "before your next guess" in no_more_hints(())
    assert "before your next guess" in no_more_hints(COUNTS)
    assert "before your next guess" in no_more_hints((*COUNTS[:2], SUGGESTION))
    assert "all the hints of this game" in no_more_hints((*COUNTS, SUGGESTION))
