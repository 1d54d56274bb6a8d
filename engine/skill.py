"""The worth of a guess, and the scale of skill, which compares its loss with a stake.

The loss of a guess is how many guesses more it costs than the solver's choice. The stake of a
position is the mean loss of its candidates. Whoever loses as much as the stake plays like
somebody who tries any code that can still be right: that is the middle of the scale.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final, NamedTuple

from engine.codes import Code
from engine.errors import EngineError

BEST_SKILL: Final = 99
_PAIR: Final = 2
_GOOD: Final = Fraction(1, 20)
_DOUBTFUL: Final = Fraction(3, 20)
_BAD: Final = Fraction(7, 20)
_BLUNDER: Final = Fraction(7, 10)
_BRILLIANT: Final = Fraction(3, 10)


class Grade(StrEnum):
    """The grade of a guess, in chess notation.

    The limits below are losses in guesses. A last guess that could not be right has lower limits:
    see `grade_of`.
    """

    BRILLIANT = "!!"
    """A guess that loses nothing and is no candidate, where each candidate loses 0.3 or more."""
    GOOD = "!"
    """A loss of 0.05 at most, with three candidates or more."""
    PLAIN = ""
    """Any other guess: also the best one where only one or two candidates are left."""
    DOUBTFUL = "?!"
    """A loss of 0.15 or more."""
    BAD = "?"
    """A loss of 0.35 or more."""
    BLUNDER = "??"
    """A loss of 0.7 or more; or of 0.35 or more by a guess that is no candidate."""


@dataclass(frozen=True, slots=True)
class Loss:
    """What a guess costs more than the solver's choice.

    Attributes:
        guesses: how many more guesses are expected after the guess than after the choice, 0 or
            more. For the last guess of a game: 0 for a candidate; for any other guess, the chance
            of being right that a candidate would have had.
        stake: the mean loss of the candidates, at least 0.01. It is 0 where no candidate can lose
            anything: with one candidate left, and for the last guess of a game.
        is_exact: True if `guesses` is counted, and no allowed guess costs less than the choice;
            False if it is the solver's estimate.
        candidates: the loss of the best candidate; None where there are too many to try them all.
    """

    guesses: Fraction
    stake: Fraction
    is_exact: bool
    candidates: Fraction | None = None


class Promise(NamedTuple):
    """What a guess promises before it is answered, with all candidates equally likely.

    Attributes:
        bits: the expected information: the entropy of the answers (Shannon 1948).
        chance: the probability that the guess is the secret.
    """

    bits: float
    chance: float


@dataclass(frozen=True, slots=True)
class Prospect:
    """A possible next guess compared with the solver's choice.

    Attributes:
        before: the number of candidates before the guess.
        promise: the information and the chance that the guess promises.
        choice: the guess that the solver would make.
        choice_promise: the information and the chance that the choice promises.
        loss: what the guess costs more than the choice.
        is_last: whether no further guess can follow.
        parts: the number of different answers that the guess can get.
        left: how many candidates the guess leaves on average; a right guess leaves none.
        largest: how many candidates the most frequent answer leaves.
    """

    guess: Code
    before: int
    promise: Promise
    choice: Code
    choice_promise: Promise
    loss: Loss
    is_last: bool
    parts: int
    left: float
    largest: int


def skill_of(losses: Iterable[Loss]) -> int:
    """The skill, 0 to 99, of a guess or of all guesses of a game.

    The skill is 99 only if nothing was lost. Else it is 99 * s / (s + l) rounded down, where s is
    the sum of stakes and l that of losses: 49 for losing as much as random candidates do, and near
    0 for wasted guesses.

    >>> lost = Loss(guesses=Fraction(1, 10), stake=Fraction(1, 10), is_exact=True)
    >>> skill_of([lost])
    49

    Raises:
        EngineError: there is no guess.
    """
    found = list(losses)
    if not found:
        raise EngineError("Where nothing was guessed there is no skill.")
    lost = sum((loss.guesses for loss in found), Fraction())
    if not lost:
        return BEST_SKILL
    stake = sum((loss.stake for loss in found), Fraction())
    return min(BEST_SKILL - 1, int(BEST_SKILL * stake / (stake + lost)))


def grade_of(loss: Loss, before: int, *, is_possible: bool, is_last: bool = False) -> Grade:
    """The grade of a guess.

    >>> half = Loss(guesses=Fraction(1, 2), stake=Fraction(1, 10), is_exact=True)
    >>> grade_of(half, before=9, is_possible=True), grade_of(half, before=9, is_possible=False)
    (<Grade.BAD: '?'>, <Grade.BLUNDER: '??'>)

    Args:
        before: the number of candidates before the guess.
        is_possible: whether the guess was a candidate.
        is_last: whether no further guess could follow. Then a guess that was no candidate gave its
            chance away: a loss of 0.05 is DOUBTFUL, of 0.15 BAD, of 0.35 a BLUNDER.
    """
    lost, is_wasted = loss.guesses, is_last and not is_possible
    limits = _DOUBTFUL, _BAD, _BLUNDER if is_possible else _BAD
    if is_wasted:
        limits = _GOOD, _DOUBTFUL, _BAD
    for limit, grade in zip(limits[::-1], (Grade.BLUNDER, Grade.BAD, Grade.DOUBTFUL), strict=True):
        if lost >= limit:
            return grade
    if lost > _GOOD or before <= _PAIR or is_wasted:
        return Grade.PLAIN
    is_sacrifice = loss.candidates is not None and loss.candidates >= _BRILLIANT
    return Grade.BRILLIANT if is_sacrifice and not lost and not is_possible else Grade.GOOD
