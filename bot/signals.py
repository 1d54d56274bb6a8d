"""Signals that tell a program to stop.

A container's first process hears only the signals that it has a handler for. So programs say what
they do first of all, and this module imports nothing that takes time.
"""

import os
import signal
import sys
from collections.abc import Callable
from typing import Final, NoReturn

_NUMBERS: Final = (signal.SIGTERM, signal.SIGINT)  # the second one is Ctrl-C


def end_when_told() -> None:
    """From now on, end at once when told to, as a process that was: what was begun is undone."""
    when_told(lambda: os._exit(0))


def when_told(stop: Callable[[], object]) -> None:
    """Call this from now on whenever the process is told to stop."""
    for number in _NUMBERS:
        signal.signal(number, lambda _number, _frame: stop())


def leave(status: int) -> NoReturn:
    """End with an exit status, whatever the process is told meanwhile."""
    for number in _NUMBERS:
        signal.signal(number, signal.SIG_IGN)
    sys.exit(status)
