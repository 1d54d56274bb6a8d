"""Strategy trees of FoCdle, built from nothing and written as text.

The first guess is given. At length 7 `tools.trees.optimum` tells that it is the best, and
whatever follows is the best there is, by every string; at length 8 only where few are left.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from textwrap import wrap
from typing import Final

from engine.equations import SYMBOLS
from engine.focdle import Focdle
from engine.solvers.claims import DamagedTreeError, file_name, game_key
from engine.solvers.focdle.secrets import every_secret
from engine.solvers.focdle.tree import SMALLEST_INNER, FocdleTree
from engine.solvers.space import Columns
from tools.trees.endgames import ENOUGH, Endgames, Plan, Solution, parts_after

_WIDTH: Final = 100

Progress = Callable[[int], object]
"""Is told how many secrets have been dealt with since it was told last."""


@dataclass(frozen=True, slots=True)
class FocdleStrategy:
    """What a tree is for.

    Attributes:
        length: of the secrets.
        goal: as for a `Strategy`.
        opening: the first guess.
        few: of so many candidates what they take is exact, see `Endgames`.
    """

    length: int
    goal: str
    opening: str
    few: int = ENOUGH

    @property
    def file_name(self) -> str:
        """Where the tree is written."""
        return file_name(game_key(Focdle(self.length)), self.goal)


FOCDLE_STRATEGIES: Final = (
    FocdleStrategy(7, "both", "5-2+674"),
    FocdleStrategy(8, "both", "1%37%542", few=24),
)
"""All that are shipped."""


def amount(strategy: FocdleStrategy) -> int:
    """How many secrets a build has to deal with."""
    return Focdle(strategy.length).secrets


def build(strategy: FocdleStrategy, jobs: int, progress: Progress) -> str:
    """Find a tree and write it as text.

    Args:
        strategy: what it is for.
        jobs: how many processes search at once.
        progress: is told of progress.

    Raises:
        DamagedTreeError: the tree, played against every secret, is not what was found.
    """
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
    claim = FocdleTree(Focdle(strategy.length), strategy.goal, spelled).claim
    if claim.total != total:
        raise DamagedTreeError(f"{claim}, but {total} guesses were found")
    # Signs in guesses are no hyphens at which a line may be broken.
    lines = wrap(" ".join(spelled), _WIDTH, break_on_hyphens=False)
    return "\n".join([str(claim), *lines, ""])


def _by_level(root: Plan) -> Iterator[Plan]:
    level = [root]
    while level:
        yield from level
        level = [after for plan in level for after in plan.after]


def _solutions(
    strategy: FocdleStrategy, parts: list[Columns], jobs: int
) -> Iterator[tuple[Solution, Plan | None]]:
    """What each part takes, and how it is played if it has three candidates or more."""
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
