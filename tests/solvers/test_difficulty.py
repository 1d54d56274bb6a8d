"""Difficulty: the expectation played out in every way, and golden values."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random

import pytest

from engine import Code, Focdle, ForeignGuessError, is_consistent, mark
from engine.levels import Difficulty, Level
from engine.solvers import difficulty
from engine.solvers.focdle.difficulty import ONE, OPENINGS, after_openings
from tests.engine.material import LENGTHS
from tests.solvers.material import answered, as_codes, draws, secrets_as_array
from tests.support.effort import either

GOLDEN = {
    "1%2+5=6": 356,
    "8-2*3=2": 319,
    "4*2%9=8": 312,
    "4-49%4=3": 392,
    "8*76%6=2": 398,
    "4%52%3=1": 462,
    "67-7-8=52": 370,
    "49%47%80=2": 438,
    "36*28%20=8": 402,
    "32*3+78=174": 392,
    "62%77+75=137": 413,
    "54+26*94=2498": 356,
    "21*72*58=87696": 302,
    "82*51*66=276012": 301,
}


def expected(left: list[Code], secret: Code) -> Fraction:
    """The guesses of a player who draws each of these with the same chance, one way at a time."""
    total = Fraction(1)
    for guess in left:
        if guess != secret:
            answer = mark(guess, secret)
            rest = [code for code in left if mark(guess, code) == answer]
            total += expected(rest, secret) / len(left)
    return total


def openings_with_few_left(length: int) -> Iterator[tuple[int, Code, list[Code]]]:
    """Openings after which all candidates are tried: their number, a secret, what they leave."""
    rules, everything = Focdle(length), as_codes(secrets_as_array(length))
    for secret in draws(rules, 5, either(7, 40)):
        for number, opening in enumerate(OPENINGS[length]):
            turns = answered(rules, secret, [opening])
            left = [code for code in everything if is_consistent(rules, code, turns)]
            if len(left) <= either(8, 20) and opening != secret:
                yield number, secret, left


@pytest.mark.long
def test_the_difficulty_after_an_opening_is_the_mean_of_all_ways_to_play():
    looked_at = 0
    for number, secret, left in openings_with_few_left(7):
        found = Fraction(after_openings(Focdle(7), secret)[number], ONE)
        assert abs(found - 1 - expected(left, secret)) < Fraction(len(left), ONE)
        looked_at += 1
    assert looked_at > 5


@pytest.mark.parametrize("length", LENGTHS)
def test_every_length_has_eight_different_openings_that_are_secrets(length: int):
    for opening in OPENINGS[length]:
        Focdle(length).check_secret(opening)
    assert len(set(OPENINGS[length])) == 8


@pytest.mark.long
@pytest.mark.parametrize("secret", [*GOLDEN][:: either(3, 1)])
def test_known_secrets_have_their_recorded_difficulties(secret: str):
    assert difficulty(Focdle(len(secret)), secret).hundredths == GOLDEN[secret]


def test_the_difficulty_of_a_secret_that_is_an_opening_is_computed_from_the_other_openings():
    rules = Focdle(7)
    opening = OPENINGS[7][0]
    assert len(after_openings(rules, opening)) == 7


@pytest.mark.parametrize("length", LENGTHS)
def test_levels_ascend_with_the_difficulty_and_every_level_occurs(length: int):
    """The bounds ascend, and drawn secrets of a short length spread over all levels."""
    levels = [Difficulty(length, hundredths).level for hundredths in range(250, 800)]
    assert list(dict.fromkeys(levels)) == list(Level)


def test_drawn_secrets_spread_over_the_levels():
    rules, rng = Focdle(7), Random(3)
    found = [difficulty(rules, rules.draw(rng)).level for _ in range(200)]
    assert all(30 <= found.count(level) <= 70 for level in Level)


def test_only_a_secret_has_a_difficulty():
    with pytest.raises(ForeignGuessError):
        difficulty(Focdle(8), "12+3-6=8")


def test_a_difficulty_is_written_as_a_number_of_guesses_and_a_level():
    assert str(Difficulty(7, 302)) == "3.02 guesses, easy"
