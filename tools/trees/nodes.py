"""A point of a game: what is possible, and how guesses would divide it."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

NO_LIMIT: Final = 1_000
"""So many guesses left means: as many as it takes."""


@dataclass(frozen=True, slots=True)
class Node:
    """A set of possible codes with the guesses that are worth thinking of.

    Attributes:
        codes: the possible codes, ascending, shape (n,).
        guesses: the guesses, shape (G,); the possible codes come first, in their order.
        replies: of the guesses to the possible codes, as kinds, shape (G, n).
        left: how many guesses may still be made.
        history: the guesses made.
    """

    codes: NDArray[np.intp]
    guesses: NDArray[np.intp]
    replies: NDArray[np.uint8]
    left: int
    history: tuple[int, ...]

    def child(self, rows: NDArray[np.intp], guess: int) -> "Node":
        """The node that a guess leads to, rows being the codes of this one that are left."""
        others = np.delete(np.arange(len(self.guesses)), rows)
        kept = np.concatenate([rows, others])
        return Node(
            self.codes[rows],
            self.guesses[kept],
            self.replies[np.ix_(kept, rows)],
            self.left - 1,
            (*self.history, guess),
        )

    def only(self, rows: NDArray[np.intp]) -> "Node":
        """This node with some of its guesses; all possible codes must be among them."""
        return Node(self.codes, self.guesses[rows], self.replies[rows], self.left, self.history)


@dataclass(frozen=True, slots=True)
class Survey:
    """How guesses divide the codes of a node.

    Attributes:
        sizes: of the parts, by kind of reply, shape (G, kinds).
        floors: what the node costs at least after each guess, shape (G,).
        expected: about what it costs, shape (G,).
    """

    sizes: NDArray[np.int64]
    floors: NDArray[np.int64]
    expected: NDArray[np.float64]


class Surveyor:
    """Looks at all guesses of a node.

    Args:
        count: how many codes the game has.
        kinds: how many kinds of replies there are.
        least: least costs by size of a set.
        expected: expected costs by size of a set.
    """

    def __init__(
        self, count: int, kinds: int, least: NDArray[np.int64], expected: NDArray[np.float64]
    ) -> None:
        # Sums of these stay below 2**53, so floats add them exactly.
        self._weights = np.random.default_rng(0).integers(1, 2**40, count).astype(np.float64)
        self._kinds = kinds
        self._least = least
        self._expected = expected

    def reduce(self, node: Node) -> tuple[Node, Survey]:
        """The node without guesses that tell nothing or the same as another, and its survey."""
        cells = self._cells(node.replies)
        sizes = self._sizes(cells)
        shape = node.replies.shape
        weights = np.broadcast_to(self._weights[node.codes], shape).ravel()
        sums = np.bincount(cells, weights, minlength=sizes.size).astype(np.uint64)
        # What is the same for any two guesses with the same parts, in whatever order.
        marks = (sums * (sums ^ np.uint64(0x9E3779B97F4A7C15))).reshape(sizes.shape).sum(axis=1)
        kept = np.zeros(len(sizes), np.bool_)
        kept[np.unique(marks, return_index=True)[1]] = True
        kept &= sizes.max(axis=1) < shape[1]
        kept[: shape[1]] = True
        rows = np.flatnonzero(kept)
        return node.only(rows), self._survey(sizes[rows], shape[1])

    def best_expected(self, replies: NDArray[np.uint8], own: NDArray[np.intp]) -> float:
        """What the best of some guesses is expected to cost.

        Args:
            replies: of the guesses to the codes of a set, shape (G, n).
            own: which of the guesses are those codes.
        """
        costs = self._expected[self._sizes(self._cells(replies))].sum(axis=1)
        costs[own] -= 1
        return replies.shape[1] + float(costs.min())

    def _survey(self, sizes: NDArray[np.int64], count: int) -> Survey:
        # A part of one code costs one guess, but none if the guess was that code.
        saved = np.arange(len(sizes)) < count
        return Survey(
            sizes,
            count + self._least[sizes].sum(axis=1) - saved,
            count + self._expected[sizes].sum(axis=1) - saved,
        )

    def _cells(self, replies: NDArray[np.uint8]) -> NDArray[np.intp]:
        offsets = np.arange(len(replies), dtype=np.intp)[:, None] * self._kinds
        return (replies + offsets).ravel()

    def _sizes(self, cells: NDArray[np.intp]) -> NDArray[np.int64]:
        rows = int(cells[-1]) // self._kinds + 1
        return np.bincount(cells, minlength=rows * self._kinds).reshape(rows, self._kinds)
