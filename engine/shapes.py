"""The shapes of FoCdle's secrets: how wide each number is, and which operators stand between."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, product

from engine.equations import EQUALS, MAX_VALUE, OPERATORS, VALUES


@dataclass(frozen=True, slots=True)
class Shape:
    """How many digits each number has, and which operators stand between.

    Attributes:
        widths: digits of the three values, 1 or 2 each.
        operators: the two operators.
        result_width: digits of the result.
    """

    widths: tuple[int, int, int]
    operators: tuple[str, str]
    result_width: int

    @property
    def ranges(self) -> tuple[range, range, range]:
        """The values that have these widths."""
        first, second, third = (
            range(10 ** (w - 1), min(10**w, MAX_VALUE + 1)) for w in self.widths
        )
        return first, second, third

    @property
    def ways(self) -> int:
        """How many triples of values have these widths."""
        first, second, third = self.ranges
        return len(first) * len(second) * len(third)

    def fill(self, way: int) -> tuple[int, int, int]:
        """The triple of values with this number, 0 to `ways` - 1."""
        first, second, third = self.ranges
        rest, c = divmod(way, len(third))
        a, b = divmod(rest, len(second))
        return first[a], second[b], third[c]

    @property
    def is_possible(self) -> bool:
        """Whether interval arithmetic leaves room for a result of the right width."""
        first, second, third = ((r[0], r[-1]) for r in self.ranges)
        left, right = self.operators
        if right in "*%" and left not in "*%":
            low, high = _bounds(left, first, _bounds(right, second, third))
        else:
            low, high = _bounds(right, _bounds(left, first, second), third)
        return low < 10**self.result_width and high >= 10 ** (self.result_width - 1)


def _bounds(symbol: str, a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    """The least and greatest value that an operation on two non-negative intervals may have."""
    if symbol == "+":
        return a[0] + b[0], a[1] + b[1]
    if symbol == "-":
        return a[0] - b[1], a[1] - b[0]
    if symbol == "*":
        return a[0] * b[0], a[1] * b[1]
    return 0, min(a[1], b[1] - 1)


def _all_shapes(length: int) -> Iterator[Shape]:
    for first, second, third in product((1, 2), repeat=VALUES):
        width = length - first - second - third - (VALUES - 1) - len(EQUALS)
        for left, right in product(OPERATORS, repeat=VALUES - 1):
            if width > 0:
                yield Shape((first, second, third), (left, right), width)


@cache
def shapes_of(length: int) -> tuple[tuple[Shape, ...], tuple[int, ...]]:
    """The shapes a secret of this length can have, and the running totals of their ways."""
    shapes = tuple(shape for shape in _all_shapes(length) if shape.is_possible)
    return shapes, tuple(accumulate(shape.ways for shape in shapes))
