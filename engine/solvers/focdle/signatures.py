"""What a guess of FoCdle would learn about candidates, fast enough to try thousands of guesses.

To choose a guess one need not know which marks it would get, only which candidates
would give the same. A reply says for every place whether its symbol is correct, and for
every symbol whether the secret has at least one, two, ... copies, up to as many as the
guess has; the marks follow from that, and that from the marks. These are two bits a
place: *is correct here*, and *has at least j copies* where this is the j-th copy in the
guess; which copy counts as the j-th is of no matter. Together they are a signature, an
integer of up to 30 bits, and a sum of one table entry a place.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.equations import SYMBOLS
from engine.solvers.space import Columns, Guesses

_SYMBOLS: Final = np.arange(len(SYMBOLS))


class Signatures:
    """The signatures that any guess would get from some candidates.

    Args:
        columns: the candidates, of shape (length, n).

    Attributes:
        length: symbols in a code.
        count: how many candidates there are.
    """

    def __init__(self, columns: Columns) -> None:
        self.length, self.count = columns.shape
        is_here = columns[:, None, :] == _SYMBOLS.astype(np.uint8)[None, :, None]
        copies = is_here.sum(axis=0, dtype=np.int8)
        # The last level is more copies than any candidate has: it stands for all beyond.
        self._levels = int(copies.max()) + 1
        has = copies[:, None, :] >= np.arange(1, self._levels + 1)[None, :, None]
        places = np.arange(self.length, dtype=np.int32)[:, None, None]
        here_bits = is_here.astype(np.int32) << places
        copy_bits = has.astype(np.int32)[None] << (places[..., None] + self.length)
        # Axes: place, symbol, which copy of the symbol this is, candidate.
        self._bits = here_bits[:, :, None, :] | copy_bits
        self._all_correct = (1 << self.length) - 1

    def of(self, guesses: Guesses) -> NDArray[np.int32]:
        """The signatures of guesses against the candidates, of shape (G, n)."""
        total = np.zeros((len(guesses), self.count), np.int32)
        for place in range(self.length):
            symbols = guesses[:, place]
            copies = (guesses[:, :place] == symbols[:, None]).sum(axis=1)
            total += self._bits[place, symbols, self._level(copies)]
        return total

    def of_neighbours(self, guesses: Guesses, place: int) -> NDArray[np.int32]:
        """The signatures of the guesses with each symbol put in one place, (G, symbols, n).

        The symbol in question counts as the last copy, so the others' bits do not
        depend on it.
        """
        others = np.array([other for other in range(self.length) if other != place])
        rest = guesses[:, others]
        copies = np.tril(rest[:, :, None] == rest[:, None, :], -1).sum(axis=2)
        base = self._bits[others, rest, self._level(copies)].sum(axis=1, dtype=np.int32)
        occurrences = (rest[:, :, None] == _SYMBOLS).sum(axis=1)
        return base[:, None, :] + self._bits[place, _SYMBOLS, self._level(occurrences)]

    def is_candidate(self, signatures: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Whether the guess that got these signatures (..., n) is itself a candidate."""
        return ((signatures & self._all_correct) == self._all_correct).any(axis=-1)

    def _level(self, copies: NDArray[np.intp]) -> NDArray[np.intp]:
        return np.minimum(copies, self._levels - 1)
