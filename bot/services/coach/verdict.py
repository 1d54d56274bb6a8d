"""What a whole game came to: how it was played, and the guess that decided it."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import log2
from typing import Final

from bot.services.coach.model import Analysis, CoachTurn
from engine.skill import TOP, Grade, skill_of

FEWEST_FOR_SKILL: Final = 3
"""Of fewer guesses of a duel nobody can tell skill: one that is lost has hardly begun."""

_SHARP: Final = 80
_GOOD: Final = 60
_MIXED: Final = 40

_DEAR: Final = Fraction(7, 20)
"""Of a guess: who loses as much has turned the game."""
_NOTICED: Final = Fraction(3, 20)
_CHANCE: Final = Fraction(1, 20)
"""Whoever gives so large a last chance away has turned the game, too."""
_SURPRISE_BITS: Final = 1.5
"""A surprise: so many halvings more, or fewer, than were to be expected."""


class Manner(StrEnum):
    """How a game was played, by its skill."""

    FLAWLESS = "flawless"
    """Nothing was lost."""
    SHARP = "sharp"
    GOOD = "good"
    MIXED = "mixed"
    """About as whoever tries any code that fits all clues."""
    BUMPY = "bumpy"


class Pivot(StrEnum):
    """Why a guess decided a game."""

    MISTAKE = "mistake"
    """It lost more than any other."""
    MASTERSTROKE = "masterstroke"
    """It could not win and was better than all that could."""
    LUCK = "luck"
    """Its answer left far fewer than was to be expected."""
    BAD_LUCK = "bad_luck"
    """Its answer left far more."""
    CUT = "cut"
    """It ruled out the most."""


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The guess that decided a game.

    Attributes:
        index: which, 0 for the first.
        pivot: why.
    """

    index: int
    pivot: Pivot


def manner_of(analysis: Analysis) -> Manner:
    """How a game was played."""
    skill = analysis.skill
    if skill == TOP:
        return Manner.FLAWLESS
    bounds = {Manner.SHARP: _SHARP, Manner.GOOD: _GOOD, Manner.MIXED: _MIXED}
    return next((manner for manner, least in bounds.items() if skill >= least), Manner.BUMPY)


def is_too_short(analysis: Analysis) -> bool:
    """Whether a game was lost before anybody could tell how it was played."""
    return not analysis.is_solved and len(analysis.turns) < FEWEST_FOR_SKILL


def gamble_of(analysis: Analysis) -> CoachTurn | None:
    """The answer, if it was dear and all guesses before it were good: else None."""
    *earlier, last = analysis.turns
    if not analysis.is_solved or last.loss.guesses < _NOTICED or not earlier:
        return None
    return last if skill_of(turn.loss for turn in earlier) >= _SHARP else None


def turning_point(
    analysis: Analysis, *, is_graded: bool = True, unblamed: Set[int] = frozenset()
) -> TurningPoint | None:
    """The guess that decided a game; None in a game of a single guess.

    What was dear comes first, then a masterstroke, then luck, then what cost a little; where
    nothing stands out, the guess that ruled out the most.

    Args:
        analysis: what was found.
        is_graded: whether guesses are blamed and praised; the bot's are not.
        unblamed: those that were suggested.
    """
    if len(analysis.turns) == 1:
        return None
    answer = {i for i, turn in enumerate(analysis.turns) if is_answer(analysis, turn)}
    blamed = set(range(len(analysis.turns))) - answer - unblamed if is_graded else set[int]()
    return next(_candidates(analysis.turns, answer, sorted(blamed)))


def mark_of(analysis: Analysis, turn: CoachTurn) -> Grade:
    """What a guess is marked with: nobody is blamed for the answer, however it was found."""
    is_blame = turn.grade in {Grade.DOUBTFUL, Grade.BAD, Grade.BLUNDER}
    return Grade.PLAIN if is_blame and is_answer(analysis, turn) else turn.grade


def is_answer(analysis: Analysis, turn: CoachTurn) -> bool:
    """Whether a guess is what was to be found."""
    return analysis.is_solved and turn is analysis.turns[-1]


def _candidates(
    turns: tuple[CoachTurn, ...], answer: Set[int], own: Sequence[int]
) -> Iterator[TurningPoint]:
    """All guesses that could be called so, the most telling first; at least one.

    What a last guess was told, unless it is the answer, comes too late to decide anything.

    Args:
        turns: all of them.
        answer: which of them is what was to be found, if one is.
        own: those that may be blamed and praised, in order.
    """
    # Of several, the first: all else followed from it.
    dearest = max(own, key=lambda index: turns[index].loss.guesses, default=None)
    lost = Fraction() if dearest is None else turns[dearest].loss.guesses
    last = len(turns) - 1
    if last in own and turns[last].is_last and turns[last].loss.guesses >= _CHANCE:
        yield TurningPoint(last, Pivot.MISTAKE)
    if dearest is not None and lost >= _DEAR:
        yield TurningPoint(dearest, Pivot.MISTAKE)
    for index in own:
        if turns[index].grade is Grade.BRILLIANT:
            yield TurningPoint(index, Pivot.MASTERSTROKE)
    told = [index for index, turn in enumerate(turns) if not turn.is_last or index in answer]
    oddest = max(told, key=lambda index: abs(_surprise(turns[index])))
    surprise = _surprise(turns[oddest])
    if abs(surprise) >= _SURPRISE_BITS:
        yield TurningPoint(oddest, Pivot.LUCK if surprise > 0 else Pivot.BAD_LUCK)
    if dearest is not None and lost >= _NOTICED:
        yield TurningPoint(dearest, Pivot.MISTAKE)
    # The first guess nearly always rules out the most, and decides the least.
    most = max(told[1:] or told, key=lambda index: _told(turns[index]))
    yield TurningPoint(most, Pivot.CUT)


def _told(turn: CoachTurn) -> float:
    """The bits that a guess gave."""
    return log2(turn.before / turn.after)


def _surprise(turn: CoachTurn) -> float:
    """The bits that it gave beyond those that were to be expected."""
    return _told(turn) - turn.promised
