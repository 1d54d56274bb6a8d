"""Which of many pairs of guess and secret get the same marks, compared as integers.

`Signatures` serve where every guess is compared with every candidate. Where candidates have
fallen into parts and are only compared within these, pairs are what is to be listed. Each code
is packed into two integers of four bits a place and a symbol: what stands where, and how many
copies it has of each symbol, up to seven. A reply is one integer made of them.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.equations import SYMBOLS
from engine.solvers.space import Columns

Integers = NDArray[np.uint64]
Indices = NDArray[np.intp]

_WIDTH: Final = 4
_MOST_COPIES: Final = 7
_ONE: Final = np.uint64(1)
_TWO: Final = np.uint64(2)
_THREE: Final = np.uint64(3)
_LOWEST: Final = np.uint64(0x1111_1111_1111_1111)
"""The lowest bit of all fields of four."""
_HIGHEST: Final = np.uint64(0x8888_8888_8888_8888)
_HALF: Final = np.uint64(32)
# Odd numbers near the golden ratio of 2**64 spread integers evenly over what they index.
_MIXERS: Final = tuple(np.uint64(0x9E37_79B9_7F4A_7C15 + 2 * step) for step in range(8))


class Packed:
    """Codes packed into integers.

    Args:
        columns: the codes, of shape (length, n).

    Attributes:
        places: the symbol in each place, n integers.
        copies: how many copies there are of each symbol, n integers.
    """

    def __init__(self, columns: Columns) -> None:
        self.places = _packed(columns)
        counts = [(columns == symbol).sum(axis=0) for symbol in range(len(SYMBOLS))]
        self.copies = _packed(np.minimum(np.array(counts), _MOST_COPIES))

    def replies(self, guesses: Indices, secrets: Indices, times: Indices) -> Integers:
        """What codes reply to others of them: equal if, and only if, the marks are.

        Args:
            guesses: the codes that are guessed.
            secrets: the codes that reply, guess by guess.
            times: how many of these reply to each guess.
        """
        differ = np.repeat(self.places[guesses], times)
        differ ^= self.places[secrets]
        differ |= differ >> _ONE
        differ |= differ >> _TWO
        differ &= _LOWEST
        # The lesser number of copies in each field: where a - b borrows no highest bit, b's.
        mine, theirs = np.repeat(self.copies[guesses], times), self.copies[secrets]
        least = mine | _HIGHEST
        least -= theirs
        least &= _HIGHEST
        least -= least >> _THREE
        least &= mine ^ theirs
        least ^= mine
        differ <<= _THREE
        least |= differ
        return least


def _packed(fields: NDArray[np.uint8] | NDArray[np.intp]) -> Integers:
    packed = np.zeros(fields.shape[1], np.uint64)
    for row, field in enumerate(fields):
        packed |= field.astype(np.uint64) << np.uint64(_WIDTH * row)
    return packed


def alike(replies: Integers, times: Indices) -> Indices:
    """For each reply the place of one like it, the same for all that are alike.

    Only replies of the same stretch are compared. Each leaves its place in a table, where its
    hash says; who finds there a place of another reply tries again with the next hash.

    Args:
        replies: any integers, stretch by stretch.
        times: how many replies there are in each stretch.
    """
    room = np.repeat(2 * times, times)
    begins = np.repeat(2 * (np.cumsum(times) - times), times)
    table = np.empty(2 * len(replies), np.intp)
    places = np.arange(len(replies))
    found = places
    waiting, step = replies, 0
    while len(waiting):
        slots = _hashed(waiting, room, step)
        slots += begins
        table[slots] = places
        like = table[slots]
        if step:
            found[places] = like
        else:
            found = like
        others = np.flatnonzero(replies[like] != waiting)
        places, waiting = places[others], waiting[others]
        room, begins = room[others], begins[others]
        step += 1
    return found


def _hashed(replies: Integers, room: Indices, step: int) -> Indices:
    """A number below `room` for each reply, another one in each step."""
    hashed = replies * _MIXERS[step % len(_MIXERS)]
    hashed >>= _HALF
    hashed *= room.view(np.uint64)
    hashed >>= _HALF
    return hashed.view(np.intp)
