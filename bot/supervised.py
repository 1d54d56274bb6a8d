"""What a process and its supervisor have agreed on.

The process ends when its input does, so that it never outlives its supervisor, however that ends;
on its output it says how far it is.
"""

import asyncio
import os
import sys
import threading
import time
from contextlib import suppress
from typing import Final

OPEN: Final = "open"
"""The database is up to date: others may begin."""
READY: Final = "ready"
"""The process knows its servers."""
ASK_AT: Final = "health"
"""Before a port of this machine's: there the process tells how it is, if its host wants to know."""

_INPUT: Final = 0
# What goes on for longer has hung.
_LONGEST_END_SECONDS: Final = 20.0


def say(how_far: str) -> None:
    """Tell the supervisor; one that is gone need not know."""
    with suppress(OSError):
        sys.stdout.write(how_far + "\n")
        sys.stdout.flush()


def stop_with_input(stopping: asyncio.Event) -> None:
    """Set an event when the input ends, and end the process if it does not do so by itself."""
    loop = asyncio.get_running_loop()

    def wait() -> None:
        with suppress(OSError):
            while os.read(_INPUT, 1):
                pass
        with suppress(RuntimeError):  # the loop has ended by itself
            loop.call_soon_threadsafe(stopping.set)
        time.sleep(_LONGEST_END_SECONDS)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
