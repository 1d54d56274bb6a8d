"""Measurements of loads, and their tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from statistics import median
from typing import Final

from benchmarks.common import aligned
from benchmarks.load.players import Act

REAL: Final = "real"
EMPTY: Final = "empty"
MOST_SHARE: Final = 0.7
"""Of a core, what the stand-in may take; else it is measured itself, and the round is void."""


@dataclass(frozen=True, slots=True, order=True)
class Load:
    """A load: one act of each player, within `seconds` or, with 0, at once."""

    players: int
    is_mixed: bool
    seconds: float

    def __str__(self) -> str:
        when = f"{self.players / self.seconds:.0f} a second" if self.seconds else "at once"
        return f"{self.players:,} players, {'mixed' if self.is_mixed else 'guesses'}, {when}"


@dataclass(slots=True)
class Waits:
    """The answers to acts.

    Attributes:
        seconds: the waits for first answers.
        missed: acts without an answer in Discord's time.
        busy: acts refused because the bot is busy.
        wrong: acts with another answer than requested.
    """

    seconds: list[float] = field(default_factory=list[float])
    missed: int = 0
    busy: int = 0
    wrong: int = 0

    def __len__(self) -> int:
        return len(self.seconds) + self.missed

    @property
    def done(self) -> int:
        """The number of correct answers."""
        return len(self.seconds) - self.busy - self.wrong

    def milliseconds(self, part: float) -> float:
        """Return a percentile of the waits; 0 without any."""
        waited = sorted(self.seconds)
        return 1000 * waited[min(int(part * len(waited)), len(waited) - 1)] if waited else 0.0

    def __add__(self, other: "Waits") -> "Waits":
        return Waits(
            self.seconds + other.seconds,
            self.missed + other.missed,
            self.busy + other.busy,
            self.wrong + other.wrong,
        )


@dataclass(frozen=True, slots=True)
class Took:
    """The measurements of a load.

    Attributes:
        waits: by kind of act.
        used: seconds of processor time, of all threads of the bot's process.
        seconds: from the first act to the last answer.
        pause: the event loop's longest, in seconds.
        share: the simulated Discord's share of a core.
    """

    waits: Mapping[Act, Waits]
    used: float
    seconds: float
    pause: float
    share: float

    @property
    def all(self) -> Waits:
        return sum(self.waits.values(), Waits())

    @property
    def processor(self) -> float:
        """Milliseconds of processor time for each correct answer; 0 without any."""
        done = self.all.done
        return 1000 * self.used / done if done else 0.0

    @property
    def counts(self) -> bool:
        """True if the simulated Discord was not the bottleneck."""
        return self.share <= MOST_SHARE


@dataclass(frozen=True, slots=True)
class Played:
    """One start of a bot: seconds to start, megabytes then, and its loads."""

    ready: float
    megabytes: float
    took: Sequence[Took]


Bots = Mapping[str, Sequence[Played]]
"""What each bot has shown with one crowd, round by round."""
Figure = Callable[[Took], float]

_RATIOS: Final[Mapping[str, Figure]] = {
    "p50": lambda took: took.all.milliseconds(0.5),
    "p99": lambda took: took.all.milliseconds(0.99),
    "processor": lambda took: took.processor,
}


@dataclass(frozen=True, slots=True)
class Found:
    """A load's measurements of each bot, by repetition."""

    load: Load
    took: Mapping[str, Sequence[Took]]

    def ratios(self, figure: Figure) -> list[float]:
        """List the ratios of a figure, real bot to empty bot, ascending."""
        pairs = zip(self.took[REAL], self.took[EMPTY], strict=True)
        return sorted(
            figure(real) / figure(empty)
            for real, empty in pairs
            if real.counts and empty.counts and figure(real) > 0 and figure(empty) > 0
        )


def found_in(loads: Sequence[Load], bots: Bots) -> list[Found]:
    return [
        Found(load, {bot: [each.took[place] for each in played] for bot, played in bots.items()})
        for place, load in enumerate(loads)
    ]


def tables(found: Sequence[Found], bots: Sequence[Bots]) -> str:
    """Format all tables: a summary, and one for each load."""
    parts = (
        "Real bot / empty bot: median of the rounds (least-most)\n",
        aligned([*_ratios(found)]),
        "Each bot: median of the rounds; the pause is the longest, counts are of all rounds\n",
        aligned([*_figures(found)]),
        "Kinds of acts; the empty bot answers each of them with its one board\n",
        aligned([*_kinds(found)]),
        "From start to ready, memory before anybody comes\n",
        aligned([*_starts(bots)]),
    )
    return "\n".join(parts)


def _ratios(found: Sequence[Found]) -> Iterator[list[str]]:
    yield ["load", *_RATIOS, "rounds that count"]
    for each in found:
        ratios = [each.ratios(figure) for figure in _RATIOS.values()]
        cells = [f"{median(r):.1f} ({r[0]:.1f}-{r[-1]:.1f})" if r else "-" for r in ratios]
        counted = len(each.ratios(lambda _: 1.0))
        yield [str(each.load), *cells, f"{counted} of {len(each.took[REAL])}"]


def _figures(found: Sequence[Found]) -> Iterator[list[str]]:
    times = ("p50 ms", "p99 ms", "max ms", "processor ms an act", "done a second")
    counts = ("missed 3 s", "busy", "wrong")
    yield ["load", "bot", *times, *counts, "pause ms", "stand-in, % of a core"]
    for each, bot in product(found, (REAL, EMPTY)):
        rounds = each.took[bot]
        counting = [took for took in rounds if took.counts]
        waits = sum((took.all for took in rounds), Waits())
        cells = [
            _median([took.all.milliseconds(part) for took in counting]) for part in (0.5, 0.99, 1)
        ]
        cells.append(_median([took.processor for took in counting], digits=2))
        cells.append(_median([took.all.done / took.seconds for took in counting], digits=0))
        cells += [f"{n} of {len(waits)}" for n in (waits.missed, waits.busy, waits.wrong)]
        cells.append(f"{max(1000 * took.pause for took in rounds):.0f}")
        shares = ((f"{100 * took.share:.0f}", "" if took.counts else " (void)") for took in rounds)
        cells.append(" ".join(share + mark for share, mark in shares))
        yield [str(each.load), bot, *cells]


def _kinds(found: Sequence[Found]) -> Iterator[list[str]]:
    times, counts = ("p50 ms", "p99 ms", "max ms"), ("missed 3 s", "busy", "wrong")
    yield ["load", "act", "bot", "acts", *times, *counts]
    for each, act, bot in product(found, Act, (REAL, EMPTY)):
        waits = sum((took.waits[act] for took in each.took[bot] if act in took.waits), Waits())
        if waits:
            waited = (f"{waits.milliseconds(part):.1f}" for part in (0.5, 0.99, 1))
            figures = (len(waits), *waited, waits.missed, waits.busy, waits.wrong)
            yield [str(each.load), act, bot, *map(str, figures)]


def _starts(bots: Sequence[Bots]) -> Iterator[list[str]]:
    yield ["bot", "seconds", "MB"]
    for bot in (REAL, EMPTY):
        played = [each for crowd in bots for each in crowd[bot]]
        seconds = _median([each.ready for each in played], digits=2)
        yield [bot, seconds, _median([each.megabytes for each in played], digits=0)]


def _median(values: Sequence[float], *, digits: int = 1) -> str:
    return f"{median(values):.{digits}f}" if values else "-"
