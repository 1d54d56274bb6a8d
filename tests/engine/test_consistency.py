"""Consistency: which candidates the marks so far leave possible."""

from collections import Counter
from collections.abc import Iterable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    ContradictionError,
    EngineError,
    Focdle,
    Mark,
    Marks,
    Shown,
    Turn,
    is_consistent,
    mark,
)
from engine.feedback import check_consistent
from tests.engine.material import SYMBOLS, codes, small_games, tiny_games
from tests.support.effort import examples

SECRET = "25+4*12=73"
GUESSES = ["13+12-8=17", "72+31%6=73", "21+20*4=55", SECRET]


def scored(guesses: Iterable[str], secret: str) -> list[Turn[Marks]]:
    return [Turn(guess, mark(guess, secret)) for guess in guesses]


def obeys_the_assignment(candidate: str, turns: Iterable[Turn[Marks]]) -> bool:
    """The assignment's two kinds of restriction, applied to each turn for itself."""
    return all(fits_places(candidate, turn) and fits_counts(candidate, turn) for turn in turns)


def fits_places(candidate: str, turn: Turn[Marks]) -> bool:
    """A green symbol stays where it is; any other is not in that place."""
    return all(
        (symbol == guessed) == (m is Mark.CORRECT)
        for symbol, guessed, m in zip(candidate, turn.guess, turn.feedback, strict=True)
    )


def fits_counts(candidate: str, turn: Turn[Marks]) -> bool:
    """Each symbol as often as it was found; more often only if none of its copies was grey."""
    greys = turn.feedback.count(Mark.ABSENT)
    for symbol in SYMBOLS:
        marks = [m for s, m in zip(turn.guess, turn.feedback, strict=True) if s == symbol]
        grey = marks.count(Mark.ABSENT)
        least = len(marks) - grey
        most = least if grey else least + greys
        if not least <= candidate.count(symbol) <= most:
            return False
    return True


def meets_all_clues(candidate: str, turns: list[Turn[Marks]]) -> bool:
    try:
        check_consistent(candidate, turns)
    except ContradictionError:
        return False
    return True


@pytest.mark.parametrize(
    ("candidate", "guesses_made", "expected"),
    [
        ("13+12-8=17", 0, True),
        ("13+12-8=17", 1, False),
        ("72+31%6=73", 1, True),
        ("72+31%6=73", 2, False),
        ("21+20*4=55", 2, False),
        ("21+20*4=55", 3, False),
        (SECRET, 3, True),
        (SECRET, 4, True),
    ],
)
def test_the_assignments_example_of_consistency_passes_and_fails_as_stated(
    candidate: str, guesses_made: int, expected: bool
):
    turns = scored(GUESSES[:guesses_made], SECRET)
    assert is_consistent(Focdle(), candidate, turns) is expected
    assert obeys_the_assignment(candidate, turns) is expected


def test_consistency_is_what_the_original_assignment_says_on_every_string_of_three_symbols():
    strings = ["".join(symbols) for symbols in product("1+=", repeat=3)]
    verdicts: Counter[bool] = Counter()
    for secret, guess in product(strings, strings):
        turns = scored([guess], secret)
        for candidate in strings:
            verdict = is_consistent(Focdle(), candidate, turns)
            assert verdict == obeys_the_assignment(candidate, turns), (candidate, turns)
            assert verdict == meets_all_clues(candidate, turns), (candidate, turns)
            verdicts[verdict] += 1
    assert verdicts[True] > 27 * 27  # more than every secret with itself
    assert verdicts[False] > 27 * 27


@pytest.mark.parametrize("candidate", ["", SECRET[:-1], SECRET + "3"])
def test_a_candidate_of_another_length_is_never_consistent(candidate: str):
    assert not is_consistent(Focdle(), candidate, scored(GUESSES[:1], SECRET))


def test_every_candidate_is_consistent_before_the_first_guess():
    assert is_consistent(Focdle(), "13+12-8=17", [])


@examples(25, 1000)
@given(st.data())
def test_in_any_kind_of_game_a_candidate_is_consistent_exactly_if_it_gives_the_same_answers(
    data: st.DataObject,
):
    rules = data.draw(tiny_games)
    secret = data.draw(codes(rules))
    guesses = data.draw(st.lists(codes(rules), max_size=3))
    turns = [Turn(guess, rules.feedback(guess, secret)) for guess in guesses]
    possible = [code for code in rules.codes() if is_consistent(rules, code, turns)]
    assert secret in possible
    for code in rules.codes():
        answers = [rules.feedback(guess, code) for guess in guesses]
        assert (code in possible) == (answers == [turn.feedback for turn in turns])


@examples(25, 1000)
@given(st.data())
def test_a_code_of_another_length_is_consistent_with_no_score(data: st.DataObject):
    rules = data.draw(small_games)
    guess = data.draw(codes(rules))
    turns = [Turn(guess, rules.feedback(guess, guess))]
    assert not is_consistent(rules, guess + guess[:1], turns)
    assert not is_consistent(rules, guess[1:], turns)


@pytest.mark.parametrize("fact", [Shown(5, "3"), Turn("12345", (Mark.ABSENT,) * 5)])
def test_a_code_too_short_for_a_clue_is_refused_as_such(fact: Turn[Marks] | Shown) -> None:
    with pytest.raises(EngineError, match="A guess of 2 symbols"):
        check_consistent("12", [fact])
