"""`python -m benchmarks.solvers.openings`: mean guesses after each opening of FoCdle.

Each is compared with the first of its kind, which the solver plays without a generator. Parts are
chosen evenly through all secrets in the order of their parts' sizes, and played whole.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from benchmarks.common import write_lines
from engine.choice import Allowed, Goal
from engine.focdle import LONGEST, SHORTEST, Focdle
from engine.solvers import openings
from engine.solvers.focdle.space import FocdleSpace
from engine.solvers.space import PAIR, Columns, spread

PARTS: Final = 300


def table(lengths: Sequence[int], kinds: Sequence[Allowed], parts: int) -> Iterator[str]:
    yield "| length | guesses | opening | mean | beside the first |"
    yield "|---|---|---|---|---|"
    for length in lengths:
        for kind in kinds:
            first = 0.0
            for opening in openings(Focdle(length), kind):
                mean, error = mean_after(opening, kind, parts)
                first = first or mean
                share = f"{mean / first - 1:+.2%}"
                yield f"| {length} | {kind} | {opening} | {mean:.4f} ± {error:.4f} | {share} |"


def mean_after(opening: str, kind: Allowed, parts: int) -> tuple[float, float]:
    """The mean guesses after an opening, and its standard error: 0 if every part is played."""
    space = FocdleSpace(Focdle(len(opening)))
    everything = space.everything()
    numbers = space.numbers(space.read(opening), everything)
    _, part_of, sizes = np.unique(numbers, return_inverse=True, return_counts=True)
    members = np.argsort(part_of, kind="stable")
    ends = np.cumsum(sizes)
    if parts >= len(sizes):
        chosen, weights = np.arange(len(sizes)), sizes / len(members)
    else:
        by_size = np.lexsort((part_of, sizes[part_of]))
        chosen = part_of[by_size[spread(len(members), parts)]]
        weights = np.full(parts, 1 / parts)
    means = np.array(
        [
            1 + _further(space, kind, everything[:, members[ends[part] - sizes[part] : ends[part]]])
            if numbers[members[ends[part] - 1]] != space.solving
            else 1
            for part in chosen
        ]
    )
    # Parts of a size are alike: what differs is between neighbours.
    error = np.sqrt((np.diff(means) ** 2).mean() / 2 / parts) if parts < len(sizes) else 0
    return float((means * weights).sum()), float(error)


def _further(space: FocdleSpace, kind: Allowed, columns: Columns) -> float:
    """The mean guesses that the solver takes from these candidates on, after one guess."""

    def total(columns: Columns, made: int) -> int:
        count = columns.shape[1]
        if count <= PAIR:
            return count * (count + 1) // 2
        numbers = space.numbers(space.choose(columns, kind, Goal.MEAN, made), columns)
        left = np.unique(numbers[numbers != space.solving])
        return count + sum(total(columns.compress(numbers == n, axis=1), made + 1) for n in left)

    return total(columns, 1) / columns.shape[1]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog=f"python -m {__name__}", description=__doc__)
    parser.add_argument("--lengths", type=int, nargs="+", default=range(SHORTEST, LONGEST + 1))
    parser.add_argument("--kinds", type=Allowed, nargs="+", default=list(Allowed))
    parser.add_argument("--parts", type=int, default=PARTS, help="of each opening")
    options = parser.parse_args(arguments)
    write_lines(table(options.lengths, options.kinds, options.parts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
