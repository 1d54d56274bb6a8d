"""Shorter pauses of the event loop, in a process with threads that compute."""

import gc
import sys
from typing import Final

# A thread computes for 5 ms before another may go on, unless it is told otherwise, and whoever
# clicks waits for the thread of the database and back, statement by statement.
_TURN_SECONDS: Final = 0.0005


def shorten_pauses() -> None:
    """Let threads take turns more often, and collections of garbage leave out what stays.

    To be called when all is imported and built: that is left out from then on.
    """
    sys.setswitchinterval(_TURN_SECONDS)
    gc.collect()
    gc.freeze()
