"""Signals that tell a program to stop.

The first process of a container gets only the signals that it has a handler for. Programs install
theirs first of all, so this module imports nothing slow.
"""

import os
import signal
import sys
from collections.abc import Callable
from typing import Final, NoReturn

_NUMBERS: Final = (signal.SIGTERM, signal.SIGINT)  # Ctrl-C is SIGINT


def end_when_told() -> None:
    """Let each stop signal from now on end the process at once: transactions are rolled back."""
    when_told(lambda: os._exit(0))


def when_told(stop: Callable[[], object]) -> None:
    """Call a function on each stop signal from now on, in place of any earlier function."""
    for number in _NUMBERS:
        signal.signal(number, lambda _number, _frame: stop())


def leave(status: int) -> NoReturn:
    """Exit with a status, ignoring signals from now on.

    The event loop puts the system's handlers back as it closes: a second signal would then end the
    process with a status of its own, which a supervisor takes for a crash.
    """
    for number in _NUMBERS:
        signal.signal(number, signal.SIG_IGN)
    sys.exit(status)
