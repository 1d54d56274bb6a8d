"""Leaderboards by name: which game, which period, which server; and the calendar behind them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Final, Self

from bot.dailies import number_of

_DAY: Final = timedelta(days=1)
_WEEK: Final = timedelta(days=7)
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

    @classmethod
    def of_slot(cls, slot: str) -> Self:
        """The period whose rows are stored under a slot."""
        return next(period for period in cls if period[0] == slot[1])


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


def start_of_period(period: Period, day: date) -> date | None:
    """The first date of the period that a date lies in; None for all time."""
    match period:
        case Period.DAY:
            return day
        case Period.WEEK:
            return day - timedelta(days=day.weekday())
        case Period.MONTH:
            return day.replace(day=1)
        case Period.ALL:
            return None


def days_of(period: Period, day: date, *, previous: bool = False) -> tuple[date, date] | None:
    """The first and the last date of the period that a date lies in, or of the one before it.

    >>> days_of(Period.MONTH, date(2026, 3, 31), previous=True)
    (datetime.date(2026, 2, 1), datetime.date(2026, 2, 28))
    """
    begins = start_of_period(period, day)
    if begins is None:
        return None
    if previous:
        return days_of(period, begins - _DAY)
    match period:
        case Period.DAY:
            return begins, begins
        case Period.WEEK:
            return begins, begins + _WEEK - _DAY
        case _:
            return begins, (begins + timedelta(days=31)).replace(day=1) - _DAY


def slot_of(game: BoardGame, period: Period, day: date) -> str:
    """The slot under which rows of a period are stored; a date of the period names it.

    >>> slot_of(BoardGame.FOCDLE, Period.WEEK, date(2026, 1, 7)), slot_of(
    ...     BoardGame.STREAK, Period.ALL, date(2026, 1, 7)
    ... )
    ('fw5', 'sa')
    """
    begins = start_of_period(period, day)
    return f"{game[0]}{period[0]}{'' if begins is None else number_of(begins)}"


def slot_before(game: BoardGame, period: Period, day: date) -> str | None:
    """The slot of the period before the one that a date lies in; None before all time."""
    days = days_of(period, day, previous=True)
    return None if days is None else slot_of(game, period, days[0])


def is_slot_of(slot: str, game: BoardGame) -> bool:
    """Whether rows of a game are stored under a slot."""
    return slot.startswith(game[0])


def live_slots(game: BoardGame, day: date, today: date) -> list[str]:
    """The slots that something of a date counts for, of those that can still be looked at.

    Only the running period and the one before it can be, so that what is stored grows with
    players and not with time.

    Args:
        game: the game.
        day: the date of what counts.
        today: the date in UTC.
    """
    periods = [period for period in periods_of(game) if _is_live(period, day, today)]
    return [slot_of(game, period, day) for period in periods]


def _is_live(period: Period, day: date, today: date) -> bool:
    oldest = days_of(period, today - _MARGIN, previous=True)
    return oldest is None or day >= oldest[0]


def is_live_slot(slot: str, today: date) -> bool:
    """Whether a slot can still be looked at; `today` is the date in UTC."""
    period = Period.of_slot(slot)
    oldest = days_of(period, today - _MARGIN, previous=True)
    return oldest is None or int(slot[2:]) >= number_of(oldest[0])
