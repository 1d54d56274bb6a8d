"""FoCdle's equations: parsing of typed text, evaluation, shapes.

An equation is ``value operator value operator value = result``: three values of 1 to 99, two
operators of ``+ - * %`` with Python's meaning and precedence, and a result of at least 1; no number
has a leading zero.
"""

import operator
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise, product
from typing import Final, TypeVar

from engine.codes import Symbol, bare, fold
from engine.errors import SYMBOLS_HELP, NotationError, Problem

DIGITS: Final = "0123456789"
OPERATORS: Final = "+-*%"
EQUALS: Final = "="
SYMBOLS: Final = DIGITS + OPERATORS + EQUALS

N = TypeVar("N")

MAX_VALUE: Final = 99
VALUES: Final = 3

_OPERATIONS: Final[dict[str, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "%": operator.mod,
}
_TIGHT: Final = "*%"

# Characters that keyboards and programs produce instead of the fifteen symbols. Fullwidth and small
# forms are folded to these or to the symbols themselves.
_LOOK_ALIKES: Final[dict[str, str]] = {
    **dict.fromkeys("xX×·•∙⋅∗✕✖⨉⨯хХ", "*"),
    **dict.fromkeys("−–—‐‑‒―﹣➖⁻₋˗⁃ー", "-"),
    **dict.fromkeys("➕⁺₊﬩&", "+"),
    **dict.fromkeys("٪", "%"),
    **dict.fromkeys("⁼₌🟰", "="),
    **dict.fromkeys("÷∕⁄➗", "/"),
}
_REMAINDER_WORDS: Final = ("modulo", "mod")
_POWER: Final = "**"
_COLON: Final = ":"


@dataclass(frozen=True, slots=True)
class Equation:
    """An equation of FoCdle, true or not."""

    values: tuple[int, int, int]
    operators: tuple[str, str]
    result: int

    @property
    def value(self) -> int:
        """The value of the left-hand side; it may be zero or negative."""
        return evaluate(self.values, self.operators)

    @property
    def is_true(self) -> bool:
        return self.value == self.result

    def __str__(self) -> str:
        return spell(self.values, self.operators, self.result)


def joined(operators: tuple[str, str], values: tuple[N, N, N], join: Callable[[str, N, N], N]) -> N:
    """Join three numbers, or what stands for numbers, by two operators, in Python's order."""
    first, second, third = values
    left, right = operators
    if right in _TIGHT and left not in _TIGHT:
        return join(left, first, join(right, second, third))
    return join(right, join(left, first, second), third)


def evaluate(values: tuple[int, int, int], operators: tuple[str, str]) -> int:
    """Evaluate ``values[0] operators[0] values[1] operators[1] values[2]`` as Python would."""
    return joined(operators, values, lambda sign, a, b: _OPERATIONS[sign](a, b))


def spell(values: tuple[int, int, int], operators: tuple[str, str], result: int) -> str:
    """Write an equation in canonical notation."""
    first, second, third = values
    left, right = operators
    return f"{first}{left}{second}{right}{third}{EQUALS}{result}"


def read_symbols(text: str) -> list[Symbol]:
    """Parse a typed text as symbols: spaces go, look-alikes such as × become symbols.

    Raises:
        NotationError: EMPTY, INVISIBLE, UNKNOWN_SYMBOL or DIVISION.
    """
    symbols: list[Symbol] = []
    position, text = 0, bare(text)
    while position < len(text):
        width = 1
        folded = fold(text[position])
        symbol = _LOOK_ALIKES.get(folded, folded)
        if text[position] == "\\" and text[position + 1 : position + 2].isalnum():
            symbol = "/"  # no escape of Markdown
        if word := _remainder_word(text, position):
            width, symbol = len(word), "%"
        if symbol == "/":
            raise NotationError(Problem.DIVISION, position, symbol=text[position])
        if symbol and symbol not in SYMBOLS + _COLON:
            raise NotationError(
                Problem.UNKNOWN_SYMBOL, position, symbol=text[position], known=SYMBOLS_HELP
            )
        if symbol:
            symbols.append(Symbol(symbol, position))
        position += width
    if not symbols:
        raise NotationError(Problem.EMPTY, 0)
    return _read_colons(symbols)


def _read_colons(symbols: list[Symbol]) -> list[Symbol]:
    """Take a colon for ``=`` where that is missing; refuse any other colon as a division."""
    colons = [index for index, symbol in enumerate(symbols) if symbol.text == _COLON]
    if not colons:
        return symbols
    place, texts = colons[0], [symbol.text for symbol in symbols]
    is_equals = texts.count(_COLON) == 1 and EQUALS not in texts
    operators = [index for index, text in enumerate(texts) if text in OPERATORS]
    if not (is_equals and len(operators) == VALUES - 1 and operators[-1] < place):
        raise NotationError(Problem.DIVISION, symbols[place].position, symbol=_COLON)
    equals = Symbol(EQUALS, symbols[place].position)
    return [*symbols[:place], equals, *symbols[place + 1 :]]


def _remainder_word(text: str, position: int) -> str:
    """The word ``mod`` or ``modulo``, if one is typed at this position; else empty."""
    for word in _REMAINDER_WORDS:
        typed = text[position : position + len(word)]
        if unicodedata.normalize("NFKC", typed).lower() == word:
            return word
    return ""


def read_equation(symbols: Sequence[Symbol], end: int) -> Equation:
    """Parse symbols as an equation, true or not.

    Args:
        symbols: as `read_symbols` returns them; at least one, and the last is not ``=``.
        end: the position to report if symbols are missing at the end.

    Raises:
        NotationError: the symbols do not have the form of an equation. A missing or second ``=``
            is told before any other fault.
    """
    left, equals, right = _split_at_equals(symbols, end)
    numbers, operators = _split_at_operators(left, equals.position)
    if len(operators) > VALUES - 1:
        surplus = operators[VALUES - 1]
        raise NotationError(
            Problem.TOO_MANY_OPERATORS,
            surplus.position,
            symbol=surplus.text,
            found=len(operators),
            wanted=VALUES - 1,
        )
    values = [_read_value(number) for number in numbers]
    if len(operators) < VALUES - 1:
        raise NotationError(
            Problem.TOO_FEW_OPERATORS,
            equals.position,
            found=len(operators),
            wanted=VALUES - 1,
        )
    result = int(_without_leading_zero(right, Problem.ZERO_RESULT))
    first, second, third = values
    return Equation((first, second, third), (operators[0].text, operators[1].text), result)


def complete(symbols: Sequence[Symbol]) -> Equation | None:
    """Compute the result of an equation that was typed without one, with or without its ``=``.

    `symbols` has at least one symbol, as `read_symbols` returns them.

    Returns:
        The whole equation; None for symbols that have a result, or that are not three numbers of
        one or two digits with two operators between.

    Raises:
        NotationError: ZERO_VALUE, LEADING_ZERO or RESULT_BELOW_ONE.
    """
    left = symbols[:-1] if symbols[-1].text == EQUALS else symbols
    places = [index for index, symbol in enumerate(left) if symbol.text in OPERATORS]
    if any(symbol.text == EQUALS for symbol in left) or len(places) != VALUES - 1:
        return None
    numbers = left[: places[0]], left[places[0] + 1 : places[1]], left[places[1] + 1 :]
    if not all(1 <= len(number) <= len(str(MAX_VALUE)) for number in numbers):
        return None
    first, second, third = map(_read_value, numbers)
    signs = left[places[0]].text, left[places[1]].text
    value = evaluate((first, second, third), signs)
    if value < 1:
        raise NotationError(Problem.RESULT_BELOW_ONE, symbols[-1].position, symbol=str(value))
    return Equation((first, second, third), signs, value)


def refuse_second_equals(symbols: Sequence[Symbol]) -> None:
    """Refuse symbols with more than one ``=``.

    Raises:
        NotationError: SECOND_EQUALS, at the second one.
    """
    places = [symbol.position for symbol in symbols if symbol.text == EQUALS]
    if len(places) > 1:
        raise NotationError(Problem.SECOND_EQUALS, places[1], found=len(places), wanted=1)


def refuse_power(symbols: Sequence[Symbol]) -> None:
    """Refuse symbols with ``**``.

    Raises:
        NotationError: POWER, at its first star.
    """
    for first, second in pairwise(symbols):
        if first.text + second.text == _POWER:
            raise NotationError(Problem.POWER, first.position, symbol=_POWER)


def _split_at_equals(
    symbols: Sequence[Symbol], end: int
) -> tuple[Sequence[Symbol], Symbol, Sequence[Symbol]]:
    places = [index for index, symbol in enumerate(symbols) if symbol.text == EQUALS]
    if not places:
        raise NotationError(Problem.NO_EQUALS, end)
    refuse_second_equals(symbols)
    left, equals, right = symbols[: places[0]], symbols[places[0]], symbols[places[0] + 1 :]
    for symbol in right:
        if symbol.text in OPERATORS:
            raise NotationError(Problem.OPERATOR_AFTER_EQUALS, symbol.position, symbol=symbol.text)
    return left, equals, right


def _split_at_operators(
    left: Sequence[Symbol], end: int
) -> tuple[list[list[Symbol]], list[Symbol]]:
    numbers: list[list[Symbol]] = [[]]
    operators: list[Symbol] = []
    for symbol in left:
        if symbol.text not in OPERATORS:
            numbers[-1].append(symbol)
            continue
        if not numbers[-1]:
            raise NotationError(Problem.MISSING_VALUE, symbol.position, symbol=symbol.text)
        operators.append(symbol)
        numbers.append([])
    if not numbers[-1]:
        raise NotationError(Problem.MISSING_VALUE, end, symbol=EQUALS)
    return numbers, operators


def _read_value(number: Sequence[Symbol]) -> int:
    digits = _without_leading_zero(number, Problem.ZERO_VALUE)
    if len(digits) > len(str(MAX_VALUE)):
        raise NotationError(Problem.VALUE_TOO_LARGE, number[0].position, symbol=digits)
    return int(digits)


def _without_leading_zero(number: Sequence[Symbol], zero: Problem) -> str:
    digits = "".join(symbol.text for symbol in number)
    if digits.startswith("0"):
        problem = zero if not digits.strip("0") else Problem.LEADING_ZERO
        raise NotationError(problem, number[0].position, symbol=digits)
    return digits


@dataclass(frozen=True, slots=True)
class Shape:
    """What equations of one form share: the operators, and how many digits each number has.

    Attributes:
        widths: the number of digits of each of the three values, 1 or 2.
        operators: the two operators.
        result_width: the number of digits of the result.
    """

    widths: tuple[int, int, int]
    operators: tuple[str, str]
    result_width: int

    @property
    def ranges(self) -> tuple[range, range, range]:
        first, second, third = (
            range(10 ** (w - 1), min(10**w, MAX_VALUE + 1)) for w in self.widths
        )
        return first, second, third

    @property
    def ways(self) -> int:
        first, second, third = self.ranges
        return len(first) * len(second) * len(third)

    def fill(self, way: int) -> tuple[int, int, int]:
        """The triple of values with the number `way`.

        The triples of this shape's `widths` are numbered from 0 to `ways` - 1.
        """
        first, second, third = self.ranges
        rest, c = divmod(way, len(third))
        a, b = divmod(rest, len(second))
        return first[a], second[b], third[c]

    @property
    def is_possible(self) -> bool:
        """True unless the bounds of the values exclude a result of `result_width` digits."""
        first, second, third = ((r[0], r[-1]) for r in self.ranges)
        low, high = joined(self.operators, (first, second, third), _bounds)
        return low < 10**self.result_width and high >= 10 ** (self.result_width - 1)


def _bounds(symbol: str, a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    """The least and greatest result of an operation on numbers within `a` and `b`."""
    if symbol == "+":
        return a[0] + b[0], a[1] + b[1]
    if symbol == "-":
        return a[0] - b[1], a[1] - b[0]
    if symbol == "*":
        return a[0] * b[0], a[1] * b[1]
    return 0, min(a[1], b[1] - 1)


@cache
def shapes_of(length: int) -> tuple[tuple[Shape, ...], tuple[int, ...]]:
    """All shapes that secrets of this length may have, and the running totals of their `ways`."""
    shapes: list[Shape] = []
    for first, second, third in product((1, 2), repeat=VALUES):
        width = length - first - second - third - (VALUES - 1) - len(EQUALS)
        for left, right in product(OPERATORS, repeat=VALUES - 1):
            shape = Shape((first, second, third), (left, right), width)
            if width > 0 and shape.is_possible:
                shapes.append(shape)
    return tuple(shapes), tuple(accumulate(shape.ways for shape in shapes))
