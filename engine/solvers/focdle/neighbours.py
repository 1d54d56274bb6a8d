"""True equations near a true equation."""

from collections.abc import Iterator
from itertools import product
from typing import Final

import numpy as np

from engine.equations import (
    MAX_VALUE,
    OPERATORS,
    SYMBOLS,
    VALUES,
    Symbol,
    evaluate,
    read_equation,
    spell,
)
from engine.solvers.space import Guesses

_NUMBER: Final = {symbol: number for number, symbol in enumerate(SYMBOLS)}
Left = tuple[tuple[int, int, int], tuple[str, str]]


def true_neighbours(guess: np.ndarray) -> Guesses:
    """All other true equations of the same length that differ in one value or the operators.

    The result follows from the left-hand side. The guess itself must be true.
    """
    symbols = [Symbol(SYMBOLS[number], place) for place, number in enumerate(guess)]
    equation = read_equation(symbols, end=len(guess))
    found = {
        text
        for values, operators in _changes(equation.values, equation.operators)
        if (result := evaluate(values, operators)) > 0
        and len(text := spell(values, operators, result)) == len(guess)
    }
    found.discard(str(equation))
    rows = [[_NUMBER[symbol] for symbol in text] for text in sorted(found)]
    return np.array(rows, np.intp).reshape(-1, len(guess))


def _changes(values: tuple[int, int, int], operators: tuple[str, str]) -> Iterator[Left]:
    for index, value in product(range(VALUES), range(1, MAX_VALUE + 1)):
        first, second, third = (value if i == index else v for i, v in enumerate(values))
        yield (first, second, third), operators
    for left, right in product(OPERATORS, repeat=VALUES - 1):
        yield values, (left, right)
