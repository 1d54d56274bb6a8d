"""The process of a measured bot: the unchanged program with another address of Discord.

    python -m benchmarks.load.launch MODULE ADDRESS

The module has a function `main`, which returns an exit status. The process prints its measurements
whenever asked, and ends with its standard input.
"""

import asyncio
import importlib
import json
import os
import signal
import sys
import threading
import time
from dataclasses import asdict, dataclass
from typing import Final

from benchmarks.common import resident
from tests.support.redirect import redirect

_TICK_SECONDS: Final = 0.04


@dataclass(frozen=True, slots=True)
class Reading:
    """Measurements of a process: seconds of processor time, longest pause of its loop, memory."""

    processor: float
    pause: float
    megabytes: float


class Gauge:
    """Measures its own process.

    It costs a timer twenty-five times a second, so a pause may be up to one interval longer than
    measured, and a thread that waits for lines.
    """

    def __init__(self) -> None:
        self._pause = 0.0
        self._is_watching = False

    def watch(self, loop: asyncio.AbstractEventLoop) -> None:
        """Measure from now on how late a timer of this event loop is; idempotent."""
        if not self._is_watching:
            self._is_watching = True
            self._wait(loop)

    def _wait(self, loop: asyncio.AbstractEventLoop) -> None:
        loop.call_later(_TICK_SECONDS, self._tick, loop, loop.time() + _TICK_SECONDS)

    def _tick(self, loop: asyncio.AbstractEventLoop, due: float) -> None:
        self._pause = max(self._pause, loop.time() - due)
        self._wait(loop)

    def answer(self) -> None:
        """Answer each line of the standard input; its end ends the process."""
        for _ in sys.stdin:
            pause, self._pause = self._pause, 0.0
            reading = asdict(Reading(time.process_time(), pause, resident()))
            sys.stdout.write(f"{json.dumps(reading)}\n")
            sys.stdout.flush()
        os.kill(os.getpid(), signal.SIGTERM)


def main() -> int:
    module, address, *sys.argv[1:] = sys.argv[1:]
    gauge = Gauge()
    redirect(address, gauge.watch)
    program = importlib.import_module(module).main
    threading.Thread(target=gauge.answer, daemon=True).start()
    status: int = program()
    return status


if __name__ == "__main__":
    sys.exit(main())
