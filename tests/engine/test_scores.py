"""Scores: how many symbols of a guess are right, and how many only misplaced."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BullsAndCows, EngineError, Mark, Mastermind, Score, mark, score
from tests.support.effort import examples

# Few symbols make many copies, and copies are where scores go wrong.
columns = st.sampled_from(["RO", "ROY", "0123456789"]).flatmap(
    lambda symbols: st.lists(
        st.tuples(st.sampled_from(symbols), st.sampled_from(symbols)), max_size=12
    )
)
pairs = columns.map(lambda both: ("".join(g for g, _ in both), "".join(s for _, s in both)))


def score_by_removal(guess: str, secret: str) -> tuple[int, int]:
    """Take away what matches, as two people with real pegs would."""
    left, right = list(guess), list(secret)
    bulls = cows = 0
    for place in reversed(range(len(left))):
        if left[place] == right[place]:
            del left[place], right[place]
            bulls += 1
    for symbol in left:
        if symbol in right:
            right.remove(symbol)
            cows += 1
    return bulls, cows


@examples(75, 3000)
@given(pairs)
def test_scores_agree_with_removing_matching_symbols_one_by_one(pair: tuple[str, str]):
    assert score(*pair) == score_by_removal(*pair)


@examples(25, 1000)
@given(pairs)
def test_a_score_counts_the_correct_and_the_misplaced_marks(pair: tuple[str, str]):
    marks = mark(*pair)
    assert score(*pair) == (marks.count(Mark.CORRECT), marks.count(Mark.PRESENT))


@pytest.mark.parametrize(("guess", "secret"), [("", "1"), ("1", ""), ("123", "1234")])
def test_strings_of_different_lengths_cannot_be_scored(guess: str, secret: str):
    with pytest.raises(EngineError):
        score(guess, secret)


def test_mastermind_and_bulls_and_cows_score_alike():
    rules = BullsAndCows()
    guess, secret = rules.parse("4312"), rules.parse("4325")
    assert rules.feedback(guess, secret) == Score(2, 1)
    assert Mastermind().feedback(guess, secret) == Score(2, 1)
