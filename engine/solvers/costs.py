"""Costs of guesses: how many further guesses are to be expected.

Costs are sums over all candidates in thousandths of a guess, as integers, so that equal costs
compare equal. A set of n candidates takes at least 2n - 1 guesses in all, if one of them tells the
others apart, and at least 2n if none does. Where that bound is reached the cost is exact; elsewhere
it is an estimate by the number of candidates.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.choice import Allowed, Goal
from engine.code_games import CodeGame
from engine.focdle import Focdle
from engine.own_games import Codes
from engine.rules import Rules
from engine.solvers.code_games import Scorer
from engine.solvers.codebreaker import space_of
from engine.solvers.space import PAIR, Columns, Parts, Space, Symbols, parts_of
from engine.solvers.trees import tree_of

GUESS: Final = 1000
"""The cost of one guess, in the unit of all costs."""

FEW: Final = 64
"""The most candidates that are compared one by one."""

_COMPARED: Final = 16
"""The largest part whose members are each tried as the next guess; larger ones are estimated."""
_EVERY_CODE: Final = 1300
"""The most codes of a game in which all are tried as guesses that tell a part apart."""

# Measured in games of the solver by a player's rules: mean guesses of small parts of n candidates,
# n being a power of two; and from sixteen on, of all secrets of a length.
_FOCDLE_SMALL: Final = (1.0, 1.5, 1.78, 1.96, 2.02)
_FOCDLE_MEANS: Final = (3.15, 3.45, 3.42, 3.38, 3.33, 3.23, 3.08, 2.9, 2.85)
_HARD: Final = 1.08
"""The factor of estimated costs where only candidates may be guessed."""
_BASE: Final = 1.1
_SLOPES: Final = {1: 0.6, 2: 0.5, 3: 0.40, 4: 0.335, 5: 0.30, 6: 0.285}
"""Guesses per bit beyond the first guess, by the length of a code, where no tree is shipped."""


class Cost(NamedTuple):
    """Further guesses after a guess, in thousandths for all candidates; counted or estimated."""

    total: int
    is_exact: bool


class Estimates:
    """Estimates the costs of sets of candidates by their sizes, assuming good further play."""

    def __init__(self, rules: Rules[Any], allowed: Allowed) -> None:
        self._rules = rules
        self._stretch = _HARD if allowed is Allowed.HARD else 1.0
        self._slope = _slope(rules)

    def totals(self, sizes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Estimated costs of sets of these sizes, in thousandths of a guess."""
        bits = np.log2(np.maximum(sizes, 1))
        if isinstance(self._rules, Focdle):
            last = len(_FOCDLE_SMALL) - 1
            small = np.interp(bits, range(last + 1), _FOCDLE_SMALL)
            means = small + self._slope * np.maximum(bits - last, 0)
        else:
            means = _BASE + self._slope * bits
        totals = np.rint(GUESS * sizes * means * np.where(sizes > PAIR, self._stretch, 1))
        exact = np.where(sizes <= PAIR, sizes * (sizes + 1) // 2, 2 * sizes - 1) * GUESS
        return np.where(sizes <= PAIR, exact, np.maximum(totals, exact)).astype(np.int64)

    def of_parts(self, parts: Parts, solving: int) -> Cost:
        """The cost of a guess by its parts; the part of the right guess costs nothing more."""
        left = parts.sizes[parts.numbers != solving]
        return Cost(int(self.totals(left).sum()), bool((left <= PAIR).all()))


@lru_cache(maxsize=64)
def _slope(rules: Rules[Any]) -> float:
    """Guesses per bit of information: from the known mean of a game or, without one, measured."""
    if isinstance(rules, Focdle):
        small = len(_FOCDLE_SMALL) - 1
        rest = float(np.log2(rules.size)) - small
        return (_FOCDLE_MEANS[rules.length - 7] - _FOCDLE_SMALL[-1]) / rest
    if isinstance(rules, Codes):
        space = space_of(rules)
        guess = space.opening(Allowed.ANY, Goal.MEAN)
        return 1 / max(1.0, parts_of(space.numbers(guess, space.everything()), space.bins).bits)
    tree = tree_of(rules, Goal.MEAN)
    if tree is None or rules.size <= PAIR:
        return _SLOPES.get(rules.length, _SLOPES[6])
    return (tree.header.mean - _BASE) / float(np.log2(rules.size))


class Few:
    """A few candidates, meant to be `FEW` at most, and their answers to each of them as a guess."""

    def __init__(self, space: Space[Any], columns: Columns, allowed: Allowed) -> None:
        self._space = space
        self._columns = columns
        self._is_hard = allowed is Allowed.HARD
        count = columns.shape[1]
        guesses = [tuple(column.tolist()) for column in columns.T]
        self._rows = [space.numbers(guess, columns).tolist() for guess in guesses]
        sizes = np.arange(count + 1, dtype=np.int64)
        self._estimates = Estimates(space.rules, allowed).totals(sizes).tolist()
        self._known: dict[tuple[tuple[int, ...], bool], Cost] = {}
        self._probes: NDArray[np.intp] | None = None

    @cached_property
    def of_candidates(self) -> list[int]:
        """The cost of each candidate as the next guess."""
        return [self._after(row, range(len(self._rows)), probing=False).total for row in self._rows]

    def of(self, guess: Symbols) -> Cost:
        row = self._space.numbers(guess, self._columns).tolist()
        return self._after(row, range(len(row)), probing=True)

    def least(self) -> int:
        """A lower bound of the cost of any guess."""
        is_apart = any(len(set(row)) == len(row) for row in self._rows)
        return GUESS * (len(self._rows) - is_apart)

    def _after(self, row: Sequence[int], among: Iterable[int], *, probing: bool) -> Cost:
        """The cost of a guess for the candidates in `among`; `row` has what each candidate answers.

        With `probing`, the next guess need not be a candidate.
        """
        total, is_exact = 0, True
        for number, part in _divided(row, among).items():
            if number != self._space.solving:
                cost = self._of_part(tuple(part), probing=probing)
                total += cost.total
                is_exact &= cost.is_exact
        return Cost(total, is_exact)

    def _of_part(self, part: tuple[int, ...], *, probing: bool) -> Cost:
        count = len(part)
        if count <= PAIR:
            return Cost(GUESS * count * (count + 1) // 2, is_exact=True)
        key = (part, probing)
        if key not in self._known:
            self._known[key] = self._looked_into(part, probing=probing)
        return self._known[key]

    def _looked_into(self, part: tuple[int, ...], *, probing: bool) -> Cost:
        count = len(part)
        if count > _COMPARED:
            return Cost(self._estimates[count], is_exact=False)
        divided = [_divided(self._rows[code], part) for code in part]
        if max(map(len, divided)) == count:
            return Cost(GUESS * (2 * count - 1), is_exact=True)
        best = GUESS * count + min(map(self._next, divided))
        floor = GUESS * 2 * count
        if best <= floor:
            return Cost(floor, is_exact=True)
        if self._is_hard:
            return Cost(best, is_exact=False)
        if probing and self._is_told_apart(part):
            return Cost(floor, is_exact=True)
        return Cost(max(floor, min(best, self._estimates[count])), is_exact=False)

    def _next(self, parts: dict[int, list[int]]) -> int:
        return sum(
            self._estimates[len(part)]
            for number, part in parts.items()
            if number != self._space.solving
        )

    def _is_told_apart(self, part: tuple[int, ...]) -> bool:
        """True if some code tells a part's members apart; False in FoCdle, and with many codes."""
        rules = self._space.rules
        if not isinstance(rules, CodeGame) or rules.size > _EVERY_CODE:
            return False
        if self._probes is None:
            scorer = Scorer(self._columns, len(rules.alphabet))
            self._probes = scorer.numbers(self._space.everything().T.astype(np.intp))
        numbers = np.sort(self._probes[:, part], axis=1)
        return bool((numbers[:, 1:] != numbers[:, :-1]).all(axis=1).any())


def _divided(row: Sequence[int], among: Iterable[int]) -> dict[int, list[int]]:
    """Group candidates by their feedback numbers, which `row` has at their indices (`among`)."""
    parts: dict[int, list[int]] = {}
    for index in among:
        parts.setdefault(row[index], []).append(index)
    return parts
