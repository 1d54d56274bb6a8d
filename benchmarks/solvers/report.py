"""Results and bounds of a table's rows, and the table."""

import json
import math
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from pathlib import Path
from statistics import stdev
from typing import Any, Final, TypeVar

from benchmarks.common import aligned

Q = TypeVar("Q")
A = TypeVar("A")
T = TypeVar("T")

_SLACK: Final = 2
_NEAR: Final = 3
_MEGABYTE: Final = 2**20
_COLD: Final = 2
"""So many answers of a process are not counted among the others."""
_PATIENCE: Final = 10.0
"""Seconds between two words about progress."""
_STATUS: Final = Path("/proc/self/status")
_TEXTS: Final = (
    "row",
    "method",
    "mean",
    "max",
    "distribution",
    "n",
    "best published",
    "bound",
    "verdict",
)
_SMALL: Final = 10


class Figure(StrEnum):
    MEAN = "mean"
    """Guesses a game, on average; over every secret, or with the error below."""
    ERROR = "s.e."
    """The standard error of a mean over drawn games."""
    TOTAL = "total"
    """The guesses that all secrets take together."""
    MOST = "max"
    """The guesses of the longest game."""
    LOST = "lost %"
    """The share of games, in percent, that take more guesses than a player has."""
    COUNT = "n"
    """How many games, or other events, were measured."""
    MEDIAN = "median ms"
    """Of the milliseconds that answers took; the first two and looked-up openings left out."""
    P99 = "p99 ms"
    WORST = "worst ms"
    MEMORY = "MB"
    """The most memory that the process had at any time."""
    FIRST = "first s"
    """Seconds from a fresh process until the first answer."""
    SECOND = "second s"
    """The same until the second answer."""


class Rule(Enum):
    """The comparison of a figure with a bound's limit."""

    AT_MOST = "<="
    """Not more; a mean over drawn games may be two standard errors above."""
    EXACTLY = "="
    ABOUT = "~"
    """No further away than three standard errors of figure and limit together."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound of one figure; `error` is the limit's own, if it was measured."""

    figure: Figure
    limit: float
    rule: Rule = Rule.AT_MOST
    error: float = 0.0

    def is_kept(self, figures: Mapping[Figure, float]) -> bool:
        """Check the bound; a missing figure breaks it."""
        if self.figure not in figures:
            return False
        value = figures[self.figure]
        error = figures.get(Figure.ERROR, 0.0) if self.figure is Figure.MEAN else 0.0
        if self.rule is Rule.EXACTLY:
            return value == self.limit
        if self.rule is Rule.ABOUT:
            return abs(value - self.limit) <= _NEAR * math.hypot(error, self.error)
        return value - _SLACK * error <= self.limit


@dataclass(frozen=True, slots=True)
class Findings:
    """A measurement's figures, the distribution of guesses, and the strategy if it is whole."""

    figures: Mapping[Figure, float]
    distribution: Mapping[int, int] = field(default_factory=dict[int, int])
    tree: Mapping[str, Any] | None = field(default=None, compare=False)

    def to_json(self) -> str:
        return json.dumps([self.figures, self.distribution])

    @classmethod
    def from_json(cls, text: str) -> "Findings":
        figures, distribution = json.loads(text)
        return cls(
            {Figure(figure): value for figure, value in figures.items()},
            {int(guesses): n for guesses, n in distribution.items()},
        )


def count_guesses(
    tally: Counter[int], costs: Mapping[Figure, float], *, exhaustive: bool
) -> Findings:
    """Build the figures of games; `exhaustive` says that they cover all secrets, each once."""
    total = sum(guesses * n for guesses, n in tally.items())
    figures = {
        Figure.MEAN: total / tally.total(),
        Figure.MOST: max(tally),
        Figure.COUNT: tally.total(),
        **costs,
    }
    if exhaustive:
        figures[Figure.TOTAL] = total
    elif tally.total() > 1:
        figures[Figure.ERROR] = stdev(tally.elements()) / math.sqrt(tally.total())
    return Findings(figures, dict(sorted(tally.items())))


def lost_share(tally: Counter[int], most: int) -> float:
    """Compute the percentage of games that take more than `most` guesses."""
    return 100 * sum(n for guesses, n in tally.items() if guesses > most) / tally.total()


class Watch:
    """A stopwatch for answers, in a process that was just started."""

    def __init__(self, name: str, started: float) -> None:
        self._name = name
        self._started = started
        self._answered: list[float] = []
        self._times: list[float] = []
        self._told = started

    def ask(self, answer: Callable[[Q], A], question: Q) -> A:
        """Time an answer, and return it."""
        begin = time.perf_counter()
        found = answer(question)
        spent = time.perf_counter() - begin
        if len(self._answered) < _COLD:
            self._answered.append(now() - self._started)
        else:
            self._times.append(spent)
        return found

    def costs(self) -> dict[Figure, float]:
        """Summarise the times so far."""
        cold = zip((Figure.FIRST, Figure.SECOND), self._answered, strict=False)
        return {**summary(self._times), Figure.MEMORY: peak_memory(), **dict(cold)}

    def along(self, things: Iterable[T], count: int) -> Iterator[T]:
        """Pass things through, reporting progress now and then."""
        for done, thing in enumerate(things):
            self.tell(done, count)
            yield thing

    def tell(self, done: int, count: int) -> None:
        """Report progress, but not too often."""
        if now() - self._told >= _PATIENCE:
            self._told = now()
            say(f"{self._name}: {done} / {count}")


def say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def now() -> float:
    """Read the clock that all processes of a machine share."""
    return time.monotonic()


def summary(seconds: Sequence[float]) -> dict[Figure, float]:
    """Summarise times as median, 99th percentile and worst, in milliseconds; empty without any."""
    if not seconds:
        return {}
    ordered = sorted(1000 * spent for spent in seconds)

    def rank(share: float) -> float:
        return ordered[max(0, math.ceil(share * len(ordered)) - 1)]

    return {Figure.MEDIAN: rank(0.5), Figure.P99: rank(0.99), Figure.WORST: ordered[-1]}


def peak_memory() -> float:
    """Return the peak memory of this process in megabytes."""
    if _STATUS.exists():
        # On Linux getrusage also counts what ran in this process before the program.
        lines = _STATUS.read_text(encoding="ascii", errors="replace").splitlines()
        sizes = [line.split()[1] for line in lines if line.startswith("VmHWM:")]
        if sizes:
            return int(sizes[0]) * 1024 / _MEGABYTE
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / _MEGABYTE if sys.platform == "darwin" else most * 1024 / _MEGABYTE


class Verdict(Enum):
    """The result of a row's bounds."""

    PASSED = "pass"
    MISSED = "MISS"
    UNBOUND = "-"
    """Nothing was promised."""
    FAILED = "error"
    """It could not be measured."""


@dataclass(frozen=True, slots=True)
class Result:
    """A measured row; without findings if it failed."""

    name: str
    method: str
    published: str
    bounds: tuple[Bound, ...]
    findings: Findings | None

    @property
    def verdict(self) -> Verdict:
        if self.findings is None:
            return Verdict.FAILED
        if not self.bounds:
            return Verdict.UNBOUND
        kept = all(bound.is_kept(self.findings.figures) for bound in self.bounds)
        return Verdict.PASSED if kept else Verdict.MISSED


_COSTS: Final = (
    Figure.MEDIAN,
    Figure.P99,
    Figure.WORST,
    Figure.MEMORY,
    Figure.FIRST,
    Figure.SECOND,
)
_SHOWN_WITH_BOUND: Final = {Figure.TOTAL, Figure.LOST}
_SECONDS: Final = {Figure.FIRST, Figure.SECOND}
_WHOLE: Final = {Figure.TOTAL, Figure.MOST, Figure.COUNT, Figure.MEMORY}


def table(results: Sequence[Result]) -> str:
    return aligned([[*_TEXTS, *_COSTS], *map(_cells, results)])


def _cells(result: Result) -> list[str]:
    findings = result.findings or Findings({})
    figures = findings.figures
    return [
        result.name,
        result.method,
        _mean(findings),
        _shown(findings, Figure.MOST),
        " ".join(f"{guesses}:{n}" for guesses, n in sorted(findings.distribution.items())),
        _shown(findings, Figure.COUNT),
        result.published,
        ", ".join(_promise(bound, findings) for bound in result.bounds),
        result.verdict.value,
        *(_number(cost, figures[cost]) if cost in figures else "" for cost in _COSTS),
    ]


def _mean(findings: Findings) -> str:
    figures = findings.figures
    if Figure.MEAN not in figures:
        return ""
    if Figure.TOTAL in figures:
        return f"{figures[Figure.MEAN]:.4f} exhaustive"
    error = f" ± {figures[Figure.ERROR]:.3f}" if Figure.ERROR in figures else ""
    return f"{figures[Figure.MEAN]:.3f}{error}"


def _shown(findings: Findings, figure: Figure) -> str:
    return _number(figure, findings.figures[figure]) if figure in findings.figures else ""


def _promise(bound: Bound, findings: Findings) -> str:
    """Describe a bound, after its figure where no column has that."""
    error = f" ± {bound.error:g}" if bound.rule is Rule.ABOUT else ""
    found = ""
    if bound.figure in _SHOWN_WITH_BOUND and bound.figure in findings.figures:
        found = f"{_shown(findings, bound.figure)} "
    return f"{bound.figure} {found}{bound.rule.value} {bound.limit:,g}{error}"


def _number(figure: Figure, value: float) -> str:
    if figure in _WHOLE:
        return f"{value:,.0f}"
    if figure in _SECONDS:
        return f"{value:.2f}"
    return f"{value:.2f}" if value < _SMALL else f"{value:.0f}"
