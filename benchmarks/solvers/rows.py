"""The rows of the table, with their bounds."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from benchmarks.solvers import measures
from benchmarks.solvers.measures import (
    search_tree,
    solver_games,
    solver_tree,
)
from benchmarks.solvers.report import Bound, Figure, Findings, Rule, Watch
from engine.choice import Allowed, Goal, Strength
from engine.code_games import BullsAndCows, CodeGame, Mastermind
from engine.focdle import LONGEST, SHORTEST, Focdle

Measure = Callable[[int, Watch], Findings]
"""Measures so many games or other events, or as many as there are."""

MAIN_LENGTH: Final = 10
_FOCDLE_MEANS: Final = {
    9: 3.22,
    10: 3.20,
    11: 3.175,
    12: 3.075,
    13: 2.947,
    14: 2.73,
}
_FEW_ENOUGH: Final = {7: (3.1773, 6, 0.0), 8: (3.6662, 8, 0.15)}
"""Lengths with few enough secrets to take all; in hard mode the mean and the most guesses, and
the share in percent of games that are lost."""
_FOCDLE_MOST: Final = dict.fromkeys(range(9, 14), 5)
_FOCDLE_RESTRICTED: Final = {Allowed.FORM: 3.45, Allowed.TRUE: 3.48, Allowed.HARD: 3.54}


@dataclass(frozen=True, slots=True)
class Row:
    """A row: a player or an operation, and its bounds.

    `full` is the number of games or events, 0 for all secrets; `quick` is that of a short run, None
    to leave the row out.
    """

    name: str
    method: str
    measure: Measure
    full: int
    quick: int | None
    bounds: tuple[Bound, ...] = ()


def mean(limit: float) -> Bound:
    return Bound(Figure.MEAN, limit)


def most(limit: int) -> Bound:
    return Bound(Figure.MOST, limit)


def lost(limit: float) -> Bound:
    """Bound the percentage of games beyond a player's guesses."""
    return Bound(Figure.LOST, limit)


def total(limit: int, rule: Rule = Rule.AT_MOST) -> Bound:
    """Bound the total over all secrets."""
    return Bound(Figure.TOTAL, limit, rule)


def quick(median: float, worst: float | None = None) -> tuple[Bound, ...]:
    """Bound the median and the worst time of a guess, in milliseconds."""
    usually = Bound(Figure.MEDIAN, median)
    return (usually,) if worst is None else (usually, Bound(Figure.WORST, worst))


def measured_before(limit: float, error: float) -> Bound:
    """Compare with a mean from another measurement."""
    return Bound(Figure.MEAN, limit, Rule.ABOUT, error)


_FOCDLE_TOTALS: Final = {7: total(13_113, Rule.EXACTLY), 8: total(208_616)}
_FOCDLE_COST: Final = quick(10, 100)


def rows() -> Iterator[Row]:
    yield from _focdle()
    yield from _mastermind()
    yield from _bulls()
    yield from _answers()


def exhaustive(length: int) -> Row:
    """Play all secrets of FoCdle at one length; takes minutes."""
    return Row(
        f"focdle {length} every",
        "perfect",
        partial(search_tree, length, Allowed.ANY),
        0,
        0,
        _focdle_bounds(length),
    )


def row_named(name: str) -> Row:
    lengths = range(SHORTEST, LONGEST + 1)
    known = {row.name: row for row in (*rows(), *(exhaustive(length) for length in lengths))}
    return known[name]


def _focdle_bounds(length: int) -> tuple[Bound, ...]:
    totals = [_FOCDLE_TOTALS[length]] if length in _FOCDLE_TOTALS else []
    means = [mean(_FOCDLE_MEANS[length])] if length in _FOCDLE_MEANS else []
    longest = [most(_FOCDLE_MOST[length])] if length in _FOCDLE_MOST else []
    return (*totals, *means, *longest)


def _focdle() -> Iterator[Row]:
    for length in range(SHORTEST, LONGEST + 1):
        measure = partial(solver_games, Focdle(length), Strength.PERFECT, Allowed.ANY)
        name = f"focdle {length} any"
        bounds = _focdle_bounds(length)
        if length in _FEW_ENOUGH:
            yield _focdle_tree(name, length, Allowed.ANY, bounds)
        else:
            yield Row(name, "perfect", measure, 3_000, 100, (*bounds, *_FOCDLE_COST))
    for allowed, limit in _FOCDLE_RESTRICTED.items():
        measure = partial(solver_games, Focdle(MAIN_LENGTH), Strength.PERFECT, allowed)
        bounds = (mean(limit), *_FOCDLE_COST)
        yield Row(f"focdle {MAIN_LENGTH} {allowed}", "perfect", measure, 3_000, 100, bounds)
    for length, (limit, longest, share) in _FEW_ENOUGH.items():
        name, bounds = f"focdle {length} hard", (mean(limit), most(longest), lost(share))
        yield _focdle_tree(name, length, Allowed.HARD, bounds)


def _focdle_tree(name: str, length: int, allowed: Allowed, bounds: tuple[Bound, ...]) -> Row:
    quick = 0 if length == SHORTEST else None
    return Row(name, "perfect", partial(search_tree, length, allowed), 0, quick, bounds)


def _mastermind() -> Iterator[Row]:
    yield _tree("mastermind 4x6", Mastermind(), Goal.MEAN, total(5_625, Rule.EXACTLY))
    yield _tree("mastermind 4x6 worst", Mastermind(), Goal.WORST, total(5_626), most(5))
    distinct = Mastermind(repeats=False)
    yield _tree("mastermind 4x6 distinct", distinct, Goal.MEAN, total(1_446, Rule.EXACTLY))
    yield _tree("mastermind 5x8", Mastermind(pegs=5, colours=8), Goal.MEAN, total(178_501))
    yield _sample("mastermind 6x10", Mastermind(pegs=6, colours=10), 1_000, 4, *quick(200))


def _bulls() -> Iterator[Row]:
    yield _tree("bulls 3", BullsAndCows(3), Goal.MEAN, total(3_575, Rule.EXACTLY))
    yield _tree("bulls 4", BullsAndCows(), Goal.MEAN, total(26_274, Rule.EXACTLY))
    yield _tree("bulls 5", BullsAndCows(5), Goal.MEAN, total(172_053))
    yield _sample("bulls 6", BullsAndCows(6), 3_000, 8, mean(6.42), *quick(40))
    yield _walked("bulls 4 repeats", BullsAndCows(4, repeats=True), total(56_113), *quick(40))
    for strength, before in ((Strength.SHARP, (5.4615, 0.007)), (Strength.CASUAL, (7.4, 0.1))):
        measure = partial(solver_games, BullsAndCows(), strength, Allowed.ANY)
        bound = measured_before(*before)
        yield Row(f"bulls 4 {strength}", strength, measure, 3_000, 60, (bound,))


def _tree(name: str, rules: CodeGame, goal: Goal, *bounds: Bound) -> Row:
    return Row(name, "perfect", partial(solver_tree, rules, goal), 0, 0, bounds)


def _walked(name: str, rules: CodeGame, *bounds: Bound) -> Row:
    """Play every secret of a setting without a tree; takes up to a minute."""
    return Row(name, "perfect", partial(solver_tree, rules, Goal.MEAN), 0, None, bounds)


def _sample(name: str, rules: CodeGame, full: int, quick: int, *bounds: Bound) -> Row:
    measure = partial(solver_games, rules, Strength.PERFECT, Allowed.ANY)
    return Row(name, "perfect", measure, full, quick, bounds)


def _answers() -> Iterator[Row]:
    person = partial(measures.after_a_person, 11)
    yield Row("focdle 11 person", "next guess", person, 200, 15, (Bound(Figure.WORST, 150),))
    for length, limit in ((10, 150), (11, 300)):
        bounds = (Bound(Figure.WORST, limit), Bound(Figure.MEMORY, 250))
        measure = partial(measures.of_a_finished_game, length)
        yield Row(f"focdle {length} analysis", "whole game", measure, 200, 12, bounds)
    loop = partial(measures.beside_an_event_loop, 11)
    yield Row("event loop", "longest gap", loop, 5, 1, (Bound(Figure.WORST, 50),))
