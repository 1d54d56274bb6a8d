"""The nouns of playing FoCdle: a puzzle's name, and a play as use cases hand it out."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from bot.services.streaks import Streak
from engine import Focdle, Game, Marks, Outcome

FIRST_DAY: Final = date(2026, 1, 1)
GRACE: Final = timedelta(minutes=30)
"""How long after midnight a play opened before it still counts for its date."""


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
        id: what buttons call it by.
        player_id: whose it is.
        puzzle: which daily it is; None for a practice.
        rules: its rules; hard mode is one of them.
        game: the guesses so far, and the secret.
        on_date: whether it was finished while its date was today.
        is_today: whether its date is today, where it was opened.
        next_puzzle_at: when the next date begins there.
        palette: the tiles its player wants.
        streak: the player's streak, once a daily is finished; else None.
    """

    id: int
    player_id: int
    puzzle: PuzzleName | None
    rules: Focdle
    game: Game[Marks]
    on_date: bool
    is_today: bool
    next_puzzle_at: datetime
    palette: str
    streak: Streak | None = None

    @property
    def points(self) -> int:
        """Seven less the guesses it took, if it was solved on its date; else none."""
        if not self.on_date or self.game.outcome is not Outcome.SOLVED:
            return 0
        return 7 - len(self.game.turns)
