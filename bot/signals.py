"""Signals that tell the process to stop."""

import asyncio
import signal
from contextlib import suppress

from bot.ending import NUMBERS


def stop_when_told(stopping: asyncio.Event) -> None:
    """Have SIGTERM or SIGINT, Ctrl-C that is, set an event from now on, in this event loop.

    It stays so when the loop has ended: nobody who is told twice ends otherwise.
    """
    loop = asyncio.get_running_loop()

    def stop(_number: int, _frame: object) -> None:
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(stopping.set)

    for number in NUMBERS:
        signal.signal(number, stop)
