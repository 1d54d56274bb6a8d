"""Dailies: their numbers and dates, their names, and the points for solving one."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

FIRST_DAY: Final = date(2026, 1, 1)
GRACE: Final = timedelta(minutes=30)
"""For so long after midnight a play that was opened before midnight still counts for its date."""

SHORTEST_DAILY: Final = 9
LONGEST_DAILY: Final = 13
LENGTHS: Final = range(SHORTEST_DAILY, LONGEST_DAILY + 1)


@dataclass(frozen=True, slots=True)
class PuzzleName:
    """A daily: its number, 1 on 2026-01-01, and its length in symbols."""

    number: int
    length: int

    def __str__(self) -> str:
        return f"{self.number}/{self.length}"

    @property
    def day(self) -> date:
        """The date the puzzle belongs to."""
        return day_of(self.number)


def number_of(day: date) -> int:
    """The number of a date's puzzles; below 1 before the first."""
    return (day - FIRST_DAY).days + 1


def day_of(number: int) -> date:
    """The date of the puzzles with this number, which must be a calendar's."""
    return FIRST_DAY + timedelta(days=number - 1)


def points_for(*, solved: bool, guesses: int, hints: int = 0, least: int = 0) -> int:
    """What a daily finished on its date is worth; a hint costs a point, down to `least`."""
    return max(7 - guesses - hints, least) if solved else 0


FEWEST_FOR_A_MEAN: Final = 5
"""How many must have finished a daily for their mean to be shown: of fewer it tells too much."""


@dataclass(frozen=True, slots=True)
class Field:
    """How others fared with the same puzzle in the same server.

    Attributes:
        players: how many have finished it there, the player included.
        guesses: how many guesses they took on average; a lost game counts as one more than
            there are guesses.
        seen: of how many others the coach knows how they went.
        remaining: how many secrets were possible after each guess, the geometric mean of
            these others; who was done stays where they were.
    """

    players: int
    guesses: float
    seen: int = 0
    remaining: tuple[float, ...] = ()
