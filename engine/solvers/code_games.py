"""Mastermind and Bulls and Cows as solvers see them: arrays of codes, scores, the search.

Scores are numbers here: ``bulls * (length + 1) + (bulls + cows)``. Arrays of codes have the shape
(length, N): column i is one code, its symbols numbered as in the rules' alphabet.
"""

from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from engine.choice import Allowed, Goal
from engine.code_games import CodeGame
from engine.codes import Code
from engine.errors import ImpossibleFeedbackError
from engine.feedback import Score
from engine.solvers.space import PAIR, Columns, Guesses, Space, Symbols, as_symbols

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
        columns = longer if rules.repeats else longer.compress(is_new, axis=1)
    return columns


def score_number(score: Score, length: int) -> int:
    return score.bulls * (length + 1) + score.bulls + score.cows


def score_numbers(guess: Sequence[int], columns: Columns) -> NDArray[np.int32]:
    """For every column as the secret, the number of the guess's score by `engine.score`."""
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
    """Scores many guesses against some candidates at once, as one product of matrices.

    The bulls are the inner product of two codes whose places are one-hot. Bulls and cows together
    are the inner product of their numbers of copies in unary: min(a, b) counts the j with a >= j
    and b >= j. `symbols` is the size of the alphabet.
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
        """How many candidates give each score number (column) to each guess (row): (G, bins)."""
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


# Looking ahead: what guesses cost if the next one is chosen well.

# Fitted to optimal trees: a part of n candidates takes about n * (BASE + SLOPE * log2(n)) guesses.
_BASE: Final = 1.1
_SLOPE: Final = 0.335


def part_costs(most: int) -> NDArray[np.float64]:
    """Estimate the total guesses that a part takes, for each size from 0 to `most` candidates.

    Parts of one and two take exactly 1 and 1 + 2 guesses.
    """
    sizes = np.arange(most + 1, dtype=np.float64)
    costs = sizes * (_BASE + _SLOPE * np.log2(np.maximum(sizes, 1)))
    costs[:3] = (0, 1, 3)[: most + 1]
    return costs


def costs_ahead(scorer: Scorer, guesses: Guesses, seconds: Guesses) -> NDArray[np.float64]:
    """Estimate for each of `guesses` how many more guesses all candidates together take.

    The next guess after each answer is the best of `seconds`.
    """
    used, firsts = _dense(scorer.numbers(guesses), scorer.bins)
    second_used, thens = _dense(scorer.numbers(seconds), scorer.bins)
    table = part_costs(scorer.count)
    found = np.empty(len(guesses))
    for index, first in enumerate(firsts):
        joint = (np.arange(len(seconds))[:, None] * len(used) + first) * len(second_used) + thens
        sizes = np.bincount(joint.ravel(), minlength=len(seconds) * len(used) * len(second_used))
        sizes = sizes.reshape(len(seconds), len(used), len(second_used))
        # The right guess needs no further one.
        costs = table[sizes[:, :, second_used != scorer.bins - 1]].sum(axis=2).min(axis=0)
        parts = sizes[0].sum(axis=1)
        costs[parts == 1] = 0
        found[index] = (parts + costs)[used != scorer.bins - 1].sum()
    return found


def _dense(numbers: NDArray[np.intp], bins: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The score numbers that occur, ascending, and each given number as an index into these."""
    occurs = np.bincount(numbers.ravel(), minlength=bins) > 0
    return np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[numbers]


# The search: which guess to make, where no tree is shipped. A guess is rated by what its parts will
# cost. Candidates and other codes are tried on a sample, the best are improved by changing one
# symbol at a time, and the best of all are rated again, on more candidates, or one guess ahead if
# there are few.

_SAMPLE: Final = 1_000
_LARGE_SAMPLE: Final = 4_000
_CANDIDATES_TRIED: Final = 400
_OTHERS_TRIED: Final = 400
_CLIMBERS: Final = 8
_SWEEPS: Final = 5
_FINALISTS: Final = 24
# Looking ahead is for so many candidates at most; it tries so many guesses and answers to them.
_LOOK_AHEAD_SAMPLE: Final = 300
_LOOKED_AT: Final = 16
_SECONDS: Final = 300
_OPENING_SAMPLE: Final = 5_000


def best_code(
    rules: CodeGame, columns: Columns, everything: Columns, allowed: Allowed, goal: Goal
) -> NDArray[np.intp]:
    """Choose the guess for one or more candidates: always the same for the same ones.

    `allowed` is ANY, for any code in `everything`, or HARD, for candidates only.
    """
    count = columns.shape[1]
    if count <= PAIR:
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
    """The first guess, as symbol numbers, that is best for a sample of the codes.

    One guess of each kind is tried: which symbols it has does not matter, only how many copies.
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
    """Estimates the costs of guesses by a sample of the candidates."""

    def __init__(self, columns: Columns, symbols: int, goal: Goal) -> None:
        self.count = columns.shape[1]
        self.scorer = Scorer(columns, symbols)
        self._goal = goal
        self._costs = part_costs(self.count)

    def __call__(self, guesses: Guesses) -> NDArray[np.float64]:
        """Estimated costs of guesses of shape (G, length); lower is better."""
        sizes = self.scorer.sizes(guesses)[:, :-1]  # the last score ends the game
        costs = self._costs[sizes].sum(axis=1)
        if self._goal is Goal.WORST:
            costs += sizes.max(axis=1) * self._costs[-1]
        return costs


def _improved(
    rules: CodeGame, judge: _Judge, guesses: Guesses, costs: NDArray[np.float64]
) -> Guesses:
    """Improve the first few guesses by changing one place at a time.

    `guesses` begin with the best. Return all of them, followed by the improved ones.
    """
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
    """All codes that differ from a guess in one place; for each, the index of that guess."""
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
    """The partitions of a total into descending parts, none over `most`."""
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


class CodeSpace(Space[Score]):
    """Mastermind or Bulls and Cows; guesses are the codes of the rules."""

    def __init__(self, rules: CodeGame) -> None:
        self.rules = rules
        self._game = rules
        self.bins = (rules.length + 1) ** 2
        self.solving = self.bins - 1

    @property
    def key(self) -> Hashable:
        """Alphabet, length and repeats: the number of guesses does not change the codes."""
        return (self._game.alphabet, self._game.length, self._game.repeats)

    def is_guess(self, text: str) -> bool:
        return self._game.is_code(text)

    def number(self, guess: Code, feedback: Score) -> int:
        """The score as a number; raises ImpossibleFeedbackError if no code can give it."""
        if not _is_pair(feedback) or feedback not in self._game.answers(guess):
            raise ImpossibleFeedbackError(guess, feedback)
        return score_number(Score(*feedback), self.length)

    def numbers(self, guess: Symbols, columns: Columns) -> NDArray[np.int32]:
        return score_numbers(guess, columns)

    def feedbacks(self, guess: Symbols, numbers: NDArray[np.int64]) -> list[Score]:
        pairs = [divmod(number, self.length + 1) for number in numbers.tolist()]
        return [Score(bulls, total - bulls) for bulls, total in pairs]

    def opening(self, allowed: Allowed, goal: Goal) -> Symbols:
        return best_opening(self._game, goal)

    def choose(self, columns: Columns, allowed: Allowed, goal: Goal, made: int) -> Symbols:
        return as_symbols(best_code(self._game, columns, self.everything(), allowed, goal))

    def _build(self) -> Columns:
        return every_code(self._game)


def _is_pair(feedback: object) -> bool:
    if not isinstance(feedback, tuple):
        return False
    counts = cast("tuple[object, ...]", feedback)
    return len(counts) == len(Score._fields) and all(type(count) is int for count in counts)
