"""Measures what answers cost: time, memory, and the first seconds of a new process."""

import math
import resource
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, TypeVar

from benchmarks.solvers.findings import Figure

Q = TypeVar("Q")
A = TypeVar("A")
T = TypeVar("T")

_MILLISECONDS: Final = 1000
_MEGABYTE: Final = 2**20
_COLD: Final = 2
"""So many answers of a process are not counted among the others."""
_PATIENCE: Final = 10.0
"""Seconds between two words about progress."""
_STATUS: Final = Path("/proc/self/status")
_HIGH_WATER: Final = "VmHWM:"


class Watch:
    """Times the answers that a measurement asks for.

    Args:
        name: of what is measured, for words about progress.
        started: when the process was started, by the clock of `now`.
    """

    def __init__(self, name: str, started: float) -> None:
        self._name = name
        self._started = started
        self._answered: list[float] = []
        self._times: list[float] = []
        self._told = started

    def ask(self, answer: Callable[[Q], A], question: Q) -> A:
        """The answer to a question; how long it takes is noted.

        Args:
            answer: what gives it.
            question: what it is given.
        """
        begin = time.perf_counter()
        found = answer(question)
        spent = time.perf_counter() - begin
        if len(self._answered) < _COLD:
            self._answered.append(now() - self._started)
        else:
            self._times.append(spent)
        return found

    def costs(self) -> dict[Figure, float]:
        """What the answers have cost so far."""
        cold = zip((Figure.FIRST, Figure.SECOND), self._answered, strict=False)
        return {**summary(self._times), Figure.MEMORY: peak_memory(), **dict(cold)}

    def along(self, things: Iterable[T], count: int) -> Iterator[T]:
        """The same things; says now and then which one is up."""
        for done, thing in enumerate(things):
            self.tell(done, count)
            yield thing

    def tell(self, done: int, count: int) -> None:
        """Say how far the measurement is, but not too often."""
        if now() - self._told >= _PATIENCE:
            self._told = now()
            say(f"{self._name}: {done} / {count}")


def say(text: str) -> None:
    """A line for whoever waits."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def now() -> float:
    """Seconds by a clock that all processes of a machine share."""
    return time.monotonic()


def summary(seconds: Sequence[float]) -> dict[Figure, float]:
    """Median, 99th percentile and worst of times, in milliseconds; nothing of none."""
    if not seconds:
        return {}
    ordered = sorted(spent * _MILLISECONDS for spent in seconds)

    def rank(share: float) -> float:
        return ordered[max(0, math.ceil(share * len(ordered)) - 1)]

    return {Figure.MEDIAN: rank(0.5), Figure.P99: rank(0.99), Figure.WORST: ordered[-1]}


def peak_memory() -> float:
    """The most megabytes that this process had in memory at any time."""
    if _STATUS.exists():
        # On Linux getrusage also counts what stood here before the program was loaded.
        lines = _STATUS.read_text(encoding="ascii", errors="replace").splitlines()
        sizes = [line.split()[1] for line in lines if line.startswith(_HIGH_WATER)]
        if sizes:
            return int(sizes[0]) * 1024 / _MEGABYTE
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / _MEGABYTE if sys.platform == "darwin" else most * 1024 / _MEGABYTE
