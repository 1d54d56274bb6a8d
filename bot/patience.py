"""How long somebody may wait for the database: as long as who asked can still be answered."""

from collections.abc import Callable
from contextvars import ContextVar
from typing import Final

MOST_SECONDS: Final = 2.0
"""Discord waits three seconds for an answer; what has not begun by now would be too late."""

SOON_SECONDS: Final = 1.5
"""What takes longer is acknowledged first, and answered when it is done."""

_left: ContextVar[Callable[[], float] | None] = ContextVar("seconds_left", default=None)


def wait_only(seconds_left: Callable[[], float]) -> None:
    """Let what this task does from now on wait no longer than that.

    Args:
        seconds_left: tells it whenever somebody has to wait; 0 or less for not at all.
    """
    _left.set(seconds_left)


def patience(most: float = MOST_SECONDS) -> float:
    """How many seconds this task may wait now; never negative."""
    seconds_left = _left.get()
    return most if seconds_left is None else max(0.0, min(most, seconds_left()))
