"""Being told to stop while there is nothing yet, or no more, to be ended in good order.

A container's first process hears only the signals that it has a handler for. So programs say what
they do first of all, and this module imports nothing that takes time.
"""

import os
import signal
import sys
from typing import Final, NoReturn

NUMBERS: Final = (signal.SIGTERM, signal.SIGINT)
"""What tells a process to stop; the second one is Ctrl-C."""


def end_when_told() -> None:
    """From now on, end at once when told to, as a process that was: what was begun is undone."""
    for number in NUMBERS:
        signal.signal(number, lambda _number, _frame: os._exit(0))


def leave(status: int) -> NoReturn:
    """End with an exit status, whatever the process is told meanwhile."""
    for number in NUMBERS:
        signal.signal(number, signal.SIG_IGN)
    sys.exit(status)
