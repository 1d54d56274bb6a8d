"""What the tests of the engine are made from: arithmetic that is not ours, equations, codes."""

import ast
import operator
from collections import Counter
from collections.abc import Callable, Mapping
from math import sqrt
from random import Random
from typing import NamedTuple, TypeVar

from hypothesis import strategies as st

from engine import BullsAndCows, Code, Focdle, Mastermind, NotationError, Problem

K = TypeVar("K")

SYMBOLS = "0123456789+-*%="
LENGTHS = range(7, 16)
ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "%": operator.mod,
}
_NODES: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Mod: "%"}


def worth(expression: str) -> int:
    """What an expression is worth, its precedence decided by Python's own parser."""
    return _worth(ast.parse(expression, mode="eval").body)


def _worth(node: ast.expr) -> int:
    if isinstance(node, ast.BinOp):
        return ARITHMETIC[_NODES[type(node.op)]](_worth(node.left), _worth(node.right))
    assert isinstance(node, ast.Constant)
    assert isinstance(node.value, int)
    return node.value


lengths = st.sampled_from(LENGTHS)


def secrets(length: int) -> st.SearchStrategy[Code]:
    """Drawn secrets of one length."""
    return st.integers(0, 2**32).map(lambda seed: Focdle(length).draw(Random(seed)))


# Every kind of setting, small enough to look at all codes, some at all pairs of codes.
TINY: list[Mastermind | BullsAndCows] = [
    Mastermind(pegs=1, colours=2),
    Mastermind(pegs=2, colours=2, repeats=False),
    Mastermind(pegs=3, colours=2),
    Mastermind(pegs=6, colours=2),
    Mastermind(pegs=3, colours=3),
    Mastermind(pegs=3, colours=3, repeats=False),
    Mastermind(pegs=4, colours=3),
    Mastermind(pegs=3, colours=4, repeats=False),
    Mastermind(pegs=3, colours=5),
    Mastermind(pegs=4, colours=5, repeats=False),
    Mastermind(pegs=1, colours=10, repeats=False),
    BullsAndCows(1),
    BullsAndCows(2),
    BullsAndCows(2, repeats=True),
]
SMALL: list[Mastermind | BullsAndCows] = [
    *TINY,
    Mastermind(),
    Mastermind(pegs=4, colours=6, repeats=False),
    Mastermind(pegs=5, colours=6, repeats=False),
    Mastermind(pegs=6, colours=6, repeats=False),
    Mastermind(pegs=3, colours=10),
    Mastermind(pegs=12, colours=2),
    Mastermind(pegs=7, colours=3),
    Mastermind(pegs=6, colours=4),
    Mastermind(pegs=5, colours=5),
    BullsAndCows(3),
    BullsAndCows(3, repeats=True),
    BullsAndCows(),
]

tiny_games = st.sampled_from(TINY)
small_games = st.sampled_from(SMALL)


def codes(rules: Mastermind | BullsAndCows) -> st.SearchStrategy[Code]:
    """Codes of one setting, put together symbol by symbol."""
    symbols = st.lists(
        st.sampled_from(rules.alphabet),
        min_size=rules.length,
        max_size=rules.length,
        unique=not rules.repeats,
    )
    return symbols.map("".join)


class Fault(NamedTuple):
    """All that a NotationError says."""

    problem: Problem
    position: int
    symbol: str = ""
    found: int = 0
    wanted: int = 0


def fault_of(error: NotationError) -> Fault:
    """What this error says."""
    return Fault(error.problem, error.position, error.symbol, error.found, error.wanted)


def chi_square(seen: Counter[K], expected: Mapping[K, float]) -> float:
    return sum((seen[key] - share) ** 2 / share for key, share in expected.items())


def assert_plausible(statistic: float, freedom: int) -> None:
    """Neither uneven nor suspiciously even: within four standard deviations of the mean."""
    assert abs(statistic - freedom) <= 4 * sqrt(2 * freedom)
