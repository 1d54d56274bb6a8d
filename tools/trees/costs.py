"""Costs of sets of possible codes by their size: the guesses that all their codes take together."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

_MARGIN: Final = 0.1
_FEWEST: Final = 3
"""Of sets of about one size, from which their cost is learned; large ones may be single."""
_LARGE: Final = 120
_STEP: Final = 1.2
_EXCESS: Final = 0.03
_LUCK: Final = 0.07
_MOST_LUCK: Final = 5.0


@dataclass(frozen=True, slots=True)
class Costs:
    """What sets of a size are expected to cost.

    Attributes:
        per_code: guesses per code of sets of so many codes, by growing size; interpolated by
            log(size).
        margin: no set is thought to cost a larger share less than expected.
    """

    per_code: tuple[tuple[float, float], ...]
    margin: float

    @classmethod
    def learned(cls, solved: Iterable[tuple[int, int]]) -> Self:
        """The costs of sets of about one size, on average, where there are enough of them.

        Args:
            solved: sizes of sets and what they cost; some of at least three codes.
        """
        knots: list[tuple[float, float]] = []
        for sizes, costs in _by_size(sorted(solved)):
            size, cost = sum(sizes) / len(sizes), sum(costs) / sum(sizes)
            if not knots or size > knots[-1][0]:
                knots.append((size, max(cost, knots[-1][1] if knots else cost)))
        return cls(tuple(knots), _MARGIN)

    def expected(self, most: int) -> NDArray[np.float64]:
        """What sets of 0 to `most` codes are expected to cost; sets of up to two exactly."""
        sizes = np.arange(most + 1)
        knots = np.array(self.per_code)
        logs = np.log2(np.maximum(sizes, 1))
        costs = sizes * np.interp(logs, np.log2(knots[:, 0]), knots[:, 1])
        costs[:3] = (0, 1, 3)[: most + 1]
        return costs

    def least(self, most: int, replies: int, small: int) -> NDArray[np.int64]:
        """What sets of 0 to `most` codes cost at least.

        A guess solves one code at most and leaves no more than `replies` - 1 sets, at best of
        even sizes; this is exact reasoning. Above `small` codes it is so far from the truth that
        a little less than the expected cost is taken instead.
        """
        costs = np.zeros(most + 2, np.int64)
        costs[1:3] = (1, 3)
        for size in range(3, most + 1):
            even, larger = divmod(size - 1, replies - 1)
            costs[size] = size + (replies - 1 - larger) * costs[even] + larger * costs[even + 1]
        costs = costs[:-1]
        likely = np.floor(self.expected(most) * (1 - self.margin) - 0.5).astype(np.int64)
        likely[: small + 1] = 0
        return np.maximum(costs, likely)


def _by_size(solved: list[tuple[int, int]]) -> Iterator[tuple[list[int], list[int]]]:
    """Sizes and costs of sets of about one size, the smaller first."""
    sizes: list[int] = []
    costs: list[int] = []
    for size, cost in solved:
        if sizes and size > _STEP * sizes[0] and (len(sizes) >= _FEWEST or size > _LARGE):
            yield sizes, costs
            sizes, costs = [], []
        sizes.append(size)
        costs.append(cost)
    if sizes:
        yield sizes, costs


# Up to 16 the mean over a million sets that good guesses leave, above it what solved sets took;
# no set was seen to beat them by more than the margin.
BULLS_4: Final = Costs(
    (
        (3, 1.683), (4, 1.795), (5, 1.868), (6, 1.930), (7, 1.980), (8, 2.018), (9, 2.078),
        (10, 2.116), (11, 2.173), (12, 2.211), (13, 2.262), (14, 2.293), (15, 2.340), (17, 2.420),
        (20, 2.450), (24, 2.510), (28, 2.550), (32, 2.600), (36, 2.660), (43, 2.715), (48, 2.760),
        (54, 2.790), (58, 2.830), (70, 2.900), (94, 3.070), (120, 3.200), (150, 3.330),
        (195, 3.450), (284, 3.610), (312, 3.660), (480, 3.960), (720, 4.157), (1260, 4.400),
        (1440, 4.510),
    ),
    margin=0.05,
)  # fmt: skip
"""Those of Bulls and Cows with four digits, from which the smaller games hardly differ."""


def excess(size: int) -> float:
    """How much a small set that has not been solved costs, on average, over its bound."""
    return _EXCESS * size


def luck(size: int, small: int) -> float:
    """How much less a set costs, on average, than the expected costs of its best parts.

    The more parts there are to choose from, the more the best choice gains.
    """
    return min(_LUCK * max(0, size - small), _MOST_LUCK)
