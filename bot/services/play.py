"""The daily's nouns: a puzzle's name, and a play of it as use cases hand it out."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from engine import Focdle, Game, Marks

FIRST_DAY: Final = date(2026, 1, 1)


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


@dataclass(frozen=True, slots=True)
class Play:
    """One player's play of one puzzle, as it stands.

    Attributes:
        puzzle: which daily it is.
        rules: its rules.
        game: the guesses so far, and the secret.
        is_today: whether the puzzle's date is today in the play's zone.
        next_puzzle_at: when the next date begins there.
    """

    id: int
    player_id: int
    puzzle: PuzzleName
    rules: Focdle
    game: Game[Marks]
    is_today: bool
    next_puzzle_at: datetime
