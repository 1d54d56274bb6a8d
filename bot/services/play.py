"""The nouns of playing FoCdle: a puzzle's name, and a play as use cases hand it out."""

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Final

from bot.services.assistance import Hint
from bot.services.fairness import Commitment, commitment
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


def points_for(*, solved: bool, guesses: int, hints: int = 0) -> int:
    """What a daily that was finished on its date is worth; a hint costs a point, but the last."""
    return max(7 - guesses - hints, 1) if solved else 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """How hard a daily was.

    Attributes:
        par: how many guesses the solver takes on average; None while that is not known.
        server: how many the players took who finished it where it was opened; a lost game
            counts as one more than there are guesses. None if there was only one.
    """

    par: float | None
    server: float | None


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
        guild_id: the Discord server it was opened in; None where the bot is no member of one.
        zone: the IANA zone there, then.
        opened_at: when its player opened it.
        finished_at: when it ended; None while it goes on.
        palette: the tiles its player wants.
        hints: what its player was told, in order.
        comparison: how hard it was, once a daily is finished; else None.
        salt: of the commitment to the secret; None where there is none.
        streak: the player's streak, once a daily is finished; else None.
        closed_in: servers of the player's whose boards do not count it though it was finished
            on its date: the date had ended there before.
    """

    id: int
    player_id: int
    puzzle: PuzzleName | None
    rules: Focdle
    game: Game[Marks]
    on_date: bool
    is_today: bool
    next_puzzle_at: datetime
    guild_id: int | None
    zone: str
    opened_at: datetime
    palette: str
    hints: tuple[Hint, ...] = ()
    comparison: Comparison | None = None
    salt: str | None = field(default=None, repr=False)  # no log may have it
    streak: Streak | None = None
    finished_at: datetime | None = None
    closed_in: tuple[int, ...] = ()

    @property
    def commitment(self) -> Commitment | None:
        """What its board shows for the secret; the same for everybody who plays the puzzle."""
        game = f"practice {self.id}" if self.puzzle is None else f"focdle {self.puzzle}"
        is_over = self.game.outcome is not None
        return commitment(game, self.game.secret, self.salt, is_open=is_over)

    @property
    def points(self) -> int:
        """Seven less guesses and hints, if it was solved on its date; else none."""
        solved = self.on_date and self.game.outcome is Outcome.SOLVED
        return points_for(solved=solved, guesses=len(self.game.turns), hints=len(self.hints))
