"""Scores: the figures that each leaderboard shows, and the order that they rank in."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from operator import add, attrgetter, sub
from typing import Final, Self

from bot.clock import number_of
from bot.games.model import points_for
from bot.leaderboards.results import DailyResultRow
from bot.leaderboards.store import NO_RANK
from bot.ratings.model import FEWEST_DATES, FEWEST_OPPONENTS
from bot.stored import Reason
from bot.streaks.model import ENDED, SOLVES

_DAY: Final = timedelta(days=1)
# Zones are up to a day ahead of UTC or behind, and a server may change its own.
_MARGIN: Final = timedelta(days=2)

GLOBAL: Final = 0
"""The scope under which leaderboards across all servers are stored."""


class BoardGame(StrEnum):
    """What a leaderboard ranks by."""

    FOCDLE = "focdle"
    """Points of dailies solved on their date."""
    STREAK = "streak"
    """The current streak; it has no period."""
    MASTERMIND = "mastermind"
    """Mean guesses at the standard setting."""
    DUELS = "duels"
    """The rating, of who is not new."""


class Period(StrEnum):
    """How much time a leaderboard covers."""

    DAY = "day"
    WEEK = "week"
    """From Monday on."""
    MONTH = "month"
    ALL = "all"


def periods_of(game: BoardGame) -> tuple[Period, ...]:
    """The periods that leaderboards of a game cover, the shortest first."""
    return (Period.ALL,) if game is BoardGame.STREAK else tuple(Period)


GAMES: Final[Mapping[str, BoardGame]] = {"par": BoardGame.FOCDLE} | {
    game.value: game for game in BoardGame
}
"""Games by what ids call them. `par` stands in older messages: there was a leaderboard of it."""


@dataclass(frozen=True, slots=True)
class Board:
    """A leaderboard's name: short enough for the id of a button.

    Attributes:
        game: what the leaderboard ranks by.
        period: how much time it covers.
        previous: the period before the running one.
        guild_id: the Discord server; None for the leaderboard across servers.

    Raises:
        ValueError: there is no such board: the game has none of the period, or nothing comes
            before it, as before all time.
    """

    game: BoardGame
    period: Period = Period.ALL
    previous: bool = False
    guild_id: int | None = None

    def __post_init__(self) -> None:
        if self.period not in periods_of(self.game):
            raise ValueError("no such period")
        if self.period is Period.ALL and self.previous:
            raise ValueError("nothing comes before all time")

    @classmethod
    def of(
        cls,
        game: BoardGame,
        period: Period = Period.ALL,
        *,
        previous: bool = False,
        guild_id: int | None = None,
    ) -> Self:
        """The leaderboard that was asked for, or the nearest that there is."""
        if period not in periods_of(game):
            period = Period.ALL
        return cls(game, period, previous and period is not Period.ALL, guild_id)

    def encode(self) -> str:
        """A short string, which `PATTERN` matches.

        >>> Board(BoardGame.FOCDLE, Period.WEEK, previous=True, guild_id=5).encode()
        'focdle.week.1.5'
        """
        return f"{self.game}.{self.period}.{self.previous:d}.{self.guild_id or GLOBAL}"

    @classmethod
    def decode(cls, text: str) -> Self:
        """The leaderboard that a string encodes.

        Raises:
            ValueError: it encodes none.

        >>> Board.decode("streak.all.0.0")
        Board(game=<BoardGame.STREAK: 'streak'>, period=<Period.ALL: 'all'>, \
previous=False, guild_id=None)
        """
        match = re.fullmatch(PATTERN, text, re.ASCII)
        if match is None:
            raise ValueError("not a board")
        game, period, previous, guild_id = text.split(".")
        return cls(GAMES[game], Period(period), previous == "1", int(guild_id) or None)


PATTERN: Final = rf"(?:{'|'.join(GAMES)})\.(?:{'|'.join(Period)})\.[01]\.[0-8]?\d{{1,18}}"
"""What `Board.decode` reads, as a regular expression without named groups."""


def days_of(period: Period, day: date, *, previous: bool = False) -> tuple[date, date] | None:
    """The first and the last date of the period that a date lies in, or of the one before it.

    None for all time.

    >>> days_of(Period.MONTH, date(2026, 3, 31), previous=True)
    (datetime.date(2026, 2, 1), datetime.date(2026, 2, 28))
    """
    match period:
        case Period.DAY:
            first = last = day
        case Period.WEEK:
            first = day - timedelta(days=day.weekday())
            last = first + timedelta(days=6)
        case Period.MONTH:
            first = day.replace(day=1)
            last = (first + timedelta(days=31)).replace(day=1) - _DAY
        case Period.ALL:
            return None
    return days_of(period, first - _DAY) if previous else (first, last)


def slot_of(game: BoardGame, period: Period, day: date) -> str:
    """The slot under which rows of a period are stored; a date of the period names it.

    >>> slot_of(BoardGame.FOCDLE, Period.WEEK, date(2026, 1, 7)), slot_of(
    ...     BoardGame.STREAK, Period.ALL, date(2026, 1, 7)
    ... )
    ('fw5', 'sa')
    """
    days = days_of(period, day)
    return f"{game[0]}{period[0]}{'' if days is None else number_of(days[0])}"


def slot_before(game: BoardGame, period: Period, day: date) -> str | None:
    """The slot of the period before the one that a date lies in; None before all time."""
    days = days_of(period, day, previous=True)
    return None if days is None else slot_of(game, period, days[0])


def live_slots(game: BoardGame, day: date, today: date) -> list[str]:
    """The slots that something of a date counts for, of those that can still be looked at."""
    slots = (slot_of(game, period, day) for period in periods_of(game))
    return [slot for slot in slots if is_live_slot(slot, today)]


def is_live_slot(slot: str, today: date) -> bool:
    """Whether a slot can still be looked at; `today` is the date in UTC.

    Only the running period and the one before it can be, so that what is stored grows with
    players and not with time.
    """
    period = next(period for period in Period if period[0] == slot[1])
    oldest = days_of(period, today - _MARGIN, previous=True)
    return oldest is None or int(slot[2:]) >= number_of(oldest[0])


# Scores: the figures that each game's leaderboard shows, and the order that they rank in. Figures
# are stored as text, `12/3/11`, and ranked by one whole number, the sort key, lowest first. Its
# upper bits are what a leaderboard shows first: points, a mean in hundredths, a rating.
# What is shown alike is never told apart by what nobody sees.

TIE_BITS: Final = 44
"""How many lower bits of a sort key tell apart who is level in what is shown first."""

FEWEST_MASTERMINDS: Final = 5
UNSOLVED_GUESSES: Final = 13
"""What a game of Mastermind counts as that was not solved: one more than there are guesses."""

# Among the lower bits of FoCdle: dates not solved, dates solved with hints; the rest are guesses.
_SOLVED_BITS: Final = 14
_ASSISTED_BITS: Final = 14
_MOST_GAMES: Final = 2**30


@dataclass(frozen=True, slots=True)
class BoardFigures(ABC):
    """Figures that can be written down and ranked."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """All of them, in their order."""
        return tuple(getattr(self, name) for name in self.__slots__)

    def encode(self) -> str:
        return "/".join(map(str, self.numbers))

    @classmethod
    def decode(cls, text: str) -> Self:
        return cls(*map(int, text.split("/")))

    @property
    @abstractmethod
    def sort_key(self) -> int | None:
        """What rows are ranked by, lowest first; None if these are not ranked yet."""


@dataclass(frozen=True, slots=True)
class Sums(BoardFigures):
    """Figures that are added up, number by number."""

    def plus(self, other: Self) -> Self:
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
        below = below << (TIE_BITS - _SOLVED_BITS - _ASSISTED_BITS) | self.guesses
        return (-self.points << TIE_BITS) + below


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
        return (self.assisted - self.length << TIE_BITS) - self.assisted


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
    def hundredths(self) -> int:
        """A hundred times the guesses per game, rounded, halves up; 0 without games."""
        return (200 * self.guesses + self.games) // (2 * self.games) if self.games else 0

    @property
    def mean(self) -> float:
        """Guesses per game, to hundredths."""
        return self.hundredths / 100

    @property
    def sort_key(self) -> int | None:
        """The lowest mean first, then most games; None after too few games."""
        if self.games < FEWEST_MASTERMINDS:
            return None
        return (self.hundredths << TIE_BITS) + _MOST_GAMES - self.games


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
            return -self.rating << TIE_BITS
        return 2 * NO_RANK - (self.floor << TIE_BITS) if self.floor else None


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


def counted_after(steps: Iterable[tuple[date, Reason]], days: Set[date]) -> tuple[int, int, int]:
    """Length and best of a streak that begins again after each of some dates, dates with hints.

    The steps say what each date did to it, oldest first.
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
