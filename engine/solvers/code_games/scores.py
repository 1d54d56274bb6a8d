"""Every code of Mastermind or Bulls and Cows as an array, and scores for many codes at once.

Scores are numbers here: ``bulls * (length + 1) + (bulls + cows)``. Arrays of codes have the
shape (length, N): column i is one code, its symbols numbered as in the rules' alphabet.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.code_games import CodeGame
from engine.feedback import Score
from engine.solvers.space import Columns, Guesses

_CHUNK: Final = 1 << 16


def every_code(rules: CodeGame) -> Columns:
    """All codes, in the order of `CodeGame.codes`."""
    symbols = np.arange(len(rules.alphabet), dtype=np.uint8)
    columns = np.empty((0, 1), np.uint8)
    for _ in range(rules.length):
        longer = np.vstack(
            [np.repeat(columns, len(symbols), axis=1), np.tile(symbols, columns.shape[1])]
        )
        is_new = (longer[:-1] != longer[-1]).all(axis=0)
        columns = longer if rules.repeats else longer[:, is_new]
    return columns


def score_number(score: Score, length: int) -> int:
    """The number that stands for this score of a code of some length."""
    return score.bulls * (length + 1) + score.bulls + score.cows


def score_numbers(guess: Sequence[int], columns: Columns) -> NDArray[np.int32]:
    """The scores of one guess against every column, as `engine.score` would give them.

    Args:
        guess: symbol numbers, as many as the columns have rows.
        columns: shape (length, N).

    Returns:
        N score numbers.
    """
    numbers = np.empty(columns.shape[1], np.int32)
    for start in range(0, columns.shape[1], _CHUNK):
        part = columns[:, start : start + _CHUNK]
        total = np.zeros(part.shape[1], np.uint8)
        for symbol in set(guess):
            copies = (part == symbol).sum(axis=0, dtype=np.uint8)
            total += np.minimum(copies, np.uint8(guess.count(symbol)))
        bulls = (part == np.array(guess, np.uint8)[:, None]).sum(axis=0, dtype=np.uint8)
        numbers[start : start + _CHUNK] = bulls * np.int32(len(guess) + 1) + total
    return numbers


class Scorer:
    """Scores of many guesses against some candidates, as one product of matrices.

    Bulls are the inner product of which symbol is where; bulls and cows together that of
    how many copies there are, written in unary: min(a, b) counts the j with a >= j and b >= j.

    Args:
        columns: the candidates, of shape (length, n).
        symbols: how many symbols the alphabet has.
    """

    def __init__(self, columns: Columns, symbols: int) -> None:
        self.length, self.count = columns.shape
        self.bins = (self.length + 1) ** 2
        self._symbols = symbols
        here, copies = self._features(columns.T)
        # No candidate has more copies of a symbol than this, so no guess shares more.
        self._levels = max(1, int(copies.any(axis=(0, 1)).sum()))
        self._candidates = self._flat(here, copies, 1).T

    def numbers(self, guesses: Guesses) -> NDArray[np.intp]:
        """The score numbers of guesses (G, length) against the candidates, of shape (G, n)."""
        here, copies = self._features(guesses)
        return (self._flat(here, copies, self.length + 1) @ self._candidates).astype(np.intp)

    def sizes(self, guesses: Guesses) -> NDArray[np.intp]:
        """How many candidates give each score number to each guess, of shape (G, bins)."""
        offsets = np.arange(len(guesses))[:, None] * self.bins
        flat = (self.numbers(guesses) + offsets).ravel()
        return np.bincount(flat, minlength=len(guesses) * self.bins).reshape(-1, self.bins)

    def _features(
        self, codes: NDArray[np.intp] | NDArray[np.uint8]
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        here = codes[:, :, None] == np.arange(self._symbols)
        levels = np.arange(1, self.length + 1, dtype=np.intp)
        return here, here.sum(axis=1)[:, :, None] >= levels

    def _flat(
        self, here: NDArray[np.bool_], copies: NDArray[np.bool_], weight: int
    ) -> NDArray[np.float32]:
        return np.hstack(
            [
                here.reshape(len(here), -1) * np.float32(weight),
                copies[:, :, : self._levels].reshape(len(here), -1).astype(np.float32),
            ]
        )
