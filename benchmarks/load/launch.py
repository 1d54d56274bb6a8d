"""What a bot's process runs: the program as it is, told that Discord is at another address.

    python -m benchmarks.load.launch MODULE ADDRESS

The module has a function `main`, which returns an exit status. The process is measured from within,
tells what it has taken whenever somebody asks, and ends when its standard input does.
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
    """What a process has taken: seconds of processor time, its loop's longest pause, memory."""

    processor: float
    pause: float
    megabytes: float


class Gauge:
    """Watches the process it is in.

    It costs a timer twenty-five times a second, so that a pause may be longer by as much of one
    than it says, and a thread that waits for lines.
    """

    def __init__(self) -> None:
        self._pause = 0.0
        self._is_watching = False

    def watch(self, loop: asyncio.AbstractEventLoop) -> None:
        """Note from now on how late a timer of this event loop is; once is enough."""
        if not self._is_watching:
            self._is_watching = True
            self._wait(loop)

    def answer_questions(self) -> None:
        """Answer each line of the standard input; when it ends, so does the process."""
        threading.Thread(target=self._answer, daemon=True).start()

    def _wait(self, loop: asyncio.AbstractEventLoop) -> None:
        loop.call_later(_TICK_SECONDS, self._tick, loop, loop.time() + _TICK_SECONDS)

    def _tick(self, loop: asyncio.AbstractEventLoop, due: float) -> None:
        self._pause = max(self._pause, loop.time() - due)
        self._wait(loop)

    def _answer(self) -> None:
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
    gauge.answer_questions()
    status: int = program()
    return status


if __name__ == "__main__":
    sys.exit(main())
