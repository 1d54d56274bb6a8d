"""Which guess of Mastermind or Bulls and Cows to make, where no tree is shipped.

A guess is rated by what its parts will cost (see `look_ahead`). Candidates and other codes
are tried on a sample, the best are improved by changing one symbol at a time, and the best
of all are rated again, on more candidates, or one guess ahead if there are few.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.choice import Allowed, Goal
from engine.code_games import CodeGame
from engine.solvers.code_games.look_ahead import costs_ahead, part_costs
from engine.solvers.code_games.scores import Scorer, every_code
from engine.solvers.space import Columns, Guesses

_SAMPLE: Final = 1_000
_LARGE_SAMPLE: Final = 4_000
_CANDIDATES_TRIED: Final = 400
_OTHERS_TRIED: Final = 400
_CLIMBERS: Final = 8
_SWEEPS: Final = 5
# Of two candidates either is best: it is right, or the other is.
_PAIR: Final = 2
_FINALISTS: Final = 24
# Looking ahead is for so many candidates at most; it tries so many guesses and answers to them.
_LOOK_AHEAD_SAMPLE: Final = 300
_LOOKED_AT: Final = 16
_SECONDS: Final = 300
_OPENING_SAMPLE: Final = 5_000


def best_code(
    rules: CodeGame, columns: Columns, everything: Columns, allowed: Allowed, goal: Goal
) -> NDArray[np.intp]:
    """The guess to make when these are the candidates.

    Args:
        rules: the game.
        columns: at least one candidate, shape (length, n).
        everything: all codes, shape (length, N).
        allowed: ANY code of the rules, or HARD: only candidates.
        goal: what to minimise.

    Returns:
        The guess as symbol numbers, shape (length,). Always the same for the same arguments.
    """
    count = columns.shape[1]
    if count <= _PAIR:
        return columns[:, 0].astype(np.intp)
    chance = np.random.default_rng(count)
    judge = _Judge(_sample(columns, _SAMPLE, chance), len(rules.alphabet), goal)
    tried = _rows(_sample(columns, _CANDIDATES_TRIED, chance))
    if allowed is Allowed.ANY:
        tried = np.vstack([tried, _rows(_sample(everything, _OTHERS_TRIED, chance))])
    costs = judge(tried)
    order = np.argsort(costs, kind="stable")
    finalists = tried[order[:_FINALISTS]]
    if allowed is Allowed.ANY:
        finalists = _improved(rules, judge, finalists, costs[order[:_FINALISTS]])
    if count > judge.count:
        judge = _Judge(_sample(columns, _LARGE_SAMPLE, chance), len(rules.alphabet), goal)
    final_costs = judge(finalists)
    if count > _LOOK_AHEAD_SAMPLE or goal is Goal.WORST:
        return finalists[final_costs.argmin()]
    finalists = finalists[np.argsort(final_costs, kind="stable")[:_LOOKED_AT]]
    return finalists[costs_ahead(judge.scorer, finalists, tried[order[:_SECONDS]]).argmin()]


@lru_cache(maxsize=64)
def best_opening(rules: CodeGame, goal: Goal) -> tuple[int, ...]:
    """The best first guess as symbol numbers, looking one guess ahead.

    Which symbols it has is of no matter, only how many copies of each.
    """
    most_copies = rules.length if rules.repeats else 1
    kinds = [
        tuple(symbol for symbol, copies in enumerate(kind) for _ in range(copies))
        for kind in _partitions(rules.length, most_copies)
        if len(kind) <= len(rules.alphabet)
    ]
    guesses = np.array(kinds, np.intp)
    chance = np.random.default_rng(0)
    everything = every_code(rules)
    judge = _Judge(_sample(everything, _OPENING_SAMPLE, chance), len(rules.alphabet), goal)
    if goal is Goal.WORST or len(kinds) == 1:
        return kinds[judge(guesses).argmin()]
    seconds = _rows(_sample(everything, _SECONDS, chance))
    return kinds[costs_ahead(judge.scorer, guesses, seconds).argmin()]


class _Judge:
    """What guesses will cost, by a sample of the candidates."""

    def __init__(self, columns: Columns, symbols: int, goal: Goal) -> None:
        self.count = columns.shape[1]
        self.scorer = Scorer(columns, symbols)
        self._goal = goal
        self._costs = part_costs(self.count)

    def __call__(self, guesses: Guesses) -> NDArray[np.float64]:
        """The costs, lower is better, of guesses (G, length)."""
        sizes = self.scorer.sizes(guesses)[:, :-1]  # the last score ends the game
        costs = self._costs[sizes].sum(axis=1)
        if self._goal is Goal.WORST:
            costs += sizes.max(axis=1) * self._costs[-1]
        return costs


def _improved(
    rules: CodeGame, judge: _Judge, guesses: Guesses, costs: NDArray[np.float64]
) -> Guesses:
    """The guesses, the best of them replaced by what single changes lead to."""
    best, best_costs = guesses[:_CLIMBERS].copy(), costs[:_CLIMBERS].copy()
    for _ in range(_SWEEPS):
        near, origin = _neighbours(rules, best)
        if not len(near):  # codes without repeats that use every symbol
            break
        near_costs = judge(near)
        improved = False
        for climber in range(len(best)):
            mine = np.flatnonzero(origin == climber)
            if not len(mine):
                continue
            step = mine[near_costs[mine].argmin()]
            if near_costs[step] < best_costs[climber]:
                best[climber], best_costs[climber] = near[step], near_costs[step]
                improved = True
        if not improved:
            break
    return np.vstack([guesses, best])


def _neighbours(rules: CodeGame, guesses: Guesses) -> tuple[Guesses, NDArray[np.intp]]:
    """All codes that differ from the guesses in one place; and which guess each is from."""
    count, length = guesses.shape
    symbols = len(rules.alphabet)
    near = np.broadcast_to(guesses[:, None, None, :], (count, length, symbols, length)).copy()
    place = np.arange(length, dtype=np.intp)
    near[:, place, :, place] = np.arange(symbols, dtype=np.intp)
    near = near.reshape(-1, length)
    origin = np.repeat(np.arange(count, dtype=np.intp), length * symbols)
    keep = (near != guesses[origin]).any(axis=1)
    if not rules.repeats:
        ordered = np.sort(near, axis=1)
        keep &= (ordered[:, 1:] != ordered[:, :-1]).all(axis=1)
    return near[keep], origin[keep]


def _partitions(total: int, most: int) -> Iterator[tuple[int, ...]]:
    """The ways to write a total as a sum of descending parts, none over `most`."""
    if total == 0:
        yield ()
    for part in range(min(total, most), 0, -1):
        for rest in _partitions(total - part, part):
            yield (part, *rest)


def _sample(columns: Columns, most: int, chance: np.random.Generator) -> Columns:
    count = columns.shape[1]
    if count <= most:
        return columns
    return columns[:, np.sort(chance.choice(count, most, replace=False))]


def _rows(columns: Columns) -> Guesses:
    return np.ascontiguousarray(columns.T).astype(np.intp)
