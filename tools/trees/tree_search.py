"""A search for strategies with the least total number of guesses.

As in the exhaustive searches for Mastermind (Koyama and Lai 1993) and Bulls and Cows (Tanaka
1996), every set of codes is given the guess whose parts together cost least, by branch and
bound; of guesses that symmetry makes the same one is looked at. Here only the most promising
guesses are, ranked in three steps, each dearer and closer to the truth: by the sizes of their
parts (Knuth 1977 ranked by the largest); by lower bounds of small parts (see `bounds`);
by a look at all guesses that could follow. And what costs, by such a look, clearly more than
what is known is given up. So a total is that of a real strategy, but no proof of the optimum.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.solvers.trees import SMALLEST_INNER, reply_matrix
from tools.trees.bounds import Bounds
from tools.trees.costs import BULLS_4, Costs, excess, luck
from tools.trees.nodes import Node, Survey, Surveyor
from tools.trees.options import Options
from tools.trees.orbits import representatives

IMPOSSIBLE: Final = 1 << 40
"""The cost of what the guesses left do not suffice for."""

_PAIR: Final = 2
_SYMMETRIC_GUESSES: Final = 2
"""After so many guesses hardly any symmetry is left."""
_DEEP: Final = 3
"""With fewer guesses left, every part of a guess must be a single code."""


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
