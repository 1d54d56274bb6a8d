"""Costs of sets of codes: expected by size, and lower bounds.

A guess that splits n codes into p parts leaves, if each part is split into single codes by one of
its own, 3n - p guesses in total; one fewer if the guess is one of the codes. No guess is better,
and it is exact if no part has more than two codes. So the guess with most parts gives a bound, and
usually the cost.
"""

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
_BLOCK: Final = 200_000
"""How many pairs of a set and a guess are looked at together: what fits into a cache."""
_TRIES: Final = 6
"""How many of the guesses with most parts are tried for exactness."""
_PAIR: Final = 2
_MOST_KINDS: Final = 32


@dataclass(frozen=True, slots=True)
class Costs:
    """Expected costs of sets by size.

    Attributes:
        per_code: guesses per code by growing size; interpolated by log(size).
        margin: the largest share by which a set may cost less than expected.
    """

    per_code: tuple[tuple[float, float], ...]
    margin: float

    @classmethod
    def learned(cls, solved: Iterable[tuple[int, int]]) -> Self:
        """Average the costs of solved sets by size, where there are enough.

        Args:
            solved: sizes and costs; some of at least three codes.
        """
        knots: list[tuple[float, float]] = []
        for sizes, costs in _by_size(sorted(solved)):
            size, cost = sum(sizes) / len(sizes), sum(costs) / sum(sizes)
            if not knots or size > knots[-1][0]:
                knots.append((size, max(cost, knots[-1][1] if knots else cost)))
        return cls(tuple(knots), _MARGIN)

    def expected(self, most: int) -> NDArray[np.float64]:
        """Compute the expected costs of sets of 0 to `most` codes; exact up to two."""
        sizes = np.arange(most + 1)
        knots = np.array(self.per_code)
        logs = np.log2(np.maximum(sizes, 1))
        costs = sizes * np.interp(logs, np.log2(knots[:, 0]), knots[:, 1])
        costs[:3] = (0, 1, 3)[: most + 1]
        return costs

    def least(self, most: int, replies: int, small: int) -> NDArray[np.int64]:
        """Compute the least costs of sets of 0 to `most` codes.

        A guess solves one code at most and leaves no more than `replies` - 1 sets, at best of equal
        sizes; this is exact. Above `small` codes the bound is too weak, so it is a little less than
        the expected cost instead.
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
    """Yield sizes and costs of sets of similar size, smaller first."""
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


# Up to 16 the mean over a million sets that good guesses leave, above it the costs of solved sets;
# none was seen to beat them by more than the margin.
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
    """Estimate by how much an unsolved small set exceeds its bound."""
    return _EXCESS * size


def luck(size: int, small: int) -> float:
    """Estimate by how much a set costs less than the expected costs of its best parts.

    The more parts there are to choose from, the more the best choice gains.
    """
    return min(_LUCK * max(0, size - small), _MOST_LUCK)


class Bounds:
    """Lower bounds for subsets of some candidates.

    Args:
        replies: of guesses to candidates, shape (G, n), each less than `kinds`; the first n guesses
            are the candidates themselves.
        kinds: the number of replies, 32 at most; five pegs with repeats have 20.
    """

    def __init__(self, replies: NDArray[np.uint8], kinds: int) -> None:
        self._replies = replies
        self._kinds = kinds
        if kinds > _MOST_KINDS:
            raise AssertionError(f"{kinds} kinds of replies do not fit into a mask")
        narrow = kinds <= np.iinfo(np.uint16).bits  # saves memory traffic
        bits = (1 << np.arange(kinds)).astype(np.uint16 if narrow else np.uint32)
        self._bits = bits[np.ascontiguousarray(replies.T)]

    def of(self, sets: NDArray[np.intp]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Compute lower bounds of sets.

        Args:
            sets: candidates as row numbers, ascending, shape (B, m), m at least 3.

        Returns:
            The bounds, and if they are exact, each of shape (B,).
        """
        count, size = sets.shape
        bounds = np.full(count, 2 * size - 1, np.int64)
        exact = self._split_by_own(sets)
        rest = np.flatnonzero(~exact)
        step = max(1, _BLOCK // len(self._replies))
        for start in range(0, len(rest), step):
            block = rest[start : start + step]
            bounds[block], exact[block] = self._by_parts(sets[block])
        return bounds, exact

    def _split_by_own(self, sets: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Mark the sets that one of their own codes splits into single codes."""
        size = sets.shape[1]
        if size > self._kinds:
            return np.zeros(len(sets), np.bool_)
        bits = self._bits[sets[:, :, None], sets[:, None, :]]
        parts = np.bitwise_count(np.bitwise_or.reduce(bits, axis=1))
        return (parts == size).any(axis=1)

    def _by_parts(self, sets: NDArray[np.intp]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Compute bounds from the guess with most parts."""
        size = sets.shape[1]
        seen = self._bits[sets[:, 0]]
        for column in sets.T[1:]:
            seen |= self._bits[column]
        parts = np.bitwise_count(seen)
        # A guess that is one of the codes is worth one part more.
        own = np.take_along_axis(parts, sets, axis=1) + np.uint8(1)
        np.put_along_axis(parts, sets, own, axis=1)
        most = parts.max(axis=1)
        # With as many parts as codes, or one fewer, no part has more than two codes.
        exact = most >= size
        self._find_exact(sets, parts, most, exact)
        return 3 * size - most.astype(np.int64), exact

    def _find_exact(
        self,
        sets: NDArray[np.intp],
        parts: NDArray[np.uint8],
        most: NDArray[np.uint8],
        exact: NDArray[np.bool_],
    ) -> None:
        """Mark the sets for which a guess with most parts leaves no part over two codes."""
        open_sets = np.flatnonzero(~exact)
        for _ in range(_TRIES):
            guesses = parts[open_sets].argmax(axis=1)
            best = parts[open_sets, guesses] == most[open_sets]
            open_sets, guesses = open_sets[best], guesses[best]
            if not len(open_sets):
                return
            offsets = np.arange(len(open_sets))[:, None] * self._kinds
            flat = self._replies[guesses[:, None], sets[open_sets]] + offsets
            sizes = np.bincount(flat.ravel(), minlength=len(open_sets) * self._kinds)
            found = sizes.reshape(-1, self._kinds).max(axis=1) <= _PAIR
            exact[open_sets[found]] = True
            parts[open_sets, guesses] = 0
            open_sets = open_sets[~found]
