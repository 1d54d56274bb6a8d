"""Strategy trees of FoCdle, where any string may be guessed.

A file holds the guesses of one tree's inner nodes, level by level from the root. An inner node is a
set of at least three candidates; the nodes of a level are in the order of their parents, those of
one parent in ascending order of their mark numbers. Smaller sets need no entry: their secrets are
guessed in order, as the search does.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.equations import SYMBOLS
from engine.feedback import Mark
from engine.focdle import Focdle
from engine.solvers.focdle.arrays import every_secret, mark_pairs
from engine.solvers.space import PAIR, Columns, Symbols
from engine.solvers.tree_files import SMALLEST_INNER, DamagedTreeError, Header, Tree, game_key


class _Level(NamedTuple):
    """The inner nodes of one level: those after the same number of guesses.

    Attributes:
        guesses: the guess of each node.
        edges: the edges to the nodes of the next level, ascending: the parent's index in this
            level, times the number of possible marks, plus the number of the marks.
    """

    guesses: list[Symbols]
    edges: list[int]


class FocdleTree(Tree[Focdle]):
    """A tree of FoCdle at one length."""

    def __init__(self, rules: Focdle, goal: str, guesses: Sequence[str]) -> None:
        builder = _Builder(rules, guesses)
        self._bins = builder.bins
        self._levels = builder.build()
        tally = builder.tally
        total = sum(turn * secrets for turn, secrets in tally.items())
        self.header = Header(game_key(rules), goal, total, tally.total(), max(tally))

    def lookup(self, replies: Sequence[tuple[Symbols, int]]) -> Symbols | None:
        node = 0
        for level, (guess, number) in zip(self._levels, replies, strict=False):
            edge = node * self._bins + number
            if level.guesses[node] != guess:
                return None
            node = bisect_left(level.edges, edge)
            if edge not in level.edges[node : node + 1]:
                return None
        # The last level has no edges, so there is one more than guesses were made.
        return self._levels[len(replies)].guesses[node]


class _Builder:
    """Builds a tree by playing it against all secrets at once.

    Attributes:
        bins: the number of possible marks.
        tally: for each number of guesses, how many secrets took so many up to now.
    """

    def __init__(self, rules: Focdle, guesses: Sequence[str]) -> None:
        self.bins = len(Mark) ** rules.length
        self.tally: Counter[int] = Counter()
        self._length = rules.length
        self._guesses = iter(guesses)

    def build(self) -> list[_Level]:
        """Build the levels; raises DamagedTreeError."""
        columns = every_secret(self._length)
        nodes = np.zeros(columns.shape[1], np.intp)
        levels: list[_Level] = []
        while columns.shape[1]:
            count, symbols = int(nodes.max()) + 1, set(SYMBOLS)
            texts = list(islice(self._guesses, count))
            wrong = [text for text in texts if len(text) != self._length or set(text) - symbols]
            if wrong or len(texts) < count:
                raise DamagedTreeError(f"no guess of this game: {(*wrong, '')[0]!r}")
            rows = [[SYMBOLS.index(symbol) for symbol in text] for text in texts]
            guesses = np.array(rows, np.uint8)
            edges, following = self._play(guesses, nodes, columns, len(levels) + 1)
            levels.append(_Level([tuple(row) for row in rows], edges))
            goes_on = following >= 0
            columns, nodes = columns.compress(goes_on, axis=1), following[goes_on]
        if next(self._guesses, None) is not None:
            raise DamagedTreeError("guesses are left over")
        return levels

    def _play(
        self, guesses: NDArray[np.uint8], nodes: NDArray[np.intp], columns: Columns, turn: int
    ) -> tuple[list[int], NDArray[np.intp]]:
        """Make guess number `turn`, from 1, in all games; tally those that need no further node.

        Returns:
            The edges to the next level, and the node of each secret there, -1 where it needs none.
        """
        numbers = mark_pairs(np.ascontiguousarray(guesses[nodes].T), columns)
        edges, part, sizes = np.unique(
            nodes * self.bins + numbers, return_inverse=True, return_counts=True
        )
        is_found = edges % self.bins == self.bins - 1
        is_inner = ~is_found & (sizes >= SMALLEST_INNER)
        is_small = ~is_found & ~is_inner
        self.tally[turn] += int(is_found.sum())
        self.tally[turn + 1] += int(is_small.sum())
        self.tally[turn + 2] += int((is_small & (sizes == PAIR)).sum())
        self.tally = +self.tally
        following = np.where(is_inner, np.cumsum(is_inner) - 1, -1)
        return edges[is_inner].tolist(), following[part]
