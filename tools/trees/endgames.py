"""What candidates of FoCdle take, any string being allowed: exactly, by every string, if few.

A guess that makes p parts of n candidates leaves them 3n - p guesses in all, if each part is told
apart by one of its own; one fewer if the guess is one of them. No guess can do better with as many
parts. So strings are tried by how many parts they make, the most first, until no other can do
better than the best that was found. Where there are many candidates, strings are climbed to.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.choice import Allowed, Goal
from engine.equations import SYMBOLS
from engine.feedback import Mark
from engine.solvers.focdle.marks import mark_numbers, number_of
from engine.solvers.focdle.search import Judge, best_guess, climb
from engine.solvers.focdle.search import parts as parts_made
from engine.solvers.focdle.signatures import Signatures
from engine.solvers.space import Columns, Symbols, as_symbols
from tools.trees.strings import Strings

_PAIR: Final = 2
_BATCHES: Final = 24
_CLIMBS: Final = 64
_RIGHT: Final = -1
"""Instead of a signature: this candidate is the guess."""


ENOUGH: Final = 1 << 40
"""More than any candidates take."""


class Solution(NamedTuple):
    """What some candidates take in all, and the guess that begins it."""

    cost: int
    guess: Symbols


class Plan(NamedTuple):
    """A guess, and what to guess in those of its parts that have three candidates or more.

    Attributes:
        guess: the guess.
        after: for these parts, in ascending order of their mark numbers.
    """

    guess: Symbols
    after: "tuple[Plan, ...]"


def floor(columns: Columns, enough: int = ENOUGH) -> int:
    """What candidates take at least, or that it is as much as enough.

    It is what they take if each part of the best guess can be told apart by one of its own.

    Args:
        columns: at least one candidate, shape (length, n).
        enough: more need not be proven.
    """
    count = columns.shape[1]
    most = int(own_parts(columns).max()) + 1
    if count <= _PAIR or most >= count:
        return 3 * count - most
    strings, parts = Strings(columns), count
    while parts > most and 3 * count - parts < enough:
        if next(strings.making(parts), None) is not None:
            break
        parts -= 1
    return 3 * count - parts


class Endgames:
    """Finds what sets of candidates take, and remembers it.

    Args:
        few: of so many candidates what they take is exact. For more it is what they take after
            the best guess of some that climbs lead to.
    """

    def __init__(self, few: int = ENOUGH) -> None:
        self._few = few
        self._known: dict[bytes, Solution] = {}

    def solve(self, columns: Columns) -> Solution:
        """The least that these candidates take, shape (length, n), n at least 1."""
        count = columns.shape[1]
        if count <= _PAIR:
            return Solution(2 * count - 1, as_symbols(columns[:, 0].astype(np.intp)))
        key = columns.tobytes()
        if key not in self._known:
            self._known[key] = self._search(columns)
        return self._known[key]

    def plan(self, columns: Columns) -> Plan:
        """What to guess when these are the candidates, at least three, until few are left."""
        guess = self.solve(columns).guess
        parts = parts_after(guess, columns)
        return Plan(guess, tuple(self.plan(part) for part in parts if part.shape[1] > _PAIR))

    def _search(self, columns: Columns) -> Solution:
        count = columns.shape[1]
        best = Solution(count * count + count, ())
        guesses = _by_floors(columns) if count <= self._few else _climbed_to(columns)
        for floor_of_guess, guess, signatures in guesses:
            if floor_of_guess >= best.cost:
                break
            cost = self._cost(columns, signatures, best.cost)
            if cost < best.cost:
                best = Solution(cost, guess)
        return best

    def _cost(self, columns: Columns, signatures: NDArray[np.intp], limit: int) -> int:
        """What candidates take after a guess with these signatures; or no less than the limit."""
        order = np.argsort(signatures, kind="stable")
        ordered = signatures[order]
        ends = [0, *(np.flatnonzero(ordered[1:] != ordered[:-1]) + 1).tolist(), len(order)]
        parts = sorted(
            (order[a:b] for a, b in pairwise(ends) if ordered[a] != _RIGHT), key=len, reverse=True
        )
        cost = len(order) + sum(2 * len(part) - 1 for part in parts)
        for part in parts:
            if cost >= limit:
                break
            cost += self.solve(np.ascontiguousarray(columns[:, part])).cost - (2 * len(part) - 1)
        return cost


def parts_after(guess: Symbols, columns: Columns) -> list[Columns]:
    """The parts that a guess makes of candidates, in ascending order of their mark numbers.

    The order of candidates is kept; who is right is not among them.
    """
    numbers = mark_numbers(guess, columns)
    solving = number_of((Mark.CORRECT,) * len(guess))
    found = [number for number in np.unique(numbers) if number != solving]
    return [np.ascontiguousarray(columns[:, numbers == number]) for number in found]


def _by_floors(columns: Columns) -> Iterator[tuple[int, Symbols, NDArray[np.intp]]]:
    """Guesses that may be worth it, by what candidates take at least after them.

    A candidate's own signature is `_RIGHT`.
    """
    count = columns.shape[1]
    guesses = np.ascontiguousarray(columns.T).astype(np.intp)
    signatures = Signatures(columns).of(guesses).astype(np.intp)
    np.fill_diagonal(signatures, _RIGHT)
    own = _parts(signatures)
    strings = Strings(columns)
    for least in range(count + 1, 0, -1):
        # With as many guesses in all, a string is better than a candidate: no game is longer.
        for division in strings.making(least) if least <= count else ():
            for row in np.flatnonzero(division.counts == least):
                yield 3 * count - least, as_symbols(division.guesses[row]), division.parts[row]
        for row in np.flatnonzero(own == least - 1):
            yield 3 * count - least, as_symbols(guesses[row]), signatures[row]


def _climbed_to(columns: Columns) -> list[tuple[int, Symbols, NDArray[np.intp]]]:
    """As `_by_floors`: the guesses with most parts of several batches of climbs.

    Climbs start from candidates, more or fewer of whose symbols are exchanged for any.
    """
    length, count = columns.shape
    chance, judge = np.random.default_rng(count), Judge(columns, parts_made)
    found = {as_symbols(best_guess(columns, Allowed.ANY, Goal.MEAN))}
    for _ in range(_BATCHES):
        starts = columns[:, chance.integers(0, count, _CLIMBS)].T.astype(np.intp)
        is_exchanged = chance.random(starts.shape) < chance.random((_CLIMBS, 1))
        starts = np.where(is_exchanged, chance.integers(0, len(SYMBOLS), starts.shape), starts)
        values = judge(judge.signatures.of(starts))
        found.add(as_symbols(climb(judge, starts, values, Allowed.ANY)))
    guesses = np.array(sorted(found), np.intp)
    signatures = judge.signatures.of(guesses).astype(np.intp)
    signatures[signatures % (1 << length) == (1 << length) - 1] = _RIGHT
    floors = 3 * count - _parts(signatures) - (signatures == _RIGHT).any(axis=1)
    order = np.argsort(floors, kind="stable").tolist()
    return [(int(floors[row]), as_symbols(guesses[row]), signatures[row]) for row in order]


def own_parts(columns: Columns) -> NDArray[np.intp]:
    """How many parts each candidate makes of all, shape (n,)."""
    guesses = np.ascontiguousarray(columns.T).astype(np.intp)
    return _parts(Signatures(columns).of(guesses))


def _parts(signatures: NDArray[np.int32] | NDArray[np.intp]) -> NDArray[np.intp]:
    ordered = np.sort(signatures, axis=1)
    return 1 + np.count_nonzero(ordered[:, 1:] != ordered[:, :-1], axis=1)
