"""What there is to say about a player, as plain facts, which the pool draws charts of."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from bot.games.model import SharedDailies
from bot.mastermind.model import SettingRecord
from bot.people.model import Face
from bot.ratings.model import HeadToHead, Outlook, Rating, RatingChange
from bot.streaks.model import Change
from engine import Strength


@dataclass(frozen=True, slots=True)
class FocdleRecord:
    """Finished dailies of one kind.

    Attributes:
        played: how many.
        solved: how many of them were solved.
        distribution: how many were solved in each number of guesses, 1 to 6; always six keys.
        lost: how many were not.
    """

    played: int
    solved: int
    distribution: Mapping[int, int]
    lost: int

    @property
    def mean(self) -> float | None:
        """Guesses of the solved ones, on average; None if there are none."""
        total = sum(guesses * count for guesses, count in self.distribution.items())
        return total / self.solved if self.solved else None


@dataclass(frozen=True, slots=True)
class CalendarDay:
    """What became of a date: the best on-date play of any length.

    Attributes:
        points: 7 less the guesses; 0 for a lost one.
        solved: whether it was solved.
    """

    points: int
    solved: bool


@dataclass(frozen=True, slots=True)
class StreakRecord:
    """A streak now.

    Attributes:
        length: of the current one.
        best: the longest there has been.
        freezes: held.
        log: what changed it and why, the newest first: the last change, and before it what was
            more than one day more; a few at most, none if nothing ever has.
        is_restored: whether a manager of a server has restored it.
        assisted: how many of its dates were solved with hints.
    """

    length: int
    best: int
    freezes: int
    log: tuple[Change, ...]
    is_restored: bool
    assisted: int = 0


@dataclass(frozen=True, slots=True)
class Stats:
    """A player's statistics.

    Attributes:
        player_id: the Discord user.
        name: as last seen; in the server if one was named, else anywhere. To be escaped.
        is_hidden: whether only the player may see this.
        focdle: dailies finished on their date, without hard mode and without hints.
        hard: dailies finished on their date, in hard mode and without hints.
        archive: dailies finished later, in either mode.
        points: of all dailies.
        streak: the streak.
        rating: the rating; its start if there was no rated duel.
        rating_history: what changed it, oldest first.
        duels: how all duels against players went that were played to an end, rated or not.
        mastermind: by setting, the standard one first.
        calendar: the dates of the last 26 weeks that have an on-date play.
        calendar_days: the first and the last date of the calendar, a Monday and today.
        assisted: dailies finished on their date, with hints.
        viewers_duels: how the viewer's duels against them went; None if they look at their own.
        viewers_dailies: how dailies went that the viewer has finished, too, from the viewer's point
            of view; None where there are too few, and if they look at their own.
        bot_duels: how duels with the bot went, the weakest strength first; of those there were.
        face: their face, if it is known.
        outlook: what the player has of what a rank by rating takes, if that is not all; only for
            their own eyes.
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
    outlook: Outlook | None = None


@dataclass(frozen=True, slots=True)
class Opponent:
    """Whom a player met most often in duels; the name is to be escaped."""

    player_id: int
    name: str
    duels: int


@dataclass(frozen=True, slots=True)
class Feat:
    """The daily that was solved furthest below its par, without hints."""

    number: int
    guesses: int
    par: float


@dataclass(frozen=True, slots=True)
class Year:
    """A player's year.

    Attributes:
        year: which.
        days: its first date, and its last one or today.
        calendar: the dates that have an on-date play.
        solved: on how many of them the puzzle was solved.
        best_streak: the longest streak that there was in it.
        best: the fewest guesses without hints; None if nothing was solved so.
        feat: the rarest feat.
        opening: the favourite first guess, and how often it was made.
        masterminds: games of Mastermind, and how many of them were solved.
        duels: duels with others that were played to an end, and how many of them were won.
        opponent: the most frequent opponent whom the player may see.
        others: other years that can be looked at, the latest first.
    """

    year: int
    days: tuple[date, date]
    calendar: Mapping[date, CalendarDay]
    solved: int
    best_streak: int
    best: int | None
    feat: Feat | None
    opening: tuple[str, int] | None
    masterminds: tuple[int, int]
    duels: tuple[int, int]
    opponent: Opponent | None
    others: tuple[int, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nothing was finished in it."""
        return not (self.calendar or self.masterminds[0] or self.duels[0])


class Chart(StrEnum):
    """What of statistics can be looked at as a picture."""

    GUESSES = "guesses"
    """How many dailies took how many."""
    CALENDAR = "calendar"
    """What became of the dates of half a year."""
    RATING = "rating"
    """Its course."""
