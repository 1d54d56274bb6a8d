"""Search for the guess of FoCdle that tells most candidates apart.

Nearly every game ends with its third or fourth guess, so what counts is how many candidates a guess
leaves alone: the number of *parts*, sets of candidates with the same reply. Guesses that cannot be
the secret make more parts than candidates do. The best of them are found by hill climbing: from
candidates, put at each place in turn the symbol that makes the most parts, until no place can be
improved. Several climbs go on at once.
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.choice import Allowed, Goal
from engine.equations import (
    DIGITS,
    EQUALS,
    MAX_VALUE,
    OPERATORS,
    SYMBOLS,
    VALUES,
    Symbol,
    evaluate,
    read_equation,
    spell,
)
from engine.solvers.space import PAIR, Columns, Guesses

_SYMBOLS: Final = np.arange(len(SYMBOLS))


# Signatures: replies that are fast enough to compute for thousands of guesses.
#
# To choose a guess one need not know the marks, only which candidates would give equal marks. A
# reply says for every place whether the symbol is correct, and for every symbol whether the secret
# has at least one, two, ... copies, up to as many as the guess has. Equal replies mean equal marks
# and vice versa. A reply is two bits a place: *is correct here*, and *has at least j copies* where
# the place has the guess's j-th copy (any numbering of copies will do). All bits together are the
# signature: an integer of up to 30 bits, and the sum of one table entry a place.


class Signatures:
    """The signatures, or replies in bits, that any guess would get from some candidates.

    `columns` are the candidates, of shape (length, n).

    Attributes:
        length: symbols in a code.
        count: the number of candidates.
    """

    def __init__(self, columns: Columns) -> None:
        self.length, self.count = columns.shape
        is_here = columns[:, None, :] == _SYMBOLS.astype(np.uint8)[None, :, None]
        copies = is_here.sum(axis=0, dtype=np.int8)
        # The last level is more copies than any candidate has, and stands for all beyond.
        self._levels = int(copies.max()) + 1
        has = copies[:, None, :] >= np.arange(1, self._levels + 1)[None, :, None]
        places = np.arange(self.length, dtype=np.int32)[:, None, None]
        here_bits = is_here.astype(np.int32) << places
        copy_bits = has.astype(np.int32)[None] << (places[..., None] + self.length)
        # Axes: place, symbol, which copy of the symbol this is, candidate.
        self._bits = here_bits[:, :, None, :] | copy_bits
        self._all_correct = (1 << self.length) - 1

    def of(self, guesses: Guesses) -> NDArray[np.int32]:
        """The signatures of guesses against the candidates, of shape (G, n)."""
        total = np.zeros((len(guesses), self.count), np.int32)
        for place in range(self.length):
            symbols = guesses[:, place]
            copies = (guesses[:, :place] == symbols[:, None]).sum(axis=1)
            total += self._bits[place, symbols, self._level(copies)]
        return total

    def of_neighbours(self, guesses: Guesses, place: int) -> NDArray[np.int32]:
        """The signatures of each guess with each symbol put at this place, (G, symbols, n).

        The new symbol counts as the last of its copies, so the other symbols keep their bits.
        """
        others = np.array([other for other in range(self.length) if other != place])
        rest = guesses[:, others]
        copies = np.tril(rest[:, :, None] == rest[:, None, :], -1).sum(axis=2)
        base = self._bits[others, rest, self._level(copies)].sum(axis=1, dtype=np.int32)
        occurrences = (rest[:, :, None] == _SYMBOLS).sum(axis=1)
        return base[:, None, :] + self._bits[place, _SYMBOLS, self._level(occurrences)]

    def is_candidate(self, signatures: NDArray[np.int32]) -> NDArray[np.bool_]:
        """True for each guess that is one of the candidates; `signatures` are (..., candidates)."""
        return ((signatures & self._all_correct) == self._all_correct).any(axis=-1)

    def _level(self, copies: NDArray[np.intp]) -> NDArray[np.intp]:
        return np.minimum(copies, self._levels - 1)


_NUMBER: Final = {symbol: number for number, symbol in enumerate(SYMBOLS)}
Left = tuple[tuple[int, int, int], tuple[str, str]]


def true_neighbours(guess: np.ndarray) -> Guesses:
    """All other true equations of the same length that differ in one value or in operators.

    The result follows from the left-hand side. The guess itself must be true.
    """
    symbols = [Symbol(SYMBOLS[number], place) for place, number in enumerate(guess)]
    equation = read_equation(symbols, end=len(guess))
    found = {
        text
        for values, operators in _changed(equation.values, equation.operators)
        if (result := evaluate(values, operators)) > 0
        and len(text := spell(values, operators, result)) == len(guess)
    }
    found.discard(str(equation))
    rows = [[_NUMBER[symbol] for symbol in text] for text in sorted(found)]
    return np.array(rows, np.intp).reshape(-1, len(guess))


def _changed(values: tuple[int, int, int], operators: tuple[str, str]) -> Iterator[Left]:
    for index, value in product(range(VALUES), range(1, MAX_VALUE + 1)):
        first, second, third = (value if i == index else v for i, v in enumerate(values))
        yield (first, second, third), operators
    for left, right in product(OPERATORS, repeat=VALUES - 1):
        yield values, (left, right)


Values = NDArray[np.float32]
Rate = Callable[[NDArray[np.int32]], Values]


# A sample of this many candidates ranks guesses nearly as well as one of 1,500 does.
_SAMPLE: Final = 400
_STARTS_TRIED: Final = 400
_MOST_CLIMBS: Final = 64
# Few candidates are compared faster, which leaves time for more climbs.
_CLIMBING_BUDGET: Final = 14_400
_TRUE_CLIMBS: Final = 3
_SWEEPS: Final = 6
_FORBIDDEN: Final = np.float32(-np.inf)
_BONUS: Final = 0.5
_FEW: Final = 100


def best_guess(columns: Columns, allowed: Allowed, goal: Goal) -> NDArray[np.intp]:
    """Choose the guess for one or more candidates: always the same for the same ones."""
    if columns.shape[1] <= PAIR:
        return columns[:, 0].astype(np.intp)
    judge = Judge(thinned(columns, _SAMPLE), parts if goal is Goal.MEAN else evenness)
    starts = np.ascontiguousarray(thinned(columns, _STARTS_TRIED).T).astype(np.intp)
    values = judge(judge.signatures.of(starts))
    order = np.argsort(-values, kind="stable")
    if allowed is Allowed.HARD or values[order[0]] >= judge.most:
        return starts[order[0]]
    if allowed is Allowed.TRUE:
        best = order[:_TRUE_CLIMBS]
        return climb_true(judge, starts[best], values[best])
    best = order[: min(_CLIMBING_BUDGET // judge.signatures.count, _MOST_CLIMBS)]
    return climb(judge, starts[best], values[best], allowed)


def thinned(columns: Columns, most: int) -> Columns:
    """At most `most` columns, evenly spaced over all."""
    count = columns.shape[1]
    if count <= most:
        return columns
    return columns[:, np.arange(most) * count // most]


class Judge:
    """Rates guesses by the signatures that they get from some candidates.

    `rate` is `parts` or `evenness`. No value is above `most`. If there are few candidates, one that
    tells all others apart has this value.
    """

    def __init__(self, columns: Columns, rate: Rate) -> None:
        self.signatures = Signatures(columns)
        self._rate = rate
        apart = np.arange(self.signatures.count, dtype=np.int32)
        self.most = float(rate(apart[None])[0]) + _BONUS

    def __call__(self, signatures: NDArray[np.int32]) -> Values:
        """The values of guesses with signatures of shape (..., n); higher is better.

        With few candidates, a guess that is one of them counts half a part more.
        """
        values = self._rate(np.sort(signatures, axis=-1))
        if self.signatures.count <= _FEW:
            values += self.signatures.is_candidate(signatures) * np.float32(_BONUS)
        return values


def parts(ordered: NDArray[np.int32]) -> Values:
    """The number of parts that each guess makes, by its sorted signatures."""
    # Adding up bytes is three times as fast as counting booleans.
    changes = _changes(ordered).view(np.uint8)
    return 1 + changes.sum(axis=-1, dtype=np.uint32).astype(np.float32)


def evenness(ordered: NDArray[np.int32]) -> Values:
    """Minus the size of each guess's largest part; of equal sizes, more parts are better."""
    count = ordered.shape[-1]
    index = np.arange(1, count, dtype=np.intp)
    begin: NDArray[np.intp] = np.maximum.accumulate(np.where(_changes(ordered), index, 0), axis=-1)
    largest = (index - begin).max(axis=-1) + 1
    return (parts(ordered) / np.float32(2 * count) - largest).astype(np.float32)


def _changes(ordered: NDArray[np.int32]) -> NDArray[np.bool_]:
    return ordered[..., 1:] != ordered[..., :-1]


def climb(judge: Judge, guesses: Guesses, values: Values, allowed: Allowed) -> NDArray[np.intp]:
    """The best guess reached from these by changing one symbol at a time, place by place.

    `allowed` is ANY, for any string, or FORM: the guesses have the form of equations, and keep it.
    """
    guesses, values = guesses.copy(), values.copy()
    length = guesses.shape[1]
    rows = np.arange(len(guesses))
    may_stand = _same_form(guesses) if allowed is Allowed.FORM else None
    unchanged = np.zeros(len(guesses), np.intp)
    for step in range(_SWEEPS * length):
        place = step % length
        going = rows[unchanged < length]
        if not len(going):
            break
        tried = judge(judge.signatures.of_neighbours(guesses[going], place))
        if may_stand is not None:
            tried[~may_stand[going, place]] = _FORBIDDEN
        symbols = tried.argmax(axis=1)
        found = tried[np.arange(len(going)), symbols]
        better = found > values[going]
        guesses[going[better], place] = symbols[better]
        values[going[better]] = found[better]
        unchanged[going] = np.where(better, 0, unchanged[going] + 1)
    return guesses[values.argmax()]


def _same_form(guesses: Guesses) -> NDArray[np.bool_]:
    """Whether a symbol may stand in a place without changing the form, (G, length, symbols)."""
    signs = [SYMBOLS.index(symbol) for symbol in OPERATORS]
    equals, zero = SYMBOLS.index(EQUALS), SYMBOLS.index("0")
    is_digit = guesses < len(DIGITS)
    may = np.zeros((*guesses.shape, len(SYMBOLS)), np.bool_)
    may[..., : len(DIGITS)] = is_digit[..., None]
    may[..., signs] = np.isin(guesses, signs)[..., None]
    may[..., equals] = guesses == equals
    leads = is_digit.copy()
    leads[:, 1:] &= ~is_digit[:, :-1]
    may[leads, zero] = False
    return may


def climb_true(judge: Judge, guesses: Guesses, values: Values) -> NDArray[np.intp]:
    """The best true equation reached from these by steepest ascent."""
    best, best_value = guesses[0], values[0]
    for start, value in zip(guesses, values, strict=True):
        guess, reached = start, value
        while True:
            near = true_neighbours(guess)
            tried = judge(judge.signatures.of(near))
            if not len(near) or tried.max() <= reached:
                break
            guess, reached = near[tried.argmax()], tried.max()
        if reached > best_value:
            best, best_value = guess, reached
    return best
