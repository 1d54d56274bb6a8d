"""Builds FoCdle's strategy trees, and writes them as text.

The first guess is given. At length 7 `tools.trees.optimum` proves that it is the best, and all
later guesses are optimal among all strings; at length 8 only where few candidates are left.

The cost of few candidates is exact. A guess that splits n candidates into p parts costs 3n - p
guesses in total, if each part is told apart by one of its own; one fewer if it is a candidate
itself. No guess with as many parts is better. So strings are tried by their number of parts,
largest first, until none can beat the best found. For many candidates a hill climb finds the
guesses.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import prod
from multiprocessing import get_context
from textwrap import wrap
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.choice import Allowed, Goal
from engine.equations import EQUALS, SYMBOLS
from engine.feedback import Mark
from engine.focdle import Focdle
from engine.solvers.focdle.arrays import every_secret, mark_numbers, number_of
from engine.solvers.focdle.playouts import own_parts
from engine.solvers.focdle.search import Judge, Signatures, best_guess, climb
from engine.solvers.focdle.search import parts as parts_made
from engine.solvers.focdle.tree import FocdleTree
from engine.solvers.space import Columns, Guesses, Symbols, as_symbols
from engine.solvers.tree_files import SMALLEST_INNER, DamagedTreeError, file_name, game_key

_AT_A_TIME: Final = 1 << 19
"""How many pairs of a string and a candidate are looked at together."""
_ANSWERS: Final = 4
_COUNT: Final = len(SYMBOLS)
# The order of symbols in strings that stand for others: = tells least most often.
_RANKS: Final = (np.arange(_COUNT) - SYMBOLS.index(EQUALS)) % _COUNT
_PAIR: Final = 2
_BATCHES: Final = 24
_CLIMBS: Final = 64
_RIGHT: Final = -1
"""Instead of a signature: this candidate is the guess."""
ENOUGH: Final = 1 << 40
"""More than any candidates take."""
_WIDTH: Final = 100
Progress = Callable[[int], object]
"""Is told how many secrets have been dealt with since it was told last."""


class Division(NamedTuple):
    """Strings, and how they split the candidates.

    Attributes:
        guesses: shape (B, length).
        parts: the part of each candidate, numbered from 0, shape (B, n).
        counts: the number of parts, shape (B,).
    """

    guesses: Guesses
    parts: NDArray[np.intp]
    counts: NDArray[np.intp]


class Strings:
    """A search for strings that split given candidates, place by place.

    A string with empty places splits the candidates already. Each filled place splits a part into
    four at most, since a secret has the symbol here or not, and enough copies of it or not. So a
    part of n candidates becomes min(n, 4 ** empty) parts at most, and a string that cannot reach
    enough parts is pruned.

    Equivalent strings are tried once. A symbol tells nothing if all candidates have as many copies
    of it and it is in no place for only some. Two symbols that are in no place for only some are
    interchangeable: only their copies count.

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
        # Axes: place, symbol, number of the symbol's copy, candidate.
        self._answers = 2 * here[:, :, None, :].astype(np.intp) + has[None]
        # Where a symbol is here for all or for none, its place tells nothing.
        self._floats = here.all(axis=2) | ~here.any(axis=2)
        tells_nothing = self._floats & (copies == copies[:, :1]).all(axis=1)
        floats: list[int] = self._floats.sum(axis=1).tolist()
        # The most informative places come first, to prune early.
        self._order: list[int] = sorted(range(self._length), key=lambda place: floats[place])
        self._options: list[NDArray[np.intp]] = [
            _options(tells_nothing[place]) for place in range(self._length)
        ]
        self._most: list[int] = [self._most_answers(place) for place in range(self._length)]

    def making(self, least: int) -> Iterator[Division]:
        """Yield one string of each kind that makes at least `least` parts, in batches."""
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
        """Extend strings by every symbol in the next place, pruned."""
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
        """Mark the symbols in the next place that make representatives, shape (B, options).

        The first of two equivalent strings that differ by two exchanged symbols is one.
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
        """Bound the number of parts into which a symbol in this place splits one."""
        answers = self._answers[place, self._options[place]]
        return max(len(np.unique(each)) for copies in answers for each in copies)


def _options(tells_nothing: NDArray[np.bool_]) -> NDArray[np.intp]:
    """List the informative symbols of a place, and the first of the others."""
    ordered = np.argsort(_RANKS)
    useless = ordered[tells_nothing[ordered]]
    return np.concatenate([useless[:1], np.flatnonzero(~tells_nothing)])


class Solution(NamedTuple):
    """The total cost of some candidates, and its first guess."""

    cost: int
    guess: Symbols


class Plan(NamedTuple):
    """A guess, with plans for its parts of three candidates or more.

    Parts are in ascending order of their mark numbers.
    """

    guess: Symbols
    after: "tuple[Plan, ...]"


def floor(columns: Columns, enough: int = ENOUGH) -> int:
    """Bound the cost of candidates from below, or show that it is at least `enough`.

    The bound is exact if each part of the best guess is told apart by one of its own.

    Args:
        columns: at least one candidate, shape (length, n).
        enough: a sufficient bound.
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
    """A cached solver of sets of candidates.

    Costs of up to `few` candidates are exact. Larger sets get the best of several guesses that hill
    climbs find.
    """

    def __init__(self, few: int = ENOUGH) -> None:
        self._few = few
        self._known: dict[bytes, Solution] = {}

    def solve(self, columns: Columns) -> Solution:
        """Find the least cost of candidates, shape (length, n), n at least 1."""
        count = columns.shape[1]
        if count <= _PAIR:
            return Solution(2 * count - 1, as_symbols(columns[:, 0].astype(np.intp)))
        key = columns.tobytes()
        if key not in self._known:
            self._known[key] = self._search(columns)
        return self._known[key]

    def plan(self, columns: Columns) -> Plan:
        """Plan the guesses for at least three candidates, until few are left."""
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
        """Compute the candidates' cost after a guess with these signatures, or at least `limit`."""
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
    """Split candidates by their marks, in ascending order of mark numbers.

    The order of candidates is kept; the guess itself is left out.
    """
    numbers = mark_numbers(guess, columns)
    solving = number_of((Mark.CORRECT,) * len(guess))
    found = [number for number in np.unique(numbers) if number != solving]
    return [np.ascontiguousarray(columns[:, numbers == number]) for number in found]


def _by_floors(columns: Columns) -> Iterator[tuple[int, Symbols, NDArray[np.intp]]]:
    """Yield promising guesses by their lower bounds.

    A candidate's own signature is `_RIGHT`.
    """
    count = columns.shape[1]
    guesses = np.ascontiguousarray(columns.T).astype(np.intp)
    signatures = Signatures(columns).of(guesses).astype(np.intp)
    np.fill_diagonal(signatures, _RIGHT)
    own = _parts(signatures)
    strings = Strings(columns)
    for least in range(count + 1, 0, -1):
        # At equal cost a string beats a candidate: no game is longer.
        for division in strings.making(least) if least <= count else ():
            for row in np.flatnonzero(division.counts == least):
                yield 3 * count - least, as_symbols(division.guesses[row]), division.parts[row]
        for row in np.flatnonzero(own == least - 1):
            yield 3 * count - least, as_symbols(guesses[row]), signatures[row]


def _climbed_to(columns: Columns) -> list[tuple[int, Symbols, NDArray[np.intp]]]:
    """As `_by_floors`, from hill climbs: the guesses with most parts of several batches.

    Climbs start from candidates with some symbols exchanged at random.
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


def _parts(signatures: NDArray[np.intp]) -> NDArray[np.intp]:
    ordered = np.sort(signatures, axis=1)
    return 1 + np.count_nonzero(ordered[:, 1:] != ordered[:, :-1], axis=1)


@dataclass(frozen=True, slots=True)
class FocdleStrategy:
    """A tree's purpose and first guess; `few` is that of `Endgames`."""

    length: int
    goal: str
    opening: str
    few: int = ENOUGH

    @property
    def file_name(self) -> str:
        return file_name(game_key(Focdle(self.length)), self.goal)


FOCDLE_STRATEGIES: Final = (
    FocdleStrategy(7, "both", "5-2+674"),
    FocdleStrategy(8, "both", "1%37%542", few=24),
)
"""All that are shipped."""


def amount(strategy: FocdleStrategy) -> int:
    return Focdle(strategy.length).size


def build(strategy: FocdleStrategy, jobs: int, progress: Progress) -> str:
    """Build a tree in `jobs` processes, verified against every secret, as text."""
    opening = tuple(SYMBOLS.index(symbol) for symbol in strategy.opening)
    everything = every_secret(strategy.length)
    parts = parts_after(opening, everything)
    largest_first = sorted(range(len(parts)), key=lambda index: -parts[index].shape[1])
    total, plans = everything.shape[1], dict[int, Plan]()
    found = _solutions(strategy, [parts[index] for index in largest_first], jobs)
    for index, (solution, plan) in zip(largest_first, found, strict=True):
        total += solution.cost
        if plan is not None:
            plans[index] = plan
        progress(parts[index].shape[1])
    whole = Plan(opening, tuple(plans[index] for index in sorted(plans)))
    spelled = ["".join(SYMBOLS[symbol] for symbol in plan.guess) for plan in _by_level(whole)]
    header = FocdleTree(Focdle(strategy.length), strategy.goal, spelled).header
    if header.total != total:
        raise DamagedTreeError(f"{header}, but {total} guesses were found")
    # Hyphens in guesses must not break lines.
    lines = wrap(" ".join(spelled), _WIDTH, break_on_hyphens=False)
    return "\n".join([str(header), *lines, ""])


def _by_level(root: Plan) -> Iterator[Plan]:
    level = [root]
    while level:
        yield from level
        level = [after for plan in level for after in plan.after]


def _solutions(
    strategy: FocdleStrategy, parts: list[Columns], jobs: int
) -> Iterator[tuple[Solution, Plan | None]]:
    """Yield each part's solution, with a plan if it has three candidates or more."""
    solve = partial(_solve, strategy.few)
    if jobs == 1:
        yield from map(solve, parts)
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(solve, parts)


def _solve(few: int, part: Columns) -> tuple[Solution, Plan | None]:
    endgames = Endgames(few)
    solution = endgames.solve(part)
    return solution, endgames.plan(part) if part.shape[1] >= SMALLEST_INNER else None
