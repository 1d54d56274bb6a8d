"""A branch-and-bound search for strategies with the least total of guesses.

As in the exhaustive searches for Mastermind (Koyama and Lai 1993) and Bulls and Cows (Tanaka 1996),
every set of codes gets the guess whose parts together cost least; of symmetric guesses only one is
tried.

This search tries the most promising guesses only. They are ranked in three steps, each slower and
more exact: by the sizes of their parts (Knuth 1977 ranked by the largest); by lower bounds of small
parts (see `Bounds`); by rating all guesses that could follow. A guess whose rating is clearly worse
than the best known is given up. So a total is that of a real strategy, but no proof of the optimum.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.solvers.code_games import score_numbers
from engine.solvers.tree_files import SMALLEST_INNER
from tools.trees.sets import BULLS_4, Bounds, Costs, excess, luck

NO_LIMIT: Final = 1_000
"""So many guesses left means: as many as it takes."""
IMPOSSIBLE: Final = 1 << 40
"""The cost of what the guesses left do not suffice for."""
_PAIR: Final = 2
_SYMMETRIC_GUESSES: Final = 2
"""After so many guesses hardly any symmetry is left."""
_DEEP: Final = 3
"""With fewer guesses left, every part of a guess must be a single code."""


def reply_matrix(codes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The replies of codes (N, length) to each other: guess by row, secret by column, (N, N)."""
    columns = codes.T
    return np.stack([score_numbers(code.tolist(), columns) for code in codes]).astype(np.uint8)


def representatives(
    codes: NDArray[np.uint8], symbols: int, history: tuple[int, ...]
) -> NDArray[np.intp]:
    """Choose one guess of each orbit under the symmetries that keep the earlier guesses.

    Two guesses are in one orbit if some order of the places, followed by a renaming of the symbols,
    turns the history with the one into the history with the other. So each is written with symbols
    named in the order of their first use, once for every order of the places, and the least of
    these names stands for its orbit.

    Args:
        codes: shape (N, length).
        symbols: the size of the alphabet.
        history: the earlier guesses, as indices into codes; with one more guess they have 18 places
            at most, or the names do not fit into 64 bits.

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
    """Encode rows of symbols as numbers, after renaming symbols in the order of first use."""
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


@dataclass(frozen=True, slots=True)
class Node:
    """A set of possible codes with the guesses worth trying.

    Attributes:
        codes: the possible codes, ascending, shape (n,).
        guesses: shape (G,); the possible codes come first, in their order.
        replies: of the guesses to the possible codes, as kinds, shape (G, n).
        left: the number of remaining guesses.
        history: the guesses made.
    """

    codes: NDArray[np.intp]
    guesses: NDArray[np.intp]
    replies: NDArray[np.uint8]
    left: int
    history: tuple[int, ...]

    def child(self, rows: NDArray[np.intp], guess: int) -> "Node":
        """Return the node after a guess; `rows` are the codes that are left."""
        others = np.delete(np.arange(len(self.guesses)), rows)
        kept = np.concatenate([rows, others])
        return Node(
            self.codes[rows],
            self.guesses[kept],
            self.replies[np.ix_(kept, rows)],
            self.left - 1,
            (*self.history, guess),
        )

    def only(self, rows: NDArray[np.intp]) -> "Node":
        """Keep some of this node's guesses, including all possible codes."""
        return Node(self.codes, self.guesses[rows], self.replies[rows], self.left, self.history)


@dataclass(frozen=True, slots=True)
class Survey:
    """A rating of a node's guesses.

    Attributes:
        sizes: of the parts, by kind of reply, shape (G, kinds).
        floors: lower bounds of the node's cost after each guess, shape (G,).
        expected: expected costs, shape (G,).
    """

    sizes: NDArray[np.int64]
    floors: NDArray[np.int64]
    expected: NDArray[np.float64]


class Surveyor:
    """Rates all guesses of a node.

    Args:
        count: the number of the game's codes.
        kinds: the number of kinds of replies.
        least: least costs by size of a set.
        expected: expected costs by size of a set.
    """

    def __init__(
        self, count: int, kinds: int, least: NDArray[np.int64], expected: NDArray[np.float64]
    ) -> None:
        # Sums of these stay below 2**53, so floats add them exactly.
        self._weights = np.random.default_rng(0).integers(1, 2**40, count).astype(np.float64)
        self._kinds = kinds
        self._least = least
        self._expected = expected

    def reduce(self, node: Node) -> tuple[Node, Survey]:
        """Remove useless and duplicate guesses of a node, and rate the rest."""
        cells = self._cells(node.replies)
        sizes = self._sizes(cells)
        shape = node.replies.shape
        weights = np.broadcast_to(self._weights[node.codes], shape).ravel()
        sums = np.bincount(cells, weights, minlength=sizes.size).astype(np.uint64)
        # A hash that is the same for two guesses with the same parts, in any order.
        marks = (sums * (sums ^ np.uint64(0x9E3779B97F4A7C15))).reshape(sizes.shape).sum(axis=1)
        kept = np.zeros(len(sizes), np.bool_)
        kept[np.unique(marks, return_index=True)[1]] = True
        kept &= sizes.max(axis=1) < shape[1]
        kept[: shape[1]] = True
        rows = np.flatnonzero(kept)
        sizes, count = sizes[rows], shape[1]
        # A part of one code costs one guess, but none if the guess was that code.
        saved = np.arange(len(sizes)) < count
        return node.only(rows), Survey(
            sizes,
            count + self._least[sizes].sum(axis=1) - saved,
            count + self._expected[sizes].sum(axis=1) - saved,
        )

    def best_expected(self, replies: NDArray[np.uint8], own: NDArray[np.intp]) -> float:
        """Compute the best expected cost of some guesses.

        Args:
            replies: of the guesses to the codes of a set, shape (G, n).
            own: the guesses that are those codes.
        """
        costs = self._expected[self._sizes(self._cells(replies))].sum(axis=1)
        costs[own] -= 1
        return replies.shape[1] + float(costs.min())

    def _cells(self, replies: NDArray[np.uint8]) -> NDArray[np.intp]:
        offsets = np.arange(len(replies), dtype=np.intp)[:, None] * self._kinds
        return (replies + offsets).ravel()

    def _sizes(self, cells: NDArray[np.intp]) -> NDArray[np.int64]:
        rows = int(cells[-1]) // self._kinds + 1
        return np.bincount(cells, minlength=rows * self._kinds).reshape(rows, self._kinds)


class Options:
    """Guesses with their parts, in which equal parts of several guesses are one set.

    Args:
        node: the node of the guesses.
        rows: of its guesses, shape (K,).
        sizes: of their parts, shape (K, kinds).
        tokens: a random number for every code of the game; a set's key is their sum.

    Attributes:
        keys: of the sets of at least three codes, shape (U,).
        lengths: the numbers of their codes.
        floors: their lower bounds.
        expected: their expected costs.
        solved: the floor is the cost.
        peeked: the expectation comes from rating all guesses.
    """

    def __init__(
        self,
        node: Node,
        rows: NDArray[np.intp],
        sizes: NDArray[np.int64],
        tokens: NDArray[np.uint64],
    ) -> None:
        count = len(node.codes)
        order = np.argsort(node.replies[rows], axis=1, kind="stable")
        ends = np.cumsum(sizes, axis=1)
        guess, kind = np.nonzero(sizes > _PAIR)
        start, end = (ends - sizes)[guess, kind], ends[guess, kind]
        sums = np.zeros((len(rows), count + 1), np.uint64)
        np.cumsum(tokens[node.codes][order], axis=1, out=sums[:, 1:])
        self.keys, first, self._sets = np.unique(
            sums[guess, end] - sums[guess, start], return_index=True, return_inverse=True
        )
        self._codes = order.ravel()
        self._starts = (guess * count + start)[first]
        self._bounds = np.searchsorted(guess, np.arange(len(rows) + 1))
        # Every code takes the guess itself; a single code one more, a pair 1 + 2.
        self._fixed = count + (sizes == 1).sum(axis=1) + 3 * (sizes == _PAIR).sum(axis=1)
        self._fixed -= rows < count
        self._guesses = guess
        self.rows = rows
        self.lengths = (end - start)[first]
        self.floors = np.zeros(len(first), np.int64)
        self.expected = np.zeros(len(first))
        self.solved = np.zeros(len(first), np.bool_)
        self.peeked = np.zeros(len(first), np.bool_)

    def members(self, index: int) -> NDArray[np.intp]:
        """Return a set's codes, as row numbers of the node."""
        start = self._starts[index]
        return self._codes[start : start + self.lengths[index]]

    def by_length(self, chosen: NDArray[np.bool_]) -> Iterator[tuple[NDArray[np.intp], int]]:
        """Yield the chosen sets, grouped by length."""
        for length in np.unique(self.lengths[chosen]).tolist():
            yield np.flatnonzero(chosen & (self.lengths == length)), length

    def rows_of(self, sets: NDArray[np.intp], length: int) -> NDArray[np.intp]:
        """Return the codes of sets of one length, shape (B, length)."""
        return self._codes[self._starts[sets][:, None] + np.arange(length)]

    def sets(self, guess: int) -> NDArray[np.intp]:
        """Return the sets that a guess leaves."""
        return self._sets[self._bounds[guess] : self._bounds[guess + 1]]

    def unsolved(self, guess: int) -> list[int]:
        """List a guess's unsolved sets, the largest first."""
        sets = self.sets(guess)
        left: list[int] = sets[~self.solved[sets]].tolist()
        return sorted(left, key=lambda index: -int(self.lengths[index]))

    def floor(self, guess: int) -> int:
        """Bound the node's cost after a guess from below."""
        return int(self._fixed[guess] + self.floors[self.sets(guess)].sum())

    def expectation(self, guess: int) -> float:
        """Estimate the node's cost after a guess."""
        return float(self._fixed[guess] + self.expected[self.sets(guess)].sum())

    def all_floors(self) -> NDArray[np.float64]:
        return self._summed(self.floors)

    def all_expectations(self) -> NDArray[np.float64]:
        return self._summed(self.expected)

    def settle(self, index: int, cost: int) -> None:
        self.floors[index] = self.expected[index] = cost
        self.solved[index] = True

    def raise_floor(self, index: int, floor: int) -> None:
        self.floors[index] = max(floor, self.floors[index])
        self.expected[index] = max(floor, self.expected[index])

    def _summed(self, values: NDArray[np.int64] | NDArray[np.float64]) -> NDArray[np.float64]:
        sums = np.bincount(self._guesses, values[self._sets], minlength=len(self.rows))
        return self._fixed + sums


@dataclass(frozen=True, slots=True)
class Effort:
    """The width of the search; tuples are by number of guesses made, the last for more.

    Attributes:
        tried: guesses whose parts are bounded one by one.
        expanded: guesses whose parts are solved.
        peeks: guesses for whose parts all following guesses are rated.
        small: sets of at most so many codes are bounded by parts.
        slack: the tolerated excess over the best known cost: at least, and per code.
        set_slack: the same for a set that is expected to cost too much.
        costs: expected costs by size.
    """

    tried: tuple[int, ...] = (400,)
    expanded: tuple[int, ...] = (20, 20, 20, 8, 6)
    peeks: tuple[int, ...] = (100,)
    small: int = 18
    slack: tuple[float, float] = (1.5, 0.025)
    set_slack: tuple[float, float] = (2.0, 0.09)
    costs: Costs = BULLS_4


class TreeSearch:
    """A search for strategies of one game.

    Args:
        codes: all codes, shape (N, length).
        symbols: the size of the alphabet.
        effort: the width of the search.
        limited: the number of guesses is limited.
    """

    def __init__(
        self, codes: NDArray[np.uint8], symbols: int, effort: Effort, *, limited: bool
    ) -> None:
        self._codes = codes
        self._symbols = symbols
        self._effort = effort
        self._limited = limited
        replies = reply_matrix(codes)
        numbers = np.unique(replies)
        kinds = np.zeros(256, np.uint8)
        kinds[numbers] = np.arange(len(numbers), dtype=np.uint8)
        # Kinds are replies numbered without gaps, in the same order; the last one solves.
        self._replies = kinds[replies]
        self._kinds = len(numbers)
        self._least = effort.costs.least(len(codes), self._kinds, effort.small)
        self._expected = effort.costs.expected(len(codes))
        self._surveyor = Surveyor(len(codes), self._kinds, self._least, self._expected)
        self._tokens = np.random.default_rng(1).integers(0, 2**63, len(codes), dtype=np.uint64)
        self._allowed: dict[tuple[int, ...], NDArray[np.bool_]] = {}
        self.forget()

    def forget(self) -> None:
        """Clear the caches."""
        self._costs: dict[int, int] = {}
        self._floors: dict[int, int] = {}
        self._peeks: dict[int, float] = {}
        self._guesses: dict[int, int] = {}

    def first_guesses(self) -> list[int]:
        """List one first guess of each orbit."""
        return representatives(self._codes, self._symbols, ()).tolist()

    def parts(self, guess: int, codes: NDArray[np.intp]) -> list[NDArray[np.intp]]:
        """List the sets that a guess leaves of some codes, by reply, without the solving one."""
        kinds = self._replies[guess, codes]
        parts = (codes[kinds == kind] for kind in range(self._kinds - 1))
        return [part for part in parts if len(part)]

    def node(self, codes: NDArray[np.intp], left: int, history: tuple[int, ...]) -> Node:
        """Make the node of some codes, with all guesses of the game."""
        others = np.delete(np.arange(len(self._codes)), codes)
        guesses = np.concatenate([codes, others])
        return Node(codes, guesses, self._replies[np.ix_(guesses, codes)], left, history)

    def cost(self, node: Node, most: int = IMPOSSIBLE) -> int:
        """Find the least total of a node's codes, if it is less than `most`.

        Otherwise the result is some number from `most` up to the least total.
        """
        count = len(node.codes)
        if count <= _PAIR:
            return 2 * count - 1 if node.left >= count else IMPOSSIBLE
        key = int(self._tokens[node.codes].sum()) + self._salt(node.left)
        if key in self._costs:
            return self._costs[key]
        if self._floors.get(key, 0) >= most:
            return self._floors[key]
        cost, guess = self._solve(node, most)
        if guess is None:
            self._floors[key] = max(cost, self._floors.get(key, 0))
        else:
            self._costs[key], self._guesses[key] = cost, guess
        return cost

    def plan(self, node: Node) -> list[int]:
        """List the guesses of a node's inner nodes, in preorder; its cost must be known."""
        key = int(self._tokens[node.codes].sum()) + self._salt(node.left)
        if key not in self._guesses:
            # Small sets were solved without noting the guess.
            found = self._solve(node, self.cost(node) + 1)[1]
            if found is None:
                raise ValueError("no strategy for these codes")
            self._guesses[key] = found
        guess = self._guesses[key]
        guesses = [guess]
        for part in self.parts(guess, node.codes):
            if len(part) >= SMALLEST_INNER:
                guesses += self.plan(self.node(part, node.left - 1, (*node.history, guess)))
        return guesses

    def solved(self, codes: NDArray[np.intp], plan: Iterator[int]) -> list[tuple[int, int]]:
        """List the number of codes and their cost at each guess of a plan.

        Args:
            codes: the codes before the first guess.
            plan: guesses of inner nodes in preorder, see `plan`; they are consumed.
        """
        guess, total, found = next(plan), len(codes), list[tuple[int, int]]()
        for part in self.parts(guess, codes):
            if len(part) < SMALLEST_INNER:
                total += 2 * len(part) - 1
            else:
                found += self.solved(part, plan)
                total += found[-1][1]
        return [*found, (len(codes), total)]

    def _salt(self, left: int) -> int:
        """Distinguish cached sets by the remaining guesses, if those are limited."""
        return left << 64 if self._limited else 0

    def _solve(self, node: Node, most: int) -> tuple[int, int | None]:
        """Find the cost and the guess; or a number from `most` up to the cost, and None."""
        count = len(node.codes)
        node, survey = self._surveyor.reduce(node)
        largest = survey.sizes.max(axis=1)
        if node.left < _DEEP:
            split = np.flatnonzero(largest == 1) if node.left == _PAIR else np.empty(0, np.intp)
            if not len(split):
                return IMPOSSIBLE, None
            best = split[survey.floors[split].argmin()]
            return int(survey.floors[best]), int(node.guesses[best])
        floor = int(survey.floors.min())
        certain = np.flatnonzero((largest <= _PAIR) & (survey.floors == floor))
        if len(certain):
            return floor, int(node.guesses[certain[0]])
        if len(node.history) >= _SYMMETRIC_GUESSES and count > self._effort.small:
            least, share = self._effort.set_slack
            likely = float(survey.expected.min()) - luck(count, self._effort.small)
            floor = max(floor, int(np.ceil(likely - least - share * count)))
        if floor >= most:
            return floor, None
        return self._expand(node, self._options(node, survey, most), most)

    def _options(self, node: Node, survey: Survey, most: int) -> Options:
        """Choose the guesses that rank best by the sizes of their parts, and bound these."""
        rows = np.flatnonzero(survey.floors < most)
        if len(node.history) <= _SYMMETRIC_GUESSES:
            rows = rows[self._representative(node.history)[node.guesses[rows]]]
        tried = self._at(self._effort.tried, node)
        rows = rows[np.argsort(survey.expected[rows], kind="stable")[:tried]]
        options = Options(node, rows, survey.sizes[rows], self._tokens)
        options.floors[:] = self._least[options.lengths]
        options.expected[:] = self._expected[options.lengths]
        keys = [key + self._salt(node.left - 1) for key in options.keys.tolist()]
        known = self._recall(options, keys)
        self._bound(node, options, keys, ~known & (options.lengths <= self._effort.small))
        return options

    def _recall(self, options: Options, keys: list[int]) -> NDArray[np.bool_]:
        """Apply cached results to sets; return which were found."""
        known = np.zeros(len(keys), np.bool_)
        for index, key in enumerate(keys):
            if key in self._costs:
                options.settle(index, self._costs[key])
            elif key in self._floors:
                options.raise_floor(index, self._floors[key])
            else:
                continue
            known[index] = True
        return known

    def _bound(
        self, node: Node, options: Options, keys: list[int], chosen: NDArray[np.bool_]
    ) -> None:
        """Bound sets by parts, and cache the bounds."""
        bounds = Bounds(node.replies, self._kinds) if chosen.any() else None
        for sets, length in options.by_length(chosen):
            if bounds is None:
                return
            floors, exact = bounds.of(options.rows_of(sets, length))
            if node.left - 1 < _DEEP:
                # Pairs are then too large a part, but one of the codes may tell all apart.
                exact &= floors == 2 * length - 1
            options.floors[sets] = floors
            options.expected[sets] = np.where(exact, floors, floors + excess(length))
            options.solved[sets] = exact
            for index, floor, done in zip(
                sets.tolist(), floors.tolist(), exact.tolist(), strict=True
            ):
                (self._costs if done else self._floors)[keys[index]] = floor

    def _expand(self, node: Node, options: Options, most: int) -> tuple[int, int | None]:
        """Solve the sets of the most promising guesses first."""
        least, share = self._effort.slack
        slack = least + share * len(node.codes)
        heap = [
            (expected, guess, False)
            for guess, (expected, floor) in enumerate(
                zip(options.all_expectations().tolist(), options.all_floors().tolist(), strict=True)
            )
            if floor < most
        ]
        heapq.heapify(heap)
        found: int | None = None
        expansions = self._at(self._effort.expanded, node)
        peeks = self._at(self._effort.peeks, node)
        while heap and expansions:
            expected, guess, looked = heapq.heappop(heap)
            if expected - slack >= most:
                break
            if options.floor(guess) >= most:
                continue
            if not looked:
                if peeks:
                    peeks -= 1
                    self._peek(node, options, guess)
                heapq.heappush(heap, (options.expectation(guess), guess, True))
                continue
            expansions -= 1
            cost = self._total(node, options, guess, most)
            if cost < most:
                most, found = cost, int(node.guesses[options.rows[guess]])
        return most, found

    def _total(self, node: Node, options: Options, guess: int, most: int) -> int:
        """Compute the node's cost with a guess, if it is less than `most`."""
        total = options.floor(guess)
        name = int(node.guesses[options.rows[guess]])
        for index in options.unsolved(guess):
            floor = int(options.floors[index])
            enough = most - total + floor
            cost = self.cost(node.child(options.members(index), name), enough)
            if cost < enough:
                options.settle(index, cost)
            else:
                options.raise_floor(index, cost)
            total += max(cost - floor, 0)
            if total >= most:
                break
        return total

    def _peek(self, node: Node, options: Options, guess: int) -> None:
        """Rate a guess's larger sets by the guesses that can follow."""
        for index in options.unsolved(guess):
            length = int(options.lengths[index])
            if options.peeked[index] or length <= self._effort.small:
                continue
            key = int(options.keys[index])
            if key not in self._peeks:
                rows = options.members(index)
                best = self._surveyor.best_expected(node.replies[:, rows], rows)
                self._peeks[key] = best - luck(length, self._effort.small)
            options.expected[index] = self._peeks[key]
            options.peeked[index] = True

    def _representative(self, history: tuple[int, ...]) -> NDArray[np.bool_]:
        """Mark the representatives of orbits after some guesses."""
        if history not in self._allowed:
            allowed = np.zeros(len(self._codes), np.bool_)
            allowed[representatives(self._codes, self._symbols, history)] = True
            self._allowed[history] = allowed
        return self._allowed[history]

    @staticmethod
    def _at(numbers: tuple[int, ...], node: Node) -> int:
        return numbers[min(len(node.history), len(numbers) - 1)]
