"""Scores: the figures that each game's leaderboard shows, and the order that they rank in.

Figures are stored as text, `12/3/11`, and ranked by one whole number, the sort key, lowest
first. Its upper bits, the level, are what a leaderboard shows first: points, a mean in
hundredths, a rating. What is shown alike is never told apart by what nobody sees.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Set
from dataclasses import dataclass, fields
from datetime import date
from functools import cache
from operator import add, attrgetter, sub
from typing import Final, Self

from bot.dailies import points_for
from bot.leaderboards.model.keys import BoardGame
from bot.leaderboards.store.leaderboards import LEVEL_BITS, NO_RANK
from bot.leaderboards.store.results import DailyResultRow
from bot.ratings.model.ratings import FEWEST_DATES, FEWEST_OPPONENTS
from bot.streaks.model.streaks import ENDED, SOLVES, Reason

FEWEST_MASTERMINDS: Final = 5
UNSOLVED_GUESSES: Final = 13
"""What a game of Mastermind counts as that was not solved: one more than there are guesses."""

# Far from where they begin who have no rank.
_SETTLING_LEVEL: Final = (NO_RANK >> LEVEL_BITS) * 2
# Below a level of FoCdle: dates not solved, dates solved with hints, guesses.
_SOLVED_BITS: Final = 14
_ASSISTED_BITS: Final = 14
_MOST_GAMES: Final = 2**30


@cache
def _names_of(kind: "type[BoardFigures]") -> tuple[str, ...]:
    """What a kind of figures consists of: asked for at every sum, and always the same."""
    return tuple(field.name for field in fields(kind))


@dataclass(frozen=True, slots=True)
class BoardFigures(ABC):
    """Figures that can be written down and ranked."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """All of them, in their order."""
        return tuple(getattr(self, name) for name in _names_of(type(self)))

    def encode(self) -> str:
        """The figures as text."""
        return "/".join(map(str, self.numbers))

    @classmethod
    def decode(cls, text: str) -> Self:
        """The figures that a text stands for."""
        return cls(*map(int, text.split("/")))

    @property
    @abstractmethod
    def sort_key(self) -> int | None:
        """What rows are ranked by, lowest first; None if these are not ranked yet."""


@dataclass(frozen=True, slots=True)
class Sums(BoardFigures):
    """Figures that are added up, number by number."""

    def plus(self, other: Self) -> Self:
        """Both together."""
        return type(self)(*map(add, self.numbers, other.numbers))

    def minus(self, other: Self) -> Self:
        """What is left without the other."""
        return type(self)(*map(sub, self.numbers, other.numbers))


@dataclass(frozen=True, slots=True)
class FocdleFigures(Sums):
    """On-date plays of a period.

    Attributes:
        points: 7 less the guesses of each solved one.
        solved: how many were solved.
        guesses: of all of them, also of those that were lost.
        plays: how many there were.
        assisted: how many were solved with hints.
    """

    points: int = 0
    solved: int = 0
    guesses: int = 0
    plays: int = 0
    assisted: int = 0

    @classmethod
    def of_daily(cls, play: DailyResultRow) -> Self:
        """The figures of one on-date play."""
        points = points_for(
            solved=play.solved, guesses=play.guesses, hints=play.hints, least=play.least
        )
        return cls(points, int(play.solved), play.guesses, 1, int(play.solved and play.hints > 0))

    @classmethod
    def best(cls, plays: Iterable[DailyResultRow]) -> Self:
        """The best of some plays of a date, if there is any."""
        return min(map(cls.of_daily, plays), key=attrgetter("sort_key"), default=cls())

    @property
    def sort_key(self) -> int | None:
        """Most points first, most solved, fewest of them assisted, fewest guesses.

        None without plays.
        """
        if not self.plays:
            return None
        below = 2**_SOLVED_BITS - 1 - self.solved
        below = below << _ASSISTED_BITS | self.assisted
        below = below << (LEVEL_BITS - _SOLVED_BITS - _ASSISTED_BITS) | self.guesses
        return (-self.points << LEVEL_BITS) + below


@dataclass(frozen=True, slots=True)
class StreakFigures(BoardFigures):
    """A streak.

    Attributes:
        length: of the current one.
        best: the longest there has been.
        restored: 1 if a manager of the server itself has restored it, 2 if it counts from
            the last date on that a manager of another server has restored.
        assisted: how many of its dates were solved with hints; rows from before such dates
            lengthened it have none.
    """

    length: int = 0
    best: int = 0
    restored: int = 0
    assisted: int = 0

    @property
    def sort_key(self) -> int | None:
        """Most dates without hints first, then the longest; None if it has ended."""
        if not self.length:
            return None
        return (self.assisted - self.length << LEVEL_BITS) - self.assisted


@dataclass(frozen=True, slots=True)
class MastermindFigures(Sums):
    """Finished games at the standard setting in a period, with at least one guess.

    Attributes:
        games: how many.
        solved: how many of them were solved.
        guesses: of all of them. A hint counts as a guess. A game that was lost, given up or
            left counts as 13, or whoever gives bad games up would lead.
    """

    games: int = 0
    solved: int = 0
    guesses: int = 0

    @classmethod
    def of_game(cls, *, solved: bool, guesses: int, hints: int = 0) -> Self:
        """The figures of one game."""
        taken = guesses + hints if solved else UNSOLVED_GUESSES
        return cls(1, int(solved), min(taken, UNSOLVED_GUESSES))

    @property
    def mean(self) -> float:
        """Guesses per game, to hundredths; 0 without games."""
        return _mean(100 * self.guesses, self.games) / 100

    @property
    def sort_key(self) -> int | None:
        """The lowest mean first, then most games; None after too few games."""
        if self.games < FEWEST_MASTERMINDS:
            return None
        return (_mean(100 * self.guesses, self.games) << LEVEL_BITS) + _MOST_GAMES - self.games


@dataclass(frozen=True, slots=True)
class DuelFigures(BoardFigures):
    """A rating at the end of a period.

    Attributes:
        rating: as everybody sees it, or the proven one if that is lower.
        games: rated ones up to then.
        opponents: how many different ones who are established.
        unsure: 1 if too little is known of the player, however many games there were.
        dates: on how many those games were, in rows from before that was asked as many as it takes.
        floor: what is sure of the rating, as if there had been no short duels; 0 where there were
            too few opponents in others.
    """

    rating: int = 0
    games: int = 0
    opponents: int = 0
    unsure: int = 0
    dates: int = FEWEST_DATES
    floor: int = 0

    @property
    def is_settling(self) -> bool:
        """Whether there is no rank yet."""
        has_met = self.dates >= FEWEST_DATES and self.opponents >= FEWEST_OPPONENTS
        return not has_met or bool(self.unsure)

    @property
    def sort_key(self) -> int | None:
        """The highest rating first; then who is settling, by what is sure. None for others."""
        if not self.is_settling:
            return -self.rating << LEVEL_BITS
        return (_SETTLING_LEVEL - self.floor << LEVEL_BITS) if self.floor else None


Figures = FocdleFigures | StreakFigures | MastermindFigures | DuelFigures

_KINDS: Final[dict[str, type[Figures]]] = {
    BoardGame.FOCDLE[0]: FocdleFigures,
    BoardGame.STREAK[0]: StreakFigures,
    BoardGame.MASTERMIND[0]: MastermindFigures,
    BoardGame.DUELS[0]: DuelFigures,
}


def figures_of(slot: str, text: str) -> Figures:
    """The figures of a stored row."""
    return _KINDS[slot[0]].decode(text)


def missing_games(figures: Figures) -> int:
    """How many more games a rank takes; 0 where it takes other things."""
    if isinstance(figures, MastermindFigures):
        return max(0, FEWEST_MASTERMINDS - figures.games)
    return 0


def _mean(total: int, count: int) -> int:
    """What is total for each, rounded, halves up; 0 for none."""
    return (2 * total + count) // (2 * count) if count else 0


def counted_after(steps: Iterable[tuple[date, Reason]], days: Set[date]) -> tuple[int, int, int]:
    """Length and best of a streak that begins again after each of some dates, dates with hints.

    Args:
        steps: what each date did to it, oldest first.
        days: the dates.
    """
    length = best = assisted = 0
    for day, reason in steps:
        if day in days or reason in ENDED:
            length = assisted = 0
        elif reason in SOLVES:
            length += 1
            assisted += reason is Reason.SOLVED_ASSISTED
        best = max(best, length)
    return length, best, assisted
