"""Which leaderboards there are, the figures that they show, and how these rank players."""

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from operator import add
from typing import Final, Self

from bot.clock import number_of
from bot.games.model import STANDARD_MASTERMIND, guesses_for, points_for
from bot.leaderboards.results import DailyResultRow
from bot.leaderboards.store import NO_RANK
from bot.ratings.model import Rating

_DAY: Final = timedelta(days=1)
# Zones are up to a day ahead of UTC or behind, and a server may change its own.
_MARGIN: Final = timedelta(days=2)


class BoardGame(StrEnum):
    """What a leaderboard ranks: a game, or streaks."""

    FOCDLE = "focdle"
    """Points of dailies finished on their date."""
    STREAK = "streak"
    """Present streaks; they have no period but all time."""
    MASTERMIND = "mastermind"
    """Guesses a game, on average, at the standard setting."""
    DUELS = "duels"
    """Ratings: those with a rank, then new ones."""


class Period(StrEnum):
    """The time that a leaderboard covers."""

    DAY = "day"
    WEEK = "week"
    """From Monday on."""
    MONTH = "month"
    ALL = "all"


def periods_of(game: BoardGame) -> tuple[Period, ...]:
    return (Period.ALL,) if game is BoardGame.STREAK else tuple(Period)


@dataclass(frozen=True, slots=True)
class Board:
    """The choice of a leaderboard.

    Attributes:
        previous: true for the period before the running one.
        month: the first date of an earlier month; None for a period relative to today.

    Raises:
        ValueError: the game has no leaderboard of this period, or `previous` or `month` does not
            fit the period.
    """

    game: BoardGame
    period: Period = Period.ALL
    previous: bool = False
    month: date | None = None
    guild_id: int = field(kw_only=True)

    def __post_init__(self) -> None:
        if self.period not in periods_of(self.game):
            raise ValueError("no such period")
        if self.period is Period.ALL and self.previous:
            raise ValueError("nothing comes before all time")
        if self.month is not None and (self.period is not Period.MONTH or self.previous):
            raise ValueError("no month")

    @property
    def is_over(self) -> bool:
        """True if the leaderboard is of an earlier period, in which no new game counts."""
        return self.previous or self.month is not None

    @classmethod
    def of(
        cls,
        game: BoardGame,
        period: Period = Period.ALL,
        *,
        previous: bool = False,
        guild_id: int,
        month: date | None = None,
    ) -> Self:
        """Choose a leaderboard; if the game does not have this period, that of all time."""
        if period not in periods_of(game):
            period, month = Period.ALL, None
        previous = previous and period is not Period.ALL
        return cls(game, period, previous, month, guild_id=guild_id)

    def encode(self) -> str:
        """Write the choice as a string for ids, which `PATTERN` matches.

        >>> Board(BoardGame.FOCDLE, Period.WEEK, previous=True, guild_id=5).encode()
        'focdle.week.1.5'
        """
        when = f"{self.previous:d}" if self.month is None else month_code(self.month)
        return f"{self.game}.{self.period}.{when}.{self.guild_id}"

    @classmethod
    def decode(cls, text: str) -> Self:
        """Decode the string of `encode`.

        Raises:
            ValueError: the string encodes no leaderboard.

        >>> Board.decode("streak.all.0.5")
        Board(game=<BoardGame.STREAK: 'streak'>, period=<Period.ALL: 'all'>, \
previous=False, month=None, guild_id=5)
        """
        match = re.fullmatch(PATTERN, text, re.ASCII)
        if match is None:
            raise ValueError("not a board")
        game, period, when, guild_id = text.split(".")
        month = None if when in {"0", "1"} else month_of(when)
        return cls(BoardGame(game), Period(period), when == "1", month, guild_id=int(guild_id))


MONTH_PATTERN: Final = r"2\d{3}(?:0[1-9]|1[0-2])"
"""The regular expression of the strings that `month_code` writes."""
PATTERN: Final = (
    rf"(?:{'|'.join(BoardGame)})\.(?:{'|'.join(Period)})"
    rf"\.(?:[01]|{MONTH_PATTERN})\.[0-8]?\d{{1,18}}"
)
"""The regular expression of the strings that `Board.decode` may read, without named groups;
`decode` refuses some of them, such as a week of streaks.
"""


def month_code(month: date) -> str:
    return f"{month:%Y%m}"


def month_of(code: str) -> date:
    return date(int(code[:4]), int(code[4:]), 1)


MONTHS_KEPT: Final = 12
"""How many months before the present one have their rows kept."""


def months_before(day: date, number: int) -> date:
    """Find the first date of the month that is `number` months before a date's month.

    >>> months_before(date(2026, 3, 31), 12), months_before(date(2026, 3, 31), 3)
    (datetime.date(2025, 3, 1), datetime.date(2025, 12, 1))
    """
    year, month = divmod(day.year * 12 + day.month - 1 - number, 12)
    return date(year, month + 1, 1)


def days_of(period: Period, day: date, *, previous: bool = False) -> tuple[date, date] | None:
    """Find the first and last date of the period that includes `day`, or of the period before that.

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
    """Name the slot of the period that includes a date: under this name a game's rows are stored.

    >>> slot_of(BoardGame.FOCDLE, Period.WEEK, date(2026, 1, 7)), slot_of(
    ...     BoardGame.STREAK, Period.ALL, date(2026, 1, 7)
    ... )
    ('fw5', 'sa')
    """
    days = days_of(period, day)
    return f"{game[0]}{period[0]}{'' if days is None else number_of(days[0])}"


def slot_before(game: BoardGame, period: Period, day: date) -> str | None:
    """Name the slot of the period before the one that includes `day`; None for all time."""
    days = days_of(period, day, previous=True)
    return None if days is None else slot_of(game, period, days[0])


def is_live_slot(slot: str, today: date) -> bool:
    """Return true if rows of a slot are kept, since players can still look at it.

    Kept are the running period, the one before, and the last `MONTHS_KEPT` months, each for two
    days more, as zones differ. `today` is the date in UTC.
    """
    period = next(period for period in Period if period[0] == slot[1])
    oldest = days_of(period, today - _MARGIN, previous=True)
    if oldest is None:
        return True
    first = months_before(today - _MARGIN, MONTHS_KEPT) if period is Period.MONTH else oldest[0]
    return int(slot[2:]) >= number_of(first)


# Scores: the figures that each game's leaderboard shows, and their order. Figures are stored as
# text, `12/3/11`, and ranked by an integer, the sort key, lowest first. The upper bits of the key
# are the figure that a leaderboard shows first: points, a mean in hundredths, a rating. Rows with
# equal shown figures tie.

TIE_BITS: Final = 44
"""How many of a sort key's lower bits rank players whose first figures are equal."""

FEWEST_MASTERMINDS: Final = 5
"""How many ranked games take a player onto the board of Mastermind."""
_ADDED_GAMES: Final = 5
_ADDED_GUESSES: Final = 6 * _ADDED_GAMES
"""What is added to everybody's games there, so that few lucky ones make nobody the first."""
UNSOLVED_GUESSES: Final = STANDARD_MASTERMIND.max_guesses + 1
"""How many guesses an unsolved Mastermind counts as: one more than the rules allow."""

# Widths of FoCdle's lower bits: solved dates, dates solved with hints; the rest are guesses.
_SOLVED_BITS: Final = 14
_ASSISTED_BITS: Final = 14
_MOST_GAMES: Final = 2**30


@dataclass(frozen=True, slots=True)
class BoardFigures(ABC):
    """The figures of a row."""

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    def encode(self) -> str:
        return "/".join(map(str, self.numbers))

    @classmethod
    def decode(cls, text: str) -> Self:
        return cls(*map(int, text.split("/")))

    @property
    def missing(self) -> int:
        """How many more games the row needs to be shown."""
        return 0

    @property
    @abstractmethod
    def sort_key(self) -> int:
        """The integer that ranks a row, lowest first."""


@dataclass(frozen=True, slots=True)
class Sums(BoardFigures):
    """Figures of games, which can be added field by field."""

    def plus(self, other: Self) -> Self:
        return type(self)(*map(add, self.numbers, other.numbers))


@dataclass(frozen=True, slots=True)
class FocdleFigures(Sums):
    """Dailies finished on their dates in a period, one for each date.

    Attributes:
        points: the sum of `points_for`.
        guesses: the guesses of all plays, lost ones included.
        assisted: the number of plays solved with hints.
    """

    points: int = 0
    solved: int = 0
    guesses: int = 0
    plays: int = 0
    assisted: int = 0

    @classmethod
    def of_daily(cls, play: DailyResultRow) -> Self:
        points = points_for(solved=play.solved, guesses=play.guesses, hints=play.hints)
        return cls(points, int(play.solved), play.guesses, 1, int(play.solved and play.hints > 0))

    @property
    def sort_key(self) -> int:
        """A key by most points, then most solved, fewest solved with hints, fewest guesses."""
        below = 2**_SOLVED_BITS - 1 - self.solved
        below = below << _ASSISTED_BITS | self.assisted
        below = below << (TIE_BITS - _SOLVED_BITS - _ASSISTED_BITS) | self.guesses
        return (-self.points << TIE_BITS) + below


@dataclass(frozen=True, slots=True)
class StreakFigures(BoardFigures):
    """The lengths of a player's present and longest streaks.

    Attributes:
        assisted: the number of the streak's dates that were solved with hints.
    """

    length: int = 0
    best: int = 0
    assisted: int = 0

    @property
    def sort_key(self) -> int:
        """A key by most dates without hints, then most dates."""
        return (self.assisted - self.length << TIE_BITS) - self.assisted


@dataclass(frozen=True, slots=True)
class MastermindFigures(Sums):
    """Masterminds of a period that leaderboards count: ranked, finished, with at least one guess.

    Attributes:
        guesses: how many guesses all games count as. A hint counts as a guess. A game that was
            lost, given up or left counts as 13, the most, so that giving bad games up does not
            help.
    """

    games: int = 0
    solved: int = 0
    guesses: int = 0

    @classmethod
    def of_game(cls, *, solved: bool, guesses: int, hints: int = 0) -> Self:
        most = STANDARD_MASTERMIND.max_guesses
        taken = guesses_for(made=guesses, hints=hints, most=most) if solved else UNSOLVED_GUESSES
        return cls(1, int(solved), taken)

    @property
    def mean(self) -> float:
        return self.guesses / self.games

    @property
    def hundredths(self) -> int:
        """The mean of guesses a game in hundredths, rounded half up, with the added games."""
        games, guesses = self.games + _ADDED_GAMES, self.guesses + _ADDED_GUESSES
        return (200 * guesses + games) // (2 * games)

    @property
    def missing(self) -> int:
        return max(FEWEST_MASTERMINDS - self.games, 0)

    @property
    def sort_key(self) -> int:
        """A key by `hundredths`, then most games."""
        return (self.hundredths << TIE_BITS) + _MOST_GAMES - self.games


@dataclass(frozen=True, slots=True)
class DuelFigures(BoardFigures):
    """A rating after the last duel of a period.

    Attributes:
        games: the number of rated duels up to then.
        is_new: 1 if the player had no rank yet, else 0.
    """

    rating: int = 0
    games: int = 0
    is_new: int = 0

    @classmethod
    def of(cls, rating: Rating) -> Self:
        return cls(rating.points, rating.games, int(rating.is_new))

    @property
    def sort_key(self) -> int:
        """A key by rating; new players stand below those with a rank."""
        key = -self.rating << TIE_BITS
        return 2 * NO_RANK + key if self.is_new else key


Figures = FocdleFigures | StreakFigures | MastermindFigures | DuelFigures

_KINDS: Final[dict[str, type[Figures]]] = {
    BoardGame.FOCDLE[0]: FocdleFigures,
    BoardGame.STREAK[0]: StreakFigures,
    BoardGame.MASTERMIND[0]: MastermindFigures,
    BoardGame.DUELS[0]: DuelFigures,
}


def figures_of(slot: str, text: str) -> Figures:
    return _KINDS[slot[0]].decode(text)
