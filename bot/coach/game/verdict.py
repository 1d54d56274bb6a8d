"""What a whole game came to: how it was played, and the guess that cost most."""

from enum import StrEnum
from typing import Final

from bot.coach.model.insight import Analysis, CoachTurn, Review, Role
from bot.games.model.hints import Hint, HintKind
from engine.skill import TOP, Grade, skill_of

FEWEST_FOR_SKILL: Final = 3
"""Of fewer guesses of a duel nobody can tell skill: one that is lost has hardly begun."""

BAD_GRADES: Final = frozenset({Grade.DOUBTFUL, Grade.BAD, Grade.BLUNDER})

_SHARP: Final = 80
_GOOD: Final = 60
_MIXED: Final = 40


class Manner(StrEnum):
    """How a game was played, by its skill."""

    FLAWLESS = "flawless"
    """Nothing was lost."""
    SHARP = "sharp"
    GOOD = "good"
    MIXED = "mixed"
    """About as whoever tries any code that fits all clues."""
    BUMPY = "bumpy"


def manner_of(review: Review) -> Manner:
    """How a game was played, the answer left out: nobody is blamed for that.

    It agrees with the marks: a game is sharp without bad ones, and at least good.
    """
    turns = review.analysis.turns
    skill = skill_of(turn.loss for turn in turns if not is_answer(review.analysis, turn))
    if BAD_GRADES.isdisjoint(marks_of(review)):
        bounds = {Manner.FLAWLESS: TOP, Manner.SHARP: _SHARP, Manner.GOOD: 0}
    else:
        bounds = {Manner.GOOD: _GOOD, Manner.MIXED: _MIXED, Manner.BUMPY: 0}
    return next(manner for manner, least in bounds.items() if skill >= least)


def is_too_short(analysis: Analysis) -> bool:
    """Whether a game was lost before anybody could tell how it was played."""
    return not analysis.is_solved and len(analysis.turns) < FEWEST_FOR_SKILL


def mark_of(analysis: Analysis, turn: CoachTurn) -> Grade:
    """What a guess is marked with: nobody is blamed for the answer, however it was found."""
    return Grade.PLAIN if turn.grade in BAD_GRADES and is_answer(analysis, turn) else turn.grade


def marks_of(review: Review) -> tuple[Grade, ...]:
    """What each guess is marked with; the bot's own, and what it has suggested, are not."""
    return tuple(
        Grade.PLAIN
        if review.role is Role.BOT or is_suggested(review, index)
        else mark_of(review.analysis, turn)
        for index, turn in enumerate(review.analysis.turns)
    )


def is_suggested(review: Review, index: int) -> bool:
    """Whether a hint has suggested a guess."""
    guess = review.analysis.turns[index].guess
    return Hint(index, HintKind.SUGGESTION, guess) in review.hints


def dearest(review: Review) -> int | None:
    """The own guess that cost most, the first of several; None where none is marked as bad."""
    turns, marks = review.analysis.turns, marks_of(review)
    bad = (index for index, mark in enumerate(marks) if mark in BAD_GRADES)
    own = bad if review.role is Role.OWN else ()
    return max(own, key=lambda index: turns[index].loss.guesses, default=None)


def is_answer(analysis: Analysis, turn: CoachTurn) -> bool:
    """Whether a guess is what was to be found."""
    return analysis.is_solved and turn is analysis.turns[-1]
