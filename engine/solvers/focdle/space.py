"""FoCdle as solvers see it, and its stored first guesses."""

from collections.abc import Hashable
from functools import cache
from importlib.resources import files
from typing import cast

import numpy as np
from numpy.typing import NDArray

from engine.choice import Allowed, Goal
from engine.codes import Code
from engine.errors import ImpossibleFeedbackError
from engine.feedback import Mark, Marks
from engine.focdle import Focdle
from engine.solvers.focdle.arrays import (
    every_secret,
    many_marks,
    mark_numbers,
    matching,
    number_of,
)
from engine.solvers.focdle.playouts import MOST, safest_guess
from engine.solvers.focdle.search import best_guess
from engine.solvers.space import PAIR, Columns, Reply, Space, Symbols, as_symbols


class FocdleSpace(Space[Marks]):
    """FoCdle; any string of its symbols and length is a guess."""

    def __init__(self, rules: Focdle) -> None:
        self.rules = rules
        self._focdle = rules
        self.bins = len(Mark) ** rules.length
        self.solving = self.bins - 1

    @property
    def key(self) -> Hashable:
        """The length: limits and modes do not change the secrets."""
        return ("focdle", self._focdle.length)

    def is_guess(self, text: str) -> bool:
        """Always True: programs may guess what players may not."""
        return True

    def number(self, guess: Code, feedback: Marks) -> int:
        """The marks as a number; raises ImpossibleFeedbackError if no string gives them."""
        if not _are_possible_marks(guess, feedback):
            raise ImpossibleFeedbackError(guess, feedback)
        return number_of(feedback)

    def numbers(self, guess: Symbols, columns: Columns) -> NDArray[np.int32]:
        return mark_numbers(guess, columns)

    def matching(self, reply: Reply, columns: Columns) -> Columns:
        return matching(reply.guess, reply.number, columns)

    def feedbacks(self, guess: Symbols, numbers: NDArray[np.int64]) -> list[Marks]:
        return many_marks(numbers, self.length)

    def permitted(self, allowed: Allowed) -> Allowed:
        """`allowed` itself; in hard mode always HARD."""
        return Allowed.HARD if self._focdle.hard else allowed

    def opening(self, allowed: Allowed, goal: Goal) -> Symbols:
        """The first guess of this kind that `engine/solvers/data` has, whatever the goal."""
        return self.read(openings(self._focdle, allowed)[0])

    def choose(self, columns: Columns, allowed: Allowed, goal: Goal, made: int) -> Symbols:
        """Choose by `best_guess`, or by playouts.

        Playouts are for HARD guesses, the goal MEAN and 3 to `MOST` candidates.
        """
        is_risky = allowed is Allowed.HARD and goal is Goal.MEAN
        if is_risky and PAIR < columns.shape[1] <= MOST:
            return as_symbols(safest_guess(columns, self._focdle.max_guesses - made))
        return as_symbols(best_guess(columns, allowed, goal))

    def _build(self) -> Columns:
        return every_secret(self._focdle.length)


def _are_possible_marks(guess: str, feedback: object) -> bool:
    """True if some string of the symbols gives these marks to the guess.

    Copies are found from left to right, so no copy is present after one that is absent. A present
    symbol stands elsewhere: in a place that is not correct, and where the guess has another symbol.
    """
    if not isinstance(feedback, tuple):
        return False
    marks = cast("tuple[object, ...]", feedback)
    if len(marks) != len(guess) or not all(isinstance(m, Mark) for m in marks):
        return False
    absent: set[str] = set()
    for symbol, m in zip(guess, marks, strict=True):
        if m is Mark.ABSENT:
            absent.add(symbol)
        elif m is Mark.PRESENT and symbol in absent:
            return False
    missed = [(s, m) for s, m in zip(guess, marks, strict=True) if m is not Mark.CORRECT]
    return all(
        sum(s == symbol for s, _ in missed) + missed.count((symbol, Mark.PRESENT)) <= len(missed)
        for symbol, _ in missed
    )


def openings(rules: Focdle, allowed: Allowed) -> tuple[Code, ...]:
    """First guesses of one kind, the best first: eight at most, about equally good.

    The others promise at most 0.025 bits less; docs/ENGINE.md tells how many guesses they take.
    """
    return tuple(_openings()[rules.length, allowed])


@cache
def _openings() -> dict[tuple[int, Allowed], list[str]]:
    text = files("engine.solvers").joinpath("data", "openings.txt").read_text(encoding="ascii")
    rows = (line.split() for line in text.splitlines() if not line.startswith("#"))
    found: dict[tuple[int, Allowed], list[str]] = {}
    for length, allowed, guess, _bits in rows:
        found.setdefault((int(length), Allowed(allowed)), []).append(guess)
    return found
