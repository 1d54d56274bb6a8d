"""Every secret of FoCdle as an array of symbols."""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.equations import EQUALS, SYMBOLS, Shape, shapes_of

Numbers = NDArray[np.int32]

_OPERATIONS: Final[dict[str, Callable[[Numbers, Numbers], Numbers]]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "%": np.remainder,
}
_TIGHT: Final = "*%"
_TEN: Final = 10


def every_secret(length: int) -> NDArray[np.uint8]:
    """All secrets of one length, shape by shape, each shape in the order of its values.

    Returns:
        Columns of shape (length, N): each a secret, its symbols numbered as in
        `engine.SYMBOLS`. N runs from 4,518 (length 7) to 4,536,641 (length 11).
    """
    shapes, _ = shapes_of(length)
    fillings = [_true_fillings(shape) for shape in shapes]
    columns = np.empty((length, sum(len(ways) for ways, _ in fillings)), np.uint8)
    start = 0
    for shape, (ways, results) in zip(shapes, fillings, strict=True):
        _spell(shape, ways, results, columns[:, start : start + len(ways)])
        start += len(ways)
    return columns


def evaluate(
    operators: tuple[str, str], first: Numbers, second: Numbers, third: Numbers
) -> Numbers:
    """What left-hand sides are worth, elementwise, as `engine.equations.evaluate`.

    The values may have any shapes that broadcast; at least 1 and at most 99 each.
    """
    left, right = (_OPERATIONS[symbol] for symbol in operators)
    if operators[1] in _TIGHT and operators[0] not in _TIGHT:
        return left(first, right(second, third))
    return right(left(first, second), third)


def _true_fillings(shape: Shape) -> tuple[NDArray[np.uint32], Numbers]:
    """Which of a shape's ways (see `Shape.fill`) give a result of its width, and the results."""
    first, second, third = (np.arange(r.start, r.stop, dtype=np.int32) for r in shape.ranges)
    results = evaluate(
        shape.operators, first[:, None, None], second[None, :, None], third[None, None, :]
    )
    results = np.broadcast_to(results, (len(first), len(second), len(third))).ravel()
    fits = (results >= _TEN ** (shape.result_width - 1)) & (results < _TEN**shape.result_width)
    ways = np.flatnonzero(fits)
    return ways.astype(np.uint32), results[ways]


def _spell(
    shape: Shape, ways: NDArray[np.uint32], results: Numbers, columns: NDArray[np.uint8]
) -> None:
    """Write equations into columns, as `engine.equations.spell` would."""
    indices = np.unravel_index(ways, [len(r) for r in shape.ranges])
    values = [index + r.start for index, r in zip(indices, shape.ranges, strict=True)]
    row = 0
    for number, width, symbol in zip(
        [*values, results],
        [*shape.widths, shape.result_width],
        [*shape.operators, EQUALS, ""],
        strict=True,
    ):
        for place in range(width):
            columns[row + place] = number // _TEN ** (width - 1 - place) % _TEN
        row += width
        if symbol:
            columns[row] = SYMBOLS.index(symbol)
            row += 1
