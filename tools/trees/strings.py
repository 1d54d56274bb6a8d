"""All strings of FoCdle that make enough parts of some candidates, found place by place.

A string of which some places are still empty divides the candidates already. Each place that is
filled divides a set of them into four at most, since a secret has the symbol here or not, and
enough copies of it or not. So a set of n candidates becomes min(n, 4 ** empty) parts at most, and a
string for which that is too few in all is given up together with all that it could become.

Strings that tell the same are looked at once. A symbol of which every candidate has as many copies,
and which is nowhere some candidates' alone, tells nothing, whichever it is. Two symbols that are
not here for some candidates and not for others can be exchanged: only their copies count.
"""

from collections.abc import Iterator
from math import prod
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.equations import EQUALS, SYMBOLS
from engine.solvers.space import Columns, Guesses

_AT_A_TIME: Final = 1 << 19
"""How many pairs of a string and a candidate are looked at together."""
_ANSWERS: Final = 4
_COUNT: Final = len(SYMBOLS)
# The order of symbols in strings that stand for others: = tells nothing most often.
_RANKS: Final = (np.arange(_COUNT) - SYMBOLS.index(EQUALS)) % _COUNT


class Division(NamedTuple):
    """Strings, and how they divide the candidates.

    Attributes:
        guesses: shape (B, length).
        parts: which part a candidate is in, numbered from 0, shape (B, n).
        counts: how many parts there are, shape (B,).
    """

    guesses: Guesses
    parts: NDArray[np.intp]
    counts: NDArray[np.intp]


class Strings:
    """The strings that may be guessed when these are the candidates.

    Args:
        columns: the candidates, shape (length, n).
    """

    def __init__(self, columns: Columns) -> None:
        self._length, self._count = columns.shape
        symbols = np.arange(_COUNT, dtype=np.uint8)
        here = columns[:, None, :] == symbols[None, :, None]
        copies = here.sum(axis=0)
        self._levels = int(copies.max()) + 1
        has = copies[:, None, :] > np.arange(self._levels)[None, :, None]
        # Axes: place, symbol, which copy of the symbol this is, candidate.
        self._answers = 2 * here[:, :, None, :].astype(np.intp) + has[None]
        # Where a symbol is here for all or for none, its place tells nothing.
        self._floats = here.all(axis=2) | ~here.any(axis=2)
        tells_nothing = self._floats & (copies == copies[:, :1]).all(axis=1)
        floats: list[int] = self._floats.sum(axis=1).tolist()
        # The places with most to tell come first, so that few parts are noticed early.
        self._order: list[int] = sorted(range(self._length), key=lambda place: floats[place])
        self._options: list[NDArray[np.intp]] = [
            _options(tells_nothing[place]) for place in range(self._length)
        ]
        self._most: list[int] = [self._most_answers(place) for place in range(self._length)]

    def making(self, least: int) -> Iterator[Division]:
        """All strings that make at least so many parts, one of each kind, some at a time."""
        one = np.zeros((1, self._count), np.intp)
        waiting = [Division(np.zeros((1, 0), np.intp), one, np.ones(1, np.intp))]
        while waiting:
            begun = waiting.pop()
            filled = int(begun.guesses.shape[1])
            if filled == self._length:
                yield Division(begun.guesses[:, np.argsort(self._order)], *begun[1:])
                continue
            options = len(self._options[self._order[filled]])
            step = max(1, _AT_A_TIME // (options * self._count))
            if len(begun.guesses) > step:
                waiting.append(Division(*(array[step:] for array in begun)))
            further = self._fill(Division(*(array[:step] for array in begun)), least)
            if len(further.guesses):
                waiting.append(further)

    def _fill(self, begun: Division, least: int) -> Division:
        """These strings with every symbol in the next place, unless parts will be too few."""
        filled = int(begun.guesses.shape[1])
        place, options = self._order[filled], self._options[self._order[filled]]
        rows, chosen = np.nonzero(self._is_first(begun.guesses, options))
        symbols = options[chosen]
        copies = (begun.guesses[rows] == symbols[:, None]).sum(axis=1)
        levels = np.minimum(copies, self._levels - 1)
        cells = begun.parts[rows] * _ANSWERS + self._answers[place, symbols, levels]
        width = _ANSWERS * int(begun.counts.max())
        flat = (cells + width * np.arange(len(rows))[:, None]).ravel()
        sizes = np.bincount(flat, minlength=width * len(rows)).reshape(len(rows), width)
        beyond = prod(self._most[empty] for empty in self._order[filled + 1 :])
        kept = np.minimum(sizes, min(beyond, self._count)).sum(axis=1) >= least
        numbers = np.cumsum(sizes[kept] > 0, axis=1, dtype=np.intp)
        return Division(
            np.column_stack([begun.guesses[rows[kept]], symbols[kept]]),
            np.take_along_axis(numbers, cells[kept], axis=1) - 1,
            numbers[:, -1],
        )

    def _is_first(self, guesses: Guesses, options: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which symbols in the next place make strings that stand for others, (B, options).

        Of two strings that differ by two exchanged symbols, and tell the same, the first does.
        """
        place = self._order[int(guesses.shape[1])]
        is_first = np.ones((len(guesses), len(options)), np.bool_)
        for earlier, column in zip(self._order, guesses.T, strict=False):
            floats_there = self._floats[earlier, column] & self._floats[place, column]
            floats_here = self._floats[earlier, options] & self._floats[place, options]
            is_later = _RANKS[column][:, None] > _RANKS[options]
            is_first &= ~(floats_there[:, None] & floats_here & is_later)
        return is_first

    def _most_answers(self, place: int) -> int:
        """Into how many sets a symbol in this place divides one at most."""
        answers = self._answers[place, self._options[place]]
        return max(len(np.unique(each)) for copies in answers for each in copies)


def _options(tells_nothing: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The symbols that are worth a place, and the first of those that tell nothing there."""
    ordered = np.argsort(_RANKS)
    useless = ordered[tells_nothing[ordered]]
    return np.concatenate([useless[:1], np.flatnonzero(~tells_nothing)])
