"""What the tests of the engine are made from: arithmetic that is not ours, and equations."""

import ast
import operator
from collections.abc import Callable
from random import Random

from hypothesis import strategies as st

from engine import Code, Focdle

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
