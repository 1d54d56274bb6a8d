"""What was measured, as tables: aligned for a terminal, and Markdown at the same time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import median
from typing import Final

from benchmarks.load.measured import MOST_SHARE, Load, Played, Took
from benchmarks.load.players import Act
from benchmarks.table import aligned

Bots = Mapping[str, Sequence[Played]]
"""What each bot has shown with one crowd, round by round."""

REAL: Final = "real"
EMPTY: Final = "empty"

_MILLISECONDS: Final = 1000
_PERCENT: Final = 100

Figure = Callable[[Took], float]

_RATIOS: Final[Mapping[str, Figure]] = {
    "p50": lambda took: took.all.within(0.5),
    "p99": lambda took: took.all.within(0.99),
    "processor": lambda took: took.processor,
}


@dataclass(frozen=True, slots=True)
class Found:
    """What all rounds have shown of one load.

    Attributes:
        load: which.
        took: what it took of each bot, round by round.
    """

    load: Load
    took: Mapping[str, Sequence[Took]]

    def counting(self, bot: str) -> list[Took]:
        """Of the rounds, those in which the bot was measured, not the stand-in."""
        return [took for took in self.took[bot] if took.counts]

    def ratios(self, figure: Figure) -> list[float]:
        """How many times what it takes of the empty bot it takes of the real one, ascending."""
        pairs = zip(self.took[REAL], self.took[EMPTY], strict=True)
        return sorted(
            figure(real) / figure(empty)
            for real, empty in pairs
            if real.counts and empty.counts and figure(real) > 0 and figure(empty) > 0
        )


def found_in(loads: Sequence[Load], bots: Bots) -> list[Found]:
    """What was found of each load that a crowd has made."""
    return [
        Found(load, {bot: [each.took[place] for each in played] for bot, played in bots.items()})
        for place, load in enumerate(loads)
    ]


def tables(found: Sequence[Found], bots: Sequence[Bots]) -> str:
    """All tables.

    Args:
        found: of all crowds.
        bots: for each crowd, what each bot has shown.
    """
    parts = (
        "Real bot / empty bot: median of the rounds (least-most)\n",
        aligned([*_ratios(found)]),
        "Each bot: median of the rounds; the pause is the longest, counts are of all rounds\n",
        aligned([*_figures(found)]),
        "Kinds of acts; the empty bot answers each of them with its one board\n",
        aligned([*_kinds(found)]),
        "From start to ready, memory before anybody comes, what other programs took meanwhile\n",
        aligned([*_starts(bots)]),
    )
    return "\n".join(parts)


def _ratios(found: Sequence[Found]) -> Iterator[list[str]]:
    yield ["load", *_RATIOS, "rounds that count"]
    for each in found:
        cells = [_spread(each.ratios(figure)) for figure in _RATIOS.values()]
        counted = len(each.ratios(lambda _: 1.0))
        yield [str(each.load), *cells, f"{counted} of {len(each.took[REAL])}"]


def _figures(found: Sequence[Found]) -> Iterator[list[str]]:
    times = ("p50 ms", "p99 ms", "max ms", "processor ms an act", "done a second")
    counts = ("missed 3 s", "busy", "wrong")
    yield ["load", "bot", *times, *counts, "pause ms", "stand-in, % of a core"]
    for each in found:
        for bot in each.took:
            yield [str(each.load), bot, *_cells(each.counting(bot), each.took[bot])]


def _cells(counting: Sequence[Took], rounds: Sequence[Took]) -> Iterator[str]:
    """A bot's figures: times of the rounds that count, counts of all."""
    for part in (0.5, 0.99, 1):
        yield _median([took.all.within(part) * _MILLISECONDS for took in counting])
    yield _median([took.processor * _MILLISECONDS for took in counting], digits=2)
    yield _median([took.pace for took in counting], digits=0)
    yield _of_all(sum(took.all.missed for took in rounds), rounds)
    yield _of_all(sum(took.all.busy for took in rounds), rounds)
    yield _of_all(sum(took.all.wrong for took in rounds), rounds)
    yield f"{max(took.pause for took in rounds) * _MILLISECONDS:.0f}"
    shares = " ".join(_share(took) for took in rounds)
    yield shares


def _share(took: Took) -> str:
    """What the stand-in took; marked where that is too much."""
    mark = "" if took.share <= MOST_SHARE else " (void)"
    return f"{took.share * _PERCENT:.0f}{mark}"


def _kinds(found: Sequence[Found]) -> Iterator[list[str]]:
    times = ("p50 ms", "p99 ms", "max ms")
    yield ["load", "act", "bot", "acts", *times, "missed 3 s", "busy", "wrong"]
    for each, act, bot in product(found, Act, (REAL, EMPTY)):
        waits = [took.waits[act] for took in each.took[bot] if act in took.waits]
        if waits:
            together = sum(waits[1:], waits[0])
            waited = (together.within(part) * _MILLISECONDS for part in (0.5, 0.99, 1))
            counts = (together.missed, together.busy, together.wrong)
            cells = (*(f"{time:.1f}" for time in waited), *map(str, counts))
            yield [str(each.load), act, bot, str(len(together)), *cells]


def _starts(bots: Sequence[Bots]) -> Iterator[list[str]]:
    yield ["bot", "seconds", "MB", "others, cores"]
    for bot in (REAL, EMPTY):
        played = [each for crowd in bots for each in crowd[bot]]
        seconds = _median([each.ready for each in played], digits=2)
        others = " ".join("?" if each.others is None else f"{each.others:.1f}" for each in played)
        yield [bot, seconds, _median([each.megabytes for each in played], digits=0), others]


def _spread(values: Sequence[float]) -> str:
    if not values:
        return "-"
    return f"{median(values):.1f} ({values[0]:.1f}-{values[-1]:.1f})"


def _median(values: Sequence[float], *, digits: int = 1) -> str:
    return f"{median(values):.{digits}f}" if values else "-"


def _of_all(number: int, rounds: Sequence[Took]) -> str:
    return f"{number} of {sum(len(took.all) for took in rounds)}"
