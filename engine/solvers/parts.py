"""How a guess divides what is possible: one part for each answer."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

_CHUNK: Final = 1 << 18
# Counting in bins is fastest, unless there are very many, or more than candidates.
_MOST_BINS: Final = 1 << 21


class Parts(NamedTuple):
    """The answers that candidates give to a guess, and how many give each.

    Attributes:
        numbers: the feedback numbers that occur, ascending.
        sizes: how many candidates give each of them, at least 1.
    """

    numbers: NDArray[np.int64]
    sizes: NDArray[np.int64]

    @property
    def total(self) -> int:
        """How many candidates there are."""
        return int(self.sizes.sum())

    @property
    def largest(self) -> int:
        """How many candidates the guess leaves at worst."""
        return int(self.sizes.max())

    @property
    def bits(self) -> float:
        """The expected information: the entropy of the answers (Shannon 1948)."""
        total = self.total
        return float((self.sizes * np.log2(total / self.sizes)).sum()) / total

    def size(self, number: int) -> int:
        """How many candidates give this feedback number; 0 for one that does not occur."""
        return int(self.sizes[self.numbers == number].sum())


def parts_of(numbers: NDArray[np.int32], bins: int) -> Parts:
    """The parts that feedback numbers, one a candidate, make; all are less than `bins`."""
    if bins > min(_MOST_BINS, len(numbers)):
        values, counts = np.unique(numbers, return_counts=True)
        return Parts(values.astype(np.int64), counts.astype(np.int64))
    sizes = np.zeros(bins, np.int64)
    for start in range(0, len(numbers), _CHUNK):
        sizes += np.bincount(numbers[start : start + _CHUNK], minlength=bins)
    values = np.flatnonzero(sizes)
    return Parts(values, sizes[values])
