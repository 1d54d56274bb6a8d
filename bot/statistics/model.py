"""A player's statistics as plain facts, of which workers draw charts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from bot.games.model import SharedDailies
from bot.mastermind.model import SettingRecord
from bot.people.model import Face
from bot.ratings.model import HeadToHead, Rating, RatingChange
from bot.streaks.model import StreakChange
from engine import Strength


@dataclass(frozen=True, slots=True)
class FocdleRecord:
    """Finished dailies of one kind; `distribution` has how many were solved in 1 to 6 guesses."""

    played: int
    distribution: Mapping[int, int]

    @property
    def solved(self) -> int:
        return sum(self.distribution.values())

    @property
    def lost(self) -> int:
        return self.played - self.solved

    @property
    def mean(self) -> float | None:
        total = sum(guesses * count for guesses, count in self.distribution.items())
        return total / self.solved if self.solved else None


@dataclass(frozen=True, slots=True)
class CalendarDay:
    """A date's best on-date play: its points by `points_for`, and whether it was solved."""

    points: int
    solved: bool


@dataclass(frozen=True, slots=True)
class StreakRecord:
    """A streak as it is now.

    Attributes:
        log: the latest change, then the last earlier one that is not `DateEffect.SOLVED`.
        assisted: the number of the streak's dates that were solved with hints.
    """

    length: int
    best: int
    freezes: int
    log: tuple[StreakChange, ...]
    assisted: int = 0


@dataclass(frozen=True, slots=True)
class Stats:
    """A player's statistics.

    Attributes:
        name: as last seen, in the server if one was named. To be escaped.
        focdle: dailies finished on their date, without hard mode and without hints.
        hard: dailies finished on their date, in hard mode and without hints.
        archive: dailies finished later, in either mode.
        assisted: dailies finished on their date, with hints.
        duels: results of completed duels against players, rated or not.
        calendar: the dates of the last 26 weeks that have an on-date play.
        calendar_days: the first and the last date of the calendar, a Monday and today.
        viewers_duels: the viewer's results against the player; None for one's own statistics.
        viewers_dailies: dailies that both finished, from the viewer's point of view; None if they
            are few, if the viewer is hidden, and for one's own statistics.
    """

    player_id: int
    name: str
    is_hidden: bool
    focdle: FocdleRecord
    hard: FocdleRecord
    archive: FocdleRecord
    points: int
    streak: StreakRecord
    rating: Rating
    rating_history: tuple[RatingChange, ...]
    duels: HeadToHead
    mastermind: tuple[SettingRecord, ...]
    calendar: Mapping[date, CalendarDay]
    calendar_days: tuple[date, date]
    assisted: FocdleRecord
    viewers_duels: HeadToHead | None = None
    viewers_dailies: SharedDailies | None = None
    bot_duels: tuple[tuple[Strength, HeadToHead], ...] = ()
    face: Face | None = None
    tallies: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Opponent:
    """The most frequent opponent whom the player may see; the name is to be escaped."""

    player_id: int
    name: str
    duels: int


@dataclass(frozen=True, slots=True)
class YearReview:
    """A player's year.

    Attributes:
        days: the year's first date, and its last date or today.
        solved: the number of dates on which a daily was solved.
        best: the fewest guesses of a play solved without hints; None if there is none.
        opening: the favourite first guess, and how often it was made; None if none was made twice.
        masterminds: Masterminds in which the player guessed, and how many of them were solved.
        duels: completed duels with others, and how many of them were won.
        others: other years that are offered, the latest first.
    """

    year: int
    days: tuple[date, date]
    calendar: Mapping[date, CalendarDay]
    solved: int
    best_streak: int
    best: int | None
    opening: tuple[str, int] | None
    masterminds: tuple[int, int]
    duels: tuple[int, int]
    opponent: Opponent | None
    others: tuple[int, ...]

    @property
    def is_empty(self) -> bool:
        return not (self.calendar or self.masterminds[0] or self.duels[0])


class Chart(StrEnum):
    GUESSES = "guesses"
    """How often which number of guesses was taken."""
    CALENDAR = "calendar"
    """The results of half a year's dates."""
    RATING = "rating"
    """The rating after each rated duel."""
