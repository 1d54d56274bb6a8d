"""A search for strategies with the least total number of guesses.

As in the exhaustive searches for Mastermind (Koyama and Lai 1993) and Bulls and Cows (Tanaka
1996), every set of codes is given the guess whose parts together cost least, by branch and
bound; of guesses that symmetry makes the same one is looked at. Here only the most promising
guesses are, ranked in three steps, each dearer and closer to the truth: by the sizes of their
parts (Knuth 1977 ranked by the largest); by lower bounds of small parts (see `Bounds`);
by a look at all guesses that could follow. And what costs, by such a look, clearly more than
what is known is given up. So a total is that of a real strategy, but no proof of the optimum.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.solvers.trees import SMALLEST_INNER, reply_matrix
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


@dataclass(frozen=True, slots=True)
class Node:
    """A set of possible codes with the guesses that are worth thinking of.

    Attributes:
        codes: the possible codes, ascending, shape (n,).
        guesses: the guesses, shape (G,); the possible codes come first, in their order.
        replies: of the guesses to the possible codes, as kinds, shape (G, n).
        left: how many guesses may still be made.
        history: the guesses made.
    """

    codes: NDArray[np.intp]
    guesses: NDArray[np.intp]
    replies: NDArray[np.uint8]
    left: int
    history: tuple[int, ...]

    def child(self, rows: NDArray[np.intp], guess: int) -> "Node":
        """The node that a guess leads to, rows being the codes of this one that are left."""
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
        """This node with some of its guesses; all possible codes must be among them."""
        return Node(self.codes, self.guesses[rows], self.replies[rows], self.left, self.history)


@dataclass(frozen=True, slots=True)
class Survey:
    """How guesses divide the codes of a node.

    Attributes:
        sizes: of the parts, by kind of reply, shape (G, kinds).
        floors: what the node costs at least after each guess, shape (G,).
        expected: about what it costs, shape (G,).
    """

    sizes: NDArray[np.int64]
    floors: NDArray[np.int64]
    expected: NDArray[np.float64]


class Surveyor:
    """Looks at all guesses of a node.

    Args:
        count: how many codes the game has.
        kinds: how many kinds of replies there are.
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
        """The node without guesses that tell nothing or the same as another, and its survey."""
        cells = self._cells(node.replies)
        sizes = self._sizes(cells)
        shape = node.replies.shape
        weights = np.broadcast_to(self._weights[node.codes], shape).ravel()
        sums = np.bincount(cells, weights, minlength=sizes.size).astype(np.uint64)
        # What is the same for any two guesses with the same parts, in whatever order.
        marks = (sums * (sums ^ np.uint64(0x9E3779B97F4A7C15))).reshape(sizes.shape).sum(axis=1)
        kept = np.zeros(len(sizes), np.bool_)
        kept[np.unique(marks, return_index=True)[1]] = True
        kept &= sizes.max(axis=1) < shape[1]
        kept[: shape[1]] = True
        rows = np.flatnonzero(kept)
        return node.only(rows), self._survey(sizes[rows], shape[1])

    def best_expected(self, replies: NDArray[np.uint8], own: NDArray[np.intp]) -> float:
        """What the best of some guesses is expected to cost.

        Args:
            replies: of the guesses to the codes of a set, shape (G, n).
            own: which of the guesses are those codes.
        """
        costs = self._expected[self._sizes(self._cells(replies))].sum(axis=1)
        costs[own] -= 1
        return replies.shape[1] + float(costs.min())

    def _survey(self, sizes: NDArray[np.int64], count: int) -> Survey:
        # A part of one code costs one guess, but none if the guess was that code.
        saved = np.arange(len(sizes)) < count
        return Survey(
            sizes,
            count + self._least[sizes].sum(axis=1) - saved,
            count + self._expected[sizes].sum(axis=1) - saved,
        )

    def _cells(self, replies: NDArray[np.uint8]) -> NDArray[np.intp]:
        offsets = np.arange(len(replies), dtype=np.intp)[:, None] * self._kinds
        return (replies + offsets).ravel()

    def _sizes(self, cells: NDArray[np.intp]) -> NDArray[np.int64]:
        rows = int(cells[-1]) // self._kinds + 1
        return np.bincount(cells, minlength=rows * self._kinds).reshape(rows, self._kinds)


class Options:
    """Guesses with their parts; equal parts of several guesses are one set here.

    Args:
        node: where the guesses are made.
        rows: which of its guesses, shape (K,).
        sizes: of their parts, shape (K, kinds).
        tokens: a random number for every code of the game; a set's key is their sum.

    Attributes:
        keys: of the sets of at least three codes, shape (U,).
        lengths: how many codes these sets have.
        floors: what they cost at least.
        expected: about what they cost.
        solved: whether the floor is the cost.
        peeked: whether the expectation comes from a look at all guesses.
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
        # Every code takes the guess itself; one more is left alone, a pair takes 1 + 2.
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
        """The codes of a set, as row numbers of the node."""
        start = self._starts[index]
        return self._codes[start : start + self.lengths[index]]

    def by_length(self, chosen: NDArray[np.bool_]) -> Iterator[tuple[NDArray[np.intp], int]]:
        """The chosen sets, those of one length together."""
        for length in np.unique(self.lengths[chosen]).tolist():
            yield np.flatnonzero(chosen & (self.lengths == length)), length

    def rows_of(self, sets: NDArray[np.intp], length: int) -> NDArray[np.intp]:
        """The codes of sets of one length, shape (B, length)."""
        return self._codes[self._starts[sets][:, None] + np.arange(length)]

    def sets(self, guess: int) -> NDArray[np.intp]:
        """The sets that the guess-th of the guesses leaves."""
        return self._sets[self._bounds[guess] : self._bounds[guess + 1]]

    def unsolved(self, guess: int) -> list[int]:
        """Of these the ones that are not solved, the largest first."""
        sets = self.sets(guess)
        left: list[int] = sets[~self.solved[sets]].tolist()
        return sorted(left, key=lambda index: -int(self.lengths[index]))

    def floor(self, guess: int) -> int:
        """What the node costs at least if this guess is made."""
        return int(self._fixed[guess] + self.floors[self.sets(guess)].sum())

    def expectation(self, guess: int) -> float:
        """About what it costs then."""
        return float(self._fixed[guess] + self.expected[self.sets(guess)].sum())

    def all_floors(self) -> NDArray[np.float64]:
        """The floor of every guess, shape (K,)."""
        return self._summed(self.floors)

    def all_expectations(self) -> NDArray[np.float64]:
        """The expectation of every guess, shape (K,)."""
        return self._summed(self.expected)

    def settle(self, index: int, cost: int) -> None:
        """The set costs just this."""
        self.floors[index] = self.expected[index] = cost
        self.solved[index] = True

    def raise_floor(self, index: int, floor: int) -> None:
        """The set costs no less than this."""
        self.floors[index] = max(floor, self.floors[index])
        self.expected[index] = max(floor, self.expected[index])

    def _summed(self, values: NDArray[np.int64] | NDArray[np.float64]) -> NDArray[np.float64]:
        sums = np.bincount(self._guesses, values[self._sets], minlength=len(self.rows))
        return self._fixed + sums


@dataclass(frozen=True, slots=True)
class Effort:
    """How many guesses are looked at; each tuple by number of guesses made, the last for more.

    Attributes:
        tried: guesses whose parts are bounded one by one.
        expanded: guesses whose parts are solved.
        peeks: guesses for whose parts all following guesses are rated.
        small: sets of at most so many codes are bounded by parts.
        slack: what may cost so much more than it seems: at least, and per code. A guess is
            given up if it is expected to cost as much over the best known.
        set_slack: the same for a set that is expected to cost too much.
        costs: what sets of a size are expected to cost.
    """

    tried: tuple[int, ...] = (400,)
    expanded: tuple[int, ...] = (20, 20, 20, 8, 6)
    peeks: tuple[int, ...] = (100,)
    small: int = 18
    slack: tuple[float, float] = (1.5, 0.025)
    set_slack: tuple[float, float] = (2.0, 0.09)
    costs: Costs = BULLS_4


class TreeSearch:
    """Finds strategies for the codes of one game.

    Args:
        codes: all codes, shape (N, length).
        symbols: how many symbols the alphabet has.
        effort: how hard to search.
        limited: whether the number of guesses left matters.
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
        """Give up what was learned of sets of codes."""
        self._costs: dict[int, int] = {}
        self._floors: dict[int, int] = {}
        self._peeks: dict[int, float] = {}
        self._guesses: dict[int, int] = {}

    def first_guesses(self) -> list[int]:
        """One first guess for each orbit."""
        return representatives(self._codes, self._symbols, ()).tolist()

    def parts(self, guess: int, codes: NDArray[np.intp]) -> list[NDArray[np.intp]]:
        """The sets that a guess leaves of some codes, by reply, without the solving one."""
        kinds = self._replies[guess, codes]
        parts = (codes[kinds == kind] for kind in range(self._kinds - 1))
        return [part for part in parts if len(part)]

    def node(self, codes: NDArray[np.intp], left: int, history: tuple[int, ...]) -> Node:
        """The node of these codes, with all guesses there are."""
        others = np.delete(np.arange(len(self._codes)), codes)
        guesses = np.concatenate([codes, others])
        return Node(codes, guesses, self._replies[np.ix_(guesses, codes)], left, history)

    def cost(self, node: Node, most: int = IMPOSSIBLE) -> int:
        """The least total found of all codes of a node, if it is less than `most`.

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
        """The guesses of a node's inner nodes, in preorder; its cost must be known."""
        key = int(self._tokens[node.codes].sum()) + self._salt(node.left)
        if key not in self._guesses:
            # Small sets were solved without saying by which guess.
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
        """How many codes were possible before each guess of a plan, and what they cost.

        Args:
            codes: what was possible before the first.
            plan: guesses of inner nodes in preorder, see `plan`; they are used up.
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
        """What tells sets apart that have so many guesses left, if that matters."""
        return left << 64 if self._limited else 0

    def _solve(self, node: Node, most: int) -> tuple[int, int | None]:
        """The cost and the guess; or a number from `most` up to the cost, and None."""
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
        """The guesses that rank best by the sizes of their parts, which are then bounded."""
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
        """Use what is known of sets; returns of which anything is known."""
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
        """Bound sets by parts, and remember what is found."""
        bounds = Bounds(node.replies, self._kinds) if chosen.any() else None
        for sets, length in options.by_length(chosen):
            if bounds is None:
                return
            floors, exact = bounds.of(options.rows_of(sets, length))
            if node.left - 1 < _DEEP:
                # Then pairs are too large a part; but one of the codes may tell all apart.
                exact &= floors == 2 * length - 1
            options.floors[sets] = floors
            options.expected[sets] = np.where(exact, floors, floors + excess(length))
            options.solved[sets] = exact
            for index, floor, done in zip(
                sets.tolist(), floors.tolist(), exact.tolist(), strict=True
            ):
                (self._costs if done else self._floors)[keys[index]] = floor

    def _expand(self, node: Node, options: Options, most: int) -> tuple[int, int | None]:
        """Solve what the guesses leave, the most promising guess first."""
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
        """What the node costs with this guess, if it is less than `most`."""
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
        """Rate the larger sets that a guess leaves by the guesses that can follow."""
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
        """Which guesses stand for their orbits after these guesses."""
        if history not in self._allowed:
            allowed = np.zeros(len(self._codes), np.bool_)
            allowed[representatives(self._codes, self._symbols, history)] = True
            self._allowed[history] = allowed
        return self._allowed[history]

    @staticmethod
    def _at(numbers: tuple[int, ...], node: Node) -> int:
        return numbers[min(len(node.history), len(numbers) - 1)]
