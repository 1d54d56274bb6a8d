"""Every secret of FoCdle as an array of symbols, and marks as numbers, for many of them at once.

The marks of a guess are one number, its base-3 digits the marks from left to right, least
significant first. `columns` are secrets or candidates as an array of shape (length, N): column i is
one code, its symbols numbered as in `engine.SYMBOLS`.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.equations import EQUALS, SYMBOLS, Shape, joined, shapes_of
from engine.feedback import Mark, Marks
from engine.solvers.space import Columns

Numbers = NDArray[np.int32]

_OPERATIONS: Final[dict[str, Callable[[Numbers, Numbers], Numbers]]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "%": np.remainder,
}
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


def _true_fillings(shape: Shape) -> tuple[NDArray[np.uint32], Numbers]:
    """The ways (see `Shape.fill`) to fill a shape that give a result of its width; the results."""
    first, second, third = (np.arange(r.start, r.stop, dtype=np.int32) for r in shape.ranges)
    values = first[:, None, None], second[None, :, None], third[None, None, :]
    results = joined(shape.operators, values, lambda sign, a, b: _OPERATIONS[sign](a, b))
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


_BASE: Final = len(Mark)
_CORRECT: Final = int(Mark.CORRECT)
# Five marks fit into a byte (3**5 = 243), on which numpy is many times faster than on integers.
_PER_BYTE: Final = 5
# Columns handled at a time, so that a step's data fit the processor's cache.
_CHUNK: Final = 1 << 16


def number_of(marks: Marks) -> int:
    return sum(int(m) * _BASE**place for place, m in enumerate(marks))


def marks_of(number: int, length: int) -> Marks:
    return tuple(Mark(number // _BASE**place % _BASE) for place in range(length))


def many_marks(numbers: NDArray[np.int64], length: int) -> list[Marks]:
    """The marks with each of these numbers."""
    digits = numbers[:, None] // _BASE ** np.arange(length) % _BASE
    return list(map(tuple, np.array(Mark, object)[digits].tolist()))


def mark_numbers(guess: Sequence[int], columns: Columns) -> NDArray[np.int32]:
    """For every column as the secret, the number of the guess's marks by `engine.mark`."""
    numbers = np.empty(columns.shape[1], np.int32)
    for part in _chunks(columns):
        numbers[part] = _mark_chunk(guess, columns[:, part])
    return numbers


def mark_pairs(guesses: Columns, columns: Columns) -> NDArray[np.int32]:
    """The numbers of the marks of each guess against the column at the same index.

    Both may have more dimensions, which broadcast.
    """
    numbers = np.zeros(np.broadcast_shapes(guesses.shape, columns.shape)[1:], np.int32)
    is_missed = guesses != columns
    for place, guess in enumerate(guesses):
        # Copies outside of correct places are found from left to right.
        free = np.zeros(numbers.shape, np.int8)
        for other in range(len(guesses)):
            free += is_missed[other] & (columns[other] == guess)
        for earlier in range(place):
            free -= (is_missed[earlier] & (guesses[earlier] == guess)).view(np.int8)
        is_present = is_missed[place] & (free > 0)
        marks = np.where(is_missed[place], is_present, np.uint8(_CORRECT))
        numbers += marks * np.int32(_BASE**place)
    return numbers


def matching(guess: Sequence[int], number: int, columns: Columns) -> Columns:
    """The columns that, as the secret, give the guess the marks with this number, in order."""
    marks = marks_of(number, len(guess))
    kept = [_match_chunk(guess, marks, columns[:, part]) for part in _chunks(columns)]
    survivors = np.concatenate(kept, axis=1) if kept else columns
    return survivors.compress(mark_numbers(guess, survivors) == number, axis=1)


def _chunks(columns: Columns) -> Iterator[slice]:
    for start in range(0, columns.shape[1], _CHUNK):
        yield slice(start, start + _CHUNK)


def _mark_chunk(guess: Sequence[int], columns: Columns) -> NDArray[np.int32]:
    marks = _marks_of_chunk(guess, columns)
    numbers = np.zeros(columns.shape[1], np.int32)
    for start in range(0, len(guess), _PER_BYTE):
        byte = np.zeros(columns.shape[1], np.uint8)
        for place, row in enumerate(marks[start : start + _PER_BYTE]):
            byte += row * np.uint8(_BASE**place)
        numbers += byte.astype(np.int32) * np.int32(_BASE**start)
    return numbers


def _marks_of_chunk(guess: Sequence[int], columns: Columns) -> list[NDArray[np.uint8]]:
    marks = [(row == symbol).view(np.uint8) for row, symbol in zip(columns, guess, strict=True)]
    present = _symbols_present(columns)
    for symbol in set(guess):
        places = [place for place, s in enumerate(guess) if s == symbol]
        if len(places) == 1:
            # Where the symbol is correct it is also present: 1 + 1 is CORRECT.
            marks[places[0]] += ((present >> np.uint16(symbol)) & np.uint16(1)).astype(np.uint8)
        else:
            copies = (columns == symbol).sum(axis=0, dtype=np.uint8)
            for place in places:
                copies -= marks[place]
            for place in places:  # left to right
                is_present = (copies > 0) & (marks[place] == 0)
                copies -= is_present
                marks[place] *= np.uint8(_CORRECT)
                marks[place] += is_present
    return marks


def _symbols_present(columns: Columns) -> NDArray[np.uint16]:
    """For each column an integer, with a bit for each of the fifteen symbols that stands in it."""
    return np.bitwise_or.reduce(np.left_shift(np.uint16(1), columns, dtype=np.uint16), axis=0)


def _match_chunk(guess: Sequence[int], marks: Marks, columns: Columns) -> Columns:
    """The columns that have the symbols found, none of the absent ones, and correct ones in place.

    They may still have wrong numbers of copies. These are counted later, for the few columns that
    pass.
    """
    found = {symbol for symbol, m in zip(guess, marks, strict=True) if m is not Mark.ABSENT}
    asked = np.uint16(sum(1 << symbol for symbol in set(guess)))
    wanted = np.uint16(sum(1 << symbol for symbol in found))
    keep = (_symbols_present(columns) & asked) == wanted
    for row, symbol, m in zip(columns, guess, marks, strict=True):
        keep &= (row == symbol) == (m is Mark.CORRECT)
    return columns.compress(keep, axis=1)
