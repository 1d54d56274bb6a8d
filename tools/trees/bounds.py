"""Lower bounds for many small sets at once, most of them exact.

A guess that divides n codes into p parts leaves them, if each part is divided into single
codes by one of its own, 3n - p guesses in all; one fewer if the guess is one of the codes.
No guess can do better, and it does just so if no part has more than two codes. So the guess
with most parts gives a bound, and usually the cost.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

_BLOCK: Final = 200_000
"""How many pairs of a set and a guess are looked at together: what fits into a cache."""
_TRIES: Final = 6
"""How many of the guesses with most parts are tried for exactness."""
_PAIR: Final = 2
_MOST_KINDS: Final = 32


class Bounds:
    """Bounds for subsets of some candidates.

    Args:
        replies: of guesses to candidates, shape (G, n), each less than `kinds`; the first n
            guesses are the candidates themselves.
        kinds: how many replies there are, 32 at most; five pegs with repeats have 20.
    """

    def __init__(self, replies: NDArray[np.uint8], kinds: int) -> None:
        self._replies = replies
        self._kinds = kinds
        if kinds > _MOST_KINDS:
            raise AssertionError(f"{kinds} kinds of replies do not fit into a mask")
        narrow = kinds <= np.iinfo(np.uint16).bits  # so less memory is moved
        bits = (1 << np.arange(kinds)).astype(np.uint16 if narrow else np.uint32)
        self._bits = bits[np.ascontiguousarray(replies.T)]

    def of(self, sets: NDArray[np.intp]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """What sets cost at least.

        Args:
            sets: candidates as row numbers, ascending, shape (B, m), m at least 3.

        Returns:
            The bounds and whether they are exact, each of shape (B,).
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
        """Whether one of its codes tells all codes of a set apart."""
        size = sets.shape[1]
        if size > self._kinds:
            return np.zeros(len(sets), np.bool_)
        bits = self._bits[sets[:, :, None], sets[:, None, :]]
        parts = np.bitwise_count(np.bitwise_or.reduce(bits, axis=1))
        return (parts == size).any(axis=1)

    def _by_parts(self, sets: NDArray[np.intp]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Bounds from the guess with most parts."""
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
