"""The most promising guesses of a node and the sets of codes that they leave."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tools.trees.nodes import Node

_PAIR = 2


class Options:
    """Guesses with their parts; equal parts of several guesses are one set here.

    Args:
        node: where the guesses are made.
        rows: which of its guesses, shape (K,).
        sizes: of their parts, shape (K, kinds).
        tokens: a random number for every code of the game; a set's key is their sum.

    Attributes:
        keys: of the sets of at least three codes, shape (U,).
        lengths: how many codes these sets have.
        floors: what they cost at least.
        expected: about what they cost.
        solved: whether the floor is the cost.
        peeked: whether the expectation comes from a look at all guesses.
    """

    def __init__(
        self,
        node: Node,
        rows: NDArray[np.intp],
        sizes: NDArray[np.int64],
        tokens: NDArray[np.uint64],
    ) -> None:
        count = len(node.codes)
        order = np.argsort(node.replies[rows], axis=1, kind="stable")
        ends = np.cumsum(sizes, axis=1)
        guess, kind = np.nonzero(sizes > _PAIR)
        start, end = (ends - sizes)[guess, kind], ends[guess, kind]
        sums = np.zeros((len(rows), count + 1), np.uint64)
        np.cumsum(tokens[node.codes][order], axis=1, out=sums[:, 1:])
        self.keys, first, self._sets = np.unique(
            sums[guess, end] - sums[guess, start], return_index=True, return_inverse=True
        )
        self._codes = order.ravel()
        self._starts = (guess * count + start)[first]
        self._bounds = np.searchsorted(guess, np.arange(len(rows) + 1))
        # Every code takes the guess itself; one more is left alone, a pair takes 1 + 2.
        self._fixed = count + (sizes == 1).sum(axis=1) + 3 * (sizes == _PAIR).sum(axis=1)
        self._fixed -= rows < count
        self._guesses = guess
        self.rows = rows
        self.lengths = (end - start)[first]
        self.floors = np.zeros(len(first), np.int64)
        self.expected = np.zeros(len(first))
        self.solved = np.zeros(len(first), np.bool_)
        self.peeked = np.zeros(len(first), np.bool_)

    def members(self, index: int) -> NDArray[np.intp]:
        """The codes of a set, as row numbers of the node."""
        start = self._starts[index]
        return self._codes[start : start + self.lengths[index]]

    def by_length(self, chosen: NDArray[np.bool_]) -> Iterator[tuple[NDArray[np.intp], int]]:
        """The chosen sets, those of one length together."""
        for length in np.unique(self.lengths[chosen]).tolist():
            yield np.flatnonzero(chosen & (self.lengths == length)), length

    def rows_of(self, sets: NDArray[np.intp], length: int) -> NDArray[np.intp]:
        """The codes of sets of one length, shape (B, length)."""
        return self._codes[self._starts[sets][:, None] + np.arange(length)]

    def sets(self, guess: int) -> NDArray[np.intp]:
        """The sets that the guess-th of the guesses leaves."""
        return self._sets[self._bounds[guess] : self._bounds[guess + 1]]

    def unsolved(self, guess: int) -> list[int]:
        """Of these the ones that are not solved, the largest first."""
        sets = self.sets(guess)
        left: list[int] = sets[~self.solved[sets]].tolist()
        return sorted(left, key=lambda index: -int(self.lengths[index]))

    def floor(self, guess: int) -> int:
        """What the node costs at least if this guess is made."""
        return int(self._fixed[guess] + self.floors[self.sets(guess)].sum())

    def expectation(self, guess: int) -> float:
        """About what it costs then."""
        return float(self._fixed[guess] + self.expected[self.sets(guess)].sum())

    def all_floors(self) -> NDArray[np.float64]:
        """The floor of every guess, shape (K,)."""
        return self._summed(self.floors)

    def all_expectations(self) -> NDArray[np.float64]:
        """The expectation of every guess, shape (K,)."""
        return self._summed(self.expected)

    def settle(self, index: int, cost: int) -> None:
        """The set costs just this."""
        self.floors[index] = self.expected[index] = cost
        self.solved[index] = True

    def raise_floor(self, index: int, floor: int) -> None:
        """The set costs no less than this."""
        self.floors[index] = max(floor, self.floors[index])
        self.expected[index] = max(floor, self.expected[index])

    def _summed(self, values: NDArray[np.int64] | NDArray[np.float64]) -> NDArray[np.float64]:
        sums = np.bincount(self._guesses, values[self._sets], minlength=len(self.rows))
        return self._fixed + sums
