"""Guesses that are the same but for the names of places and symbols."""

from itertools import permutations

import numpy as np
from numpy.typing import NDArray


def representatives(
    codes: NDArray[np.uint8], symbols: int, history: tuple[int, ...]
) -> NDArray[np.intp]:
    """One guess for each orbit under the symmetries that leave earlier guesses as they are.

    Two guesses are in one orbit if some order of the places, followed by a renaming of the
    symbols, turns the history with the one into the history with the other. So each is
    written with symbols named in the order of their first use, once for every order of the
    places, and the least of these names stands for its orbit.

    Args:
        codes: shape (N, length).
        symbols: how many symbols the alphabet has.
        history: the earlier guesses, as indices into codes; with one more guess they have
            18 places at most, or the names do not fit into 64 bits.

    Returns:
        The first code of each orbit, ascending.
    """
    names = np.full(len(codes), np.iinfo(np.int64).max)
    for order in permutations(range(codes.shape[1])):
        columns = [
            np.full(len(codes), codes[guess, place], np.intp)
            for guess in history
            for place in order
        ]
        columns += [codes[:, place].astype(np.intp) for place in order]
        names = np.minimum(names, _names(columns, symbols))
    return np.sort(np.unique(names, return_index=True)[1])


def _names(columns: list[NDArray[np.intp]], symbols: int) -> NDArray[np.int64]:
    """Rows of symbols, read as numbers after renaming symbols in the order of first use."""
    rows = np.arange(len(columns[0]))
    labels = np.full((len(rows), symbols), -1)
    used = np.zeros(len(rows), np.int64)
    names = np.zeros(len(rows), np.int64)
    for column in columns:
        label = labels[rows, column]
        is_new = label < 0
        label = np.where(is_new, used, label)
        labels[rows, column] = label
        used += is_new
        names = names * symbols + label
    return names
