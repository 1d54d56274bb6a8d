"""The scale of skill: what a guess lost beside what was at stake when it was made.

A guess loses what it costs more than the solver's choice, in guesses. At stake is what a random
candidate would have lost. Who loses as much as was at stake plays like somebody who tries any
code that can still be right: that is the middle of the scale.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

TOP: Final = 99
"""The best skill."""

_PAIR: Final = 2
_GOOD: Final = Fraction(1, 20)
_DOUBTFUL: Final = Fraction(3, 20)
_BAD: Final = Fraction(7, 20)
_BLUNDER: Final = Fraction(7, 10)
_BRILLIANT: Final = Fraction(3, 10)
_LAST_DOUBTFUL: Final = _GOOD
_LAST_BAD: Final = _DOUBTFUL
"""Of a chance that the last guess gave away: that ends the game, and not only makes it longer."""


class Grade(StrEnum):
    """How good a guess was, as chess players write it."""

    BRILLIANT = "!!"
    """The best, and it could not be right: all that could lose 0.3 guesses or more."""
    GOOD = "!"
    """The best, or it loses 0.05 at most."""
    PLAIN = ""
    """All else; and the only candidate, guessed."""
    DOUBTFUL = "?!"
    """It loses 0.15 or more."""
    BAD = "?"
    """It loses 0.35 or more."""
    BLUNDER = "??"
    """It loses 0.7 or more; or 0.35, and it contradicts what was known."""


@dataclass(frozen=True, slots=True)
class Loss:
    """What a guess cost beside the solver's choice, in guesses.

    Attributes:
        guesses: how many more are to be expected after it than after the choice; 0 if no more.
            With the last guess of a game, the chance of being right that it gave away.
        stake: what a random candidate would have lost; 0 where nothing could be lost but by
            not guessing a candidate: where there is one, and with the last guess of a game.
        is_exact: whether `guesses` follows from counting, and no allowed guess costs less than
            the choice; else it is the solver's estimate.
        candidates: the least that a candidate loses; None where too many are left to try all.
    """

    guesses: Fraction
    stake: Fraction
    is_exact: bool
    candidates: Fraction | None = None


def skill_of(losses: Iterable[Loss]) -> int:
    """0 to 99: the skill of a guess, or of all those of a game.

    99 just if nothing was lost, else 99 * s / (s + l) where s was at stake and l was lost in
    all, rounded down: 49 for who loses as much as random candidates do, and near 0 for who
    wastes guesses.
    """
    found = list(losses)
    lost = sum((loss.guesses for loss in found), Fraction())
    if not lost:
        return TOP
    stake = sum((loss.stake for loss in found), Fraction())
    return min(TOP - 1, int(TOP * stake / (stake + lost)))


def grade_of(loss: Loss, before: int, *, is_possible: bool, is_last: bool = False) -> Grade:
    """The grade of a guess.

    Args:
        loss: what it lost.
        before: how many candidates there were.
        is_possible: whether it was one of them.
        is_last: whether no other could follow it; one that could not be right gave its chance
            away, and is judged more strictly.
    """
    lost = loss.guesses
    if is_last and not is_possible:
        return _grade_of_last(lost)
    if lost >= _BLUNDER or (lost >= _BAD and not is_possible):
        return Grade.BLUNDER
    if lost >= _BAD:
        return Grade.BAD
    if lost >= _DOUBTFUL:
        return Grade.DOUBTFUL
    if lost > _GOOD or before <= _PAIR:
        return Grade.PLAIN
    is_sacrifice = loss.candidates is not None and loss.candidates >= _BRILLIANT
    return Grade.BRILLIANT if is_sacrifice and not lost and not is_possible else Grade.GOOD


def _grade_of_last(chance: Fraction) -> Grade:
    """The grade of a last guess that gave this chance away."""
    if chance >= _BAD:
        return Grade.BLUNDER
    if chance >= _LAST_BAD:
        return Grade.BAD
    return Grade.DOUBTFUL if chance >= _LAST_DOUBTFUL else Grade.PLAIN
