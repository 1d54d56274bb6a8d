"""Time: the clock, dates in time zones, the numbers of dailies, and limits of waiting."""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from time import monotonic
from typing import Final, Protocol
from zoneinfo import ZoneInfo


class Clock(Protocol):
    def now(self) -> datetime:
        """Return the present instant, aware."""
        ...


class SystemClock:
    """The machine's clock, shifted by a constant."""

    def __init__(self, offset: timedelta = timedelta()) -> None:
        self._offset = offset

    def now(self) -> datetime:
        return datetime.now(UTC) + self._offset


_MOMENT_SECONDS: Final = 0.1


class Moment:
    """A slice of background work, a tenth of a second long.

    When it is over, the work pauses, so that clicks have their turn.
    """

    def __init__(self, stopwatch: Callable[[], float] = monotonic) -> None:
        self._stopwatch = stopwatch
        self._ends_at = stopwatch() + _MOMENT_SECONDS

    @property
    def is_over(self) -> bool:
        return self._stopwatch() >= self._ends_at


def date_in(zone: str, instant: datetime) -> date:
    return instant.astimezone(ZoneInfo(zone)).date()


def start_of(day: date, zone: str) -> datetime:
    """Return the instant at which a date begins in an IANA zone.

    Where daylight saving skips midnight, that is the instant of the change.
    """
    return datetime.combine(day, time.min, ZoneInfo(zone)).astimezone(UTC)


FIRST_DAY: Final = date(2026, 1, 1)
GRACE: Final = timedelta(minutes=30)
"""The time after midnight in which a play opened before midnight can still be finished on date."""

SHORTEST_DAILY: Final = 9
LONGEST_DAILY: Final = 13
LENGTHS: Final = range(SHORTEST_DAILY, LONGEST_DAILY + 1)


@dataclass(frozen=True, slots=True)
class PuzzleName:
    number: int
    length: int

    def __str__(self) -> str:
        return f"{self.number}/{self.length}"

    @property
    def day(self) -> date:
        return day_of(self.number)


def number_of(day: date) -> int:
    return (day - FIRST_DAY).days + 1


def day_of(number: int) -> date:
    return FIRST_DAY + timedelta(days=number - 1)


# The westernmost zone: a date that has ended here has ended everywhere.
_LAST_ZONE: Final = "Etc/GMT+12"


def ended_everywhere_at(puzzle: PuzzleName) -> datetime:
    return start_of(puzzle.day + timedelta(days=1), _LAST_ZONE)


def first_running(now: datetime) -> int:
    """Return the lowest number of a daily whose date still goes on somewhere."""
    return number_of(date_in(_LAST_ZONE, now))


MOST_SECONDS: Final = 2.0
"""The longest wait of a transaction for its turn: Discord takes an answer within three seconds."""

SOON_SECONDS: Final = 1.5
"""The time that work may take before Discord is asked to wait for its answer."""

_left: ContextVar[Callable[[], float] | None] = ContextVar("seconds_left", default=None)


def wait_only(seconds_left: Callable[[], float]) -> None:
    """Limit how long each later transaction of the current task waits for its turn.

    `seconds_left` is called before each wait. If it gives 0 or less, a transaction that writes does
    not wait at all.
    """
    _left.set(seconds_left)


def patience(most: float) -> float:
    """Return `most` seconds, or fewer if `wait_only` leaves this task fewer; at least 0."""
    seconds_left = _left.get()
    return most if seconds_left is None else max(0.0, min(most, seconds_left()))
