"""What guesses of Mastermind or Bulls and Cows cost if the next one is chosen well."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.solvers.code_games.scores import Scorer
from engine.solvers.space import Guesses

# Fitted to optimal trees: a part of n candidates takes about n * (BASE + SLOPE * log2(n)) guesses.
_BASE: Final = 1.1
_SLOPE: Final = 0.335


def part_costs(most: int) -> NDArray[np.float64]:
    """About how many guesses, all in all, parts of 0 to `most` candidates still take.

    Parts of one and two take just 1 and 1 + 2 guesses.
    """
    sizes = np.arange(most + 1, dtype=np.float64)
    costs = sizes * (_BASE + _SLOPE * np.log2(np.maximum(sizes, 1)))
    costs[:3] = (0, 1, 3)[: most + 1]
    return costs


def costs_ahead(scorer: Scorer, guesses: Guesses, seconds: Guesses) -> NDArray[np.float64]:
    """What guesses cost, each answer being followed by the best of some second guesses.

    Args:
        scorer: the candidates, n of them.
        guesses: shape (G, length).
        seconds: what may be guessed next, shape (S, length).

    Returns:
        About how many guesses all candidates together take after this one, shape (G,).
    """
    used, firsts = _dense(scorer.numbers(guesses), scorer.bins)
    second_used, thens = _dense(scorer.numbers(seconds), scorer.bins)
    table = part_costs(scorer.count)
    found = np.empty(len(guesses))
    for index, first in enumerate(firsts):
        joint = (np.arange(len(seconds))[:, None] * len(used) + first) * len(second_used) + thens
        sizes = np.bincount(joint.ravel(), minlength=len(seconds) * len(used) * len(second_used))
        sizes = sizes.reshape(len(seconds), len(used), len(second_used))
        # Whoever is right needs no further guess.
        costs = table[sizes[:, :, second_used != scorer.bins - 1]].sum(axis=2).min(axis=0)
        parts = sizes[0].sum(axis=1)
        costs[parts == 1] = 0
        found[index] = (parts + costs)[used != scorer.bins - 1].sum()
    return found


def _dense(numbers: NDArray[np.intp], bins: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The score numbers that occur, and the scores as indices into them."""
    occurs = np.bincount(numbers.ravel(), minlength=bins) > 0
    return np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[numbers]
