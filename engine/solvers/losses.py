"""What guesses lose beside the solver's choice, and what was at stake; see `engine.skill`."""

from fractions import Fraction
from typing import Any, Final

import numpy as np

from engine.choice import Allowed
from engine.skill import Loss
from engine.solvers.costs import GUESS, Estimates, Few
from engine.solvers.parts import Parts, parts_of
from engine.solvers.space import Columns, Space, Symbols

_LEAST_STAKE: Final = Fraction(1, 100)
"""Some of it there is wherever a choice is, or one mistake among equals would be a whole game's."""
_MOST_TRIED: Final = 16
_FEWEST_TRIED: Final = 3
_BUDGET: Final = 160_000
_BUDGET_OF_OPENINGS: Final = 10_000_000
"""Candidates are compared with so many others, all in all, to find what is at stake; before the
first guess, where that is worked out once, with more."""


def loss_of_few(
    space: Space[Any], guess: Symbols, choice: Symbols, columns: Columns, allowed: Allowed
) -> Loss:
    """The loss of a guess where few candidates are left, all of which are tried."""
    count = columns.shape[1]
    few = Few(space, columns, allowed)
    mine, best = few.of(guess), few.of(choice)
    tried = few.of_candidates()
    mean = Fraction(sum(tried), len(tried))
    return Loss(
        guesses=_share(max(0, mine.total - best.total), count),
        stake=_stake(_share(mean - best.total, count), count),
        is_exact=mine.is_exact and best.is_exact and best.total == few.least(),
        candidates=_share(max(0, min(tried) - best.total), count),
    )


def loss_of_many(
    space: Space[Any], mine: Parts, best: Parts, mean: Fraction, allowed: Allowed
) -> Loss:
    """The loss of a guess by the parts that it makes, and that the choice does.

    Args:
        space: the game.
        mine: the parts of the guess.
        best: the parts of the solver's choice.
        mean: what candidates cost on average, see `mean_of_candidates`.
        allowed: which guesses may be made.
    """
    count = mine.total
    estimates = Estimates(space.rules, allowed)
    cost, least = (estimates.of_parts(parts, space.solving) for parts in (mine, best))
    return Loss(
        guesses=_share(max(0, cost.total - least.total), count),
        stake=_stake(_share(mean - least.total, count), count),
        is_exact=False,
    )


def loss_of_last(mine: Parts, solving: int) -> Loss:
    """The loss of a guess that no other can follow: the chance to be right, if it had none.

    All candidates are as likely, so nothing is at stake among them.
    """
    is_possible = mine.size(solving) > 0
    chance = Fraction() if is_possible else Fraction(1, mine.total)
    return Loss(guesses=chance, stake=Fraction(), is_exact=True)


def mean_of_candidates(space: Space[Any], columns: Columns, allowed: Allowed) -> Fraction:
    """What candidates cost on average, in thousandths of a guess: some of them, evenly spread."""
    estimates = Estimates(space.rules, allowed)
    count = columns.shape[1]
    is_opening = count == space.everything().shape[1]
    budget = _BUDGET_OF_OPENINGS if is_opening else _BUDGET
    tried = max(_FEWEST_TRIED, min(_MOST_TRIED, budget // count))
    places = (2 * np.arange(tried) + 1) * count // (2 * tried)
    guesses = [tuple(columns[:, place].tolist()) for place in places]
    parts = [parts_of(space.numbers(guess, columns), space.bins) for guess in guesses]
    costs = [estimates.of_parts(each, space.solving).total for each in parts]
    return Fraction(sum(costs), tried)


def _share(total: int | Fraction, count: int) -> Fraction:
    """What all candidates together take, as guesses of one."""
    return Fraction(total) / (GUESS * count)


def _stake(lost: Fraction, count: int) -> Fraction:
    return max(lost, _LEAST_STAKE) if count > 1 else Fraction()
