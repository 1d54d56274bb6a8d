"""Builds the strategy trees of the other games, and writes them as text."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from multiprocessing import get_context
from textwrap import wrap
from typing import Final

import numpy as np

from engine.code_games import BullsAndCows, CodeGame, Mastermind
from engine.errors import EngineError
from engine.solvers.tree_files import SMALLEST_INNER, DamagedTreeError, file_name, game_key
from engine.solvers.trees import CodeTree, code_array
from tools.trees.sets import Costs
from tools.trees.tree_search import IMPOSSIBLE, NO_LIMIT, Effort, TreeSearch

_WIDTH: Final = 100
_USUAL: Final = Effort()
_PATIENT: Final = Effort(
    tried=(200,),
    expanded=(1, 12, 8, 6, 4),
    peeks=(0, 60, 30, 10),
    slack=(3.0, 0.05),
    set_slack=(4.0, 0.12),
)
"""Few guesses, but they are not given up so soon."""
_THOROUGH: Final = replace(_PATIENT, tried=(400,), expanded=(1, 20), peeks=(0, 100), small=24)
_WIDE: Final = Effort(tried=(120,), expanded=(1, 8, 6, 4, 3), peeks=(0, 40, 16, 6))
"""For thousands of codes: it takes minutes."""
_WIDER: Final = Effort(tried=(200,), expanded=(1, 8, 8, 6, 4), peeks=(0, 60, 30, 10))
"""For tens of thousands: it takes a quarter of an hour, and gigabytes."""
_FIRST: Final = Effort(tried=(50,), expanded=(1,), peeks=(0,))
"""To learn what sets of a game cost: the guess that looks best, everywhere."""

Progress = Callable[[int], object]
"""Is told how many codes have been dealt with since it was told last."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """A tree to build.

    Attributes:
        rules: the game.
        goal: *mean* or *worst*, see `Goal`; or *both*, where no tree is known that is better by
            either.
        limit: the most guesses for the hardest secret.
        effort: of the search.
        learns: a first search finds the costs of this game's sets; larger games differ so much from
            Bulls and Cows with four digits that good guesses would be given up.
        opening: the first guess; empty to try one of each kind.
    """

    rules: CodeGame
    goal: str
    limit: int = NO_LIMIT
    effort: Effort = _USUAL
    opening: str = ""
    learns: bool = False

    @property
    def file_name(self) -> str:
        return file_name(game_key(self.rules), self.goal)


def _both(pegs: int, limits: dict[int, int], *, repeats: bool) -> Iterator[Strategy]:
    """Yield trees of Mastermind for both goals, by the number of colours."""
    for colours, limit in limits.items():
        yield Strategy(Mastermind(pegs=pegs, colours=colours, repeats=repeats), "both", limit)


STRATEGIES: Final = (
    *_both(3, {4: 4, 5: 5, 6: 5, 7: 6, 8: 6, 9: 6, 10: 7}, repeats=True),
    *_both(4, {4: 4, 5: 5, 7: 6}, repeats=True),
    Strategy(Mastermind(pegs=5, colours=4), "both", 5, _PATIENT),
    *_both(3, {5: 4, 6: 5, 7: 5, 8: 6, 9: 6}, repeats=False),
    *_both(4, {4: 5, 5: 5, 6: 5, 7: 6, 8: 6}, repeats=False),
    *_both(5, {5: 6, 6: 6, 7: 6}, repeats=False),
    *_both(6, {6: 7}, repeats=False),
    Strategy(Mastermind(), "mean"),
    Strategy(Mastermind(), "worst", limit=5),
    Strategy(Mastermind(pegs=4, colours=8), "mean", NO_LIMIT, _PATIENT, "ROYG"),
    Strategy(Mastermind(pegs=4, colours=8), "worst", 6, _PATIENT, "ROYG"),
    Strategy(Mastermind(pegs=4, colours=9, repeats=False), "mean", NO_LIMIT, _THOROUGH),
    Strategy(Mastermind(pegs=4, colours=9, repeats=False), "worst", 6, _THOROUGH),
    Strategy(Mastermind(pegs=5, colours=5), "mean", NO_LIMIT, _PATIENT, "RROOY", learns=True),
    Strategy(Mastermind(pegs=5, colours=5), "worst", limit=5, learns=True),
    Strategy(Mastermind(pegs=6, colours=4), "mean", learns=True),
    Strategy(Mastermind(pegs=6, colours=4), "worst", limit=5, learns=True),
    Strategy(Mastermind(pegs=4, colours=9), "both", NO_LIMIT, _WIDE, "ROYG"),
    Strategy(Mastermind(pegs=4, colours=10), "mean", NO_LIMIT, _PATIENT, "ROYG"),
    Strategy(Mastermind(pegs=4, colours=10), "worst", 7, _PATIENT, "ROYG"),
    Strategy(Mastermind(pegs=5, colours=6), "both", 6, _WIDE, "RROOY", learns=True),
    Strategy(Mastermind(pegs=5, colours=8, repeats=False), "both", NO_LIMIT, _WIDE),
    Strategy(Mastermind(pegs=6, colours=7, repeats=False), "both", NO_LIMIT, _WIDE),
    Strategy(Mastermind(pegs=5, colours=8), "mean", NO_LIMIT, _WIDE, "RROOY", learns=True),
    Strategy(BullsAndCows(5), "both", NO_LIMIT, _WIDER, learns=True),
    Strategy(BullsAndCows(3), "mean"),
    Strategy(BullsAndCows(3), "worst", limit=6),
    Strategy(BullsAndCows(4), "both"),
)
"""All that are shipped; each limit is the least that a tree of that total was found to keep."""


@dataclass(frozen=True, slots=True)
class _Task:
    """The codes that give one reply, by its `place`, to a first guess."""

    strategy: Strategy
    guess: int
    place: int
    codes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Solution:
    """A solved task: its cost, and the guesses of its inner nodes in preorder.

    For each of these nodes `solved` has the number of codes and their cost.
    """

    task: _Task
    cost: int
    plan: list[int]
    solved: list[tuple[int, int]]


def amount(strategy: Strategy) -> int:
    """Count the codes of all tasks."""
    return sum(len(task.codes) for task in _tasks(strategy)) * (2 if strategy.learns else 1)


def build(strategy: Strategy, jobs: int, progress: Progress) -> str:
    """Build a tree in `jobs` processes, verified against every secret, as text."""
    if strategy.learns:
        strategy = _taught(strategy, jobs, progress)
    solutions: dict[int, list[_Solution]] = {}
    for solution in _solutions(_tasks(strategy), jobs):
        solutions.setdefault(solution.task.guess, []).append(solution)
        progress(len(solution.task.codes))
    size = strategy.rules.size
    totals = {guess: size + sum(part.cost for part in parts) for guess, parts in solutions.items()}
    best = min(totals, key=lambda guess: (totals[guess], guess))
    if totals[best] >= IMPOSSIBLE:
        raise EngineError(f"no strategy with at most {strategy.limit} guesses")
    guesses = [best]
    for solution in sorted(solutions[best], key=lambda solution: solution.task.place):
        guesses += solution.plan
    return _text(strategy, guesses, totals[best])


def _taught(strategy: Strategy, jobs: int, progress: Progress) -> Strategy:
    """Run a first search, and return the strategy with this game's costs."""
    solved: list[tuple[int, int]] = []
    for solution in _solutions(_tasks(replace(strategy, effort=_FIRST)), jobs):
        solved += solution.solved
        progress(len(solution.task.codes))
    effort = replace(strategy.effort, costs=Costs.learned(solved))
    return replace(strategy, effort=effort)


def _text(strategy: Strategy, guesses: list[int], total: int) -> str:
    """Write the tree as text, after playing it against every secret."""
    codes = list(strategy.rules.codes())
    spelled = [codes[guess] for guess in guesses]
    header = CodeTree(strategy.rules, strategy.goal, spelled).header
    # It may be better: sets that were rated by a bound can cost less.
    if header.total > total or header.most > strategy.limit:
        raise DamagedTreeError(f"{header}, but {total} guesses were found, limit {strategy.limit}")
    return "\n".join([str(header), *wrap(" ".join(spelled), _WIDTH), ""])


def _tasks(strategy: Strategy) -> list[_Task]:
    """List all tasks, largest first, so that no process is left with one at the end."""
    search = _search(strategy)
    everything = np.arange(strategy.rules.size)
    codes = map(str, strategy.rules.codes())
    firsts = [index for index, code in enumerate(codes) if code == strategy.opening]
    tasks = [
        _Task(strategy, guess, place, tuple(part.tolist()))
        for guess in firsts or search.first_guesses()
        for place, part in enumerate(search.parts(guess, everything))
    ]
    return sorted(tasks, key=lambda task: -len(task.codes))


def _solutions(tasks: list[_Task], jobs: int) -> Iterator[_Solution]:
    if jobs == 1:
        yield from map(_solve, tasks)
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(_solve, tasks)


def _solve(task: _Task) -> _Solution:
    search = _search(task.strategy)
    # Tasks hardly share sets, and the cache of all would take much memory.
    search.forget()
    node = search.node(np.array(task.codes, np.intp), task.strategy.limit - 1, (task.guess,))
    cost = search.cost(node)
    worthwhile = len(task.codes) >= SMALLEST_INNER and cost < IMPOSSIBLE
    plan = search.plan(node) if worthwhile else []
    return _Solution(task, cost, plan, search.solved(node.codes, iter(plan)) if plan else [])


@lru_cache(maxsize=1)
def _search(strategy: Strategy) -> TreeSearch:
    """Make a search for this strategy, one in each process."""
    limited = strategy.limit < NO_LIMIT
    codes = code_array(strategy.rules)
    return TreeSearch(codes, len(strategy.rules.alphabet), strategy.effort, limited=limited)
