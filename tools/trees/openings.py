"""Finds FoCdle's first guesses by hill climbs, and others that are equally good."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, product
from multiprocessing import get_context
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.choice import Allowed
from engine.equations import DIGITS, SYMBOLS
from engine.errors import NotationError
from engine.focdle import LONGEST, SHORTEST, Focdle
from engine.solvers.focdle.arrays import every_secret, mark_numbers
from engine.solvers.focdle.search import Judge, Values, climb, climb_true, thinned
from engine.solvers.space import Columns
from tools.trees.focdle_trees import FOCDLE_STRATEGIES

Progress = Callable[[int], object]
"""Is told how many openings have been found since it was told last."""

FILE_NAME: Final = "openings.txt"

_LENGTHS: Final = range(SHORTEST, LONGEST + 1)
_KINDS: Final = (Allowed.ANY, Allowed.FORM, Allowed.TRUE)
"""Guesses that are searched for by what they promise in bits."""
_ROUNDS: Final = 24
_SAMPLE: Final = 20_000
_STARTS_DRAWN: Final = 20_000
_STARTS_TRIED: Final = 300
_CLIMBS: Final = 6
# So many bits cost less than half a percent of all guesses: `benchmarks.solvers.openings`.
_EQUAL: Final = 0.025
_MOST_EQUALS: Final = 8
# Bits say nothing of the families that hard mode loses by, which short lengths are full of.
# These took least where `playouts` play on: of every true equation at length 7, at the others
# of some hundred, the last few of them against all secrets. That is too long to be done anew.
_PLAYED_OUT: Final = {7: "3%5+4=7", 8: "76-9*8=4", 9: "49*7%68=3", 10: "78%9+46=52"}
_GIVEN: Final = {
    **{(length, Allowed.HARD): guess for length, guess in _PLAYED_OUT.items()},
    **{(each.length, Allowed.ANY): each.opening for each in FOCDLE_STRATEGIES},
}
"""Openings that are known to take least."""


class Opening(NamedTuple):
    """A first guess with its expected information in bits."""

    bits: float
    guess: str


def amount() -> int:
    return len(_LENGTHS) * len(_KINDS)


def build(jobs: int, progress: Progress) -> str:
    """Find all openings, and write them as text.

    A line has the length, the kind of allowed guesses, a guess and its bits: first the one that
    takes fewest guesses, which in hard mode need not be the most bits, then equally good ones.
    """
    settings = list(product(_LENGTHS, _KINDS))
    found: dict[tuple[int, Allowed], Opening] = {}
    with get_context("spawn").Pool(jobs) as pool:
        results = pool.imap(_best_opening, settings)
        for setting, best in zip(settings, results, strict=True):
            found[setting] = best
            progress(1)
    for length in _LENGTHS:  # true equations have the form, too
        form, true = (found[length, kind] for kind in (Allowed.FORM, Allowed.TRUE))
        found[length, Allowed.FORM] = max(form, true)
        found[length, Allowed.HARD] = true
    for (length, kind), guess in _GIVEN.items():
        found[length, kind] = Opening(_bits(_numbers(guess), every_secret(length)), guess)
    lines = [
        f"{length} {allowed} {opening.guess} {opening.bits:.3f}"
        for length, allowed in product(_LENGTHS, Allowed)
        for opening in [found[length, allowed], *equals(length, allowed, found[length, allowed])]
    ]
    return "\n".join(["# focdle openings", *lines, ""])


def equals(length: int, allowed: Allowed, best: Opening) -> list[Opening]:
    """List guesses of the same symbols that are as good as `best`, best first: seven at most.

    True ones are sought among all secrets; others come from exchanging two digits.
    """
    everything = every_secret(length)
    is_true = allowed in {Allowed.TRUE, Allowed.HARD}
    tried = _same_symbols(best.guess, everything) if is_true else _exchanged(best.guess)
    found = [
        Opening(_bits(_numbers(guess), everything), guess)
        for guess in tried
        if guess != best.guess and (allowed is Allowed.ANY or _has_form(guess))
    ]
    equal = [opening for opening in found if opening.bits > best.bits - _EQUAL]
    return sorted(equal, reverse=True)[: _MOST_EQUALS - 1]


def _same_symbols(guess: str, columns: Columns) -> Iterator[str]:
    for symbol, copies in Counter(guess).items():
        has = (columns == SYMBOLS.index(symbol)).sum(axis=0) == copies
        columns = columns.compress(has, axis=1)
    return ("".join(SYMBOLS[symbol] for symbol in column) for column in columns.T)


def _exchanged(guess: str) -> Iterator[str]:
    digits = [place for place, symbol in enumerate(guess) if symbol in DIGITS]
    for first, second in combinations(digits, 2):
        symbols = list(guess)
        symbols[first], symbols[second] = symbols[second], symbols[first]
        yield "".join(symbols)


def _has_form(guess: str) -> bool:
    try:
        Focdle(len(guess)).parse(guess)
    except NotationError:  # a number begins with 0
        return False
    return True


def _best_opening(setting: tuple[int, Allowed]) -> Opening:
    return max(_openings(*setting))


def _openings(length: int, allowed: Allowed) -> Iterator[Opening]:
    """Yield the best guess of each of several batches of hill climbs.

    Climbs start from the best of some secrets and judge by a sample; the bits are over all secrets.
    """
    everything = every_secret(length)
    chance = np.random.default_rng(length)
    judge = Judge(thinned(everything, _SAMPLE), expected_bits)
    for number in range(_ROUNDS):
        drawn = everything[:, chance.integers(0, everything.shape[1], _STARTS_DRAWN)]
        # Alternate starts with many different symbols, which tell most, and others, which have more
        # shapes.
        starts = _most_different(drawn) if number % 2 else drawn[:, :_STARTS_TRIED]
        starts = np.ascontiguousarray(starts.T).astype(np.intp)
        values = judge(judge.signatures.of(starts))
        best = np.argsort(-values, kind="stable")[:_CLIMBS]
        if allowed is Allowed.TRUE:
            guess = climb_true(judge, starts[best], values[best])
        else:
            guess = climb(judge, starts[best], values[best], allowed)
        yield Opening(_bits(guess, everything), "".join(SYMBOLS[symbol] for symbol in guess))


def expected_bits(ordered: NDArray[np.int32]) -> Values:
    count = ordered.shape[-1]
    begins = np.ones((ordered.size // count, count), np.bool_)
    np.not_equal(ordered[..., 1:], ordered[..., :-1], out=begins.reshape(ordered.shape)[..., 1:])
    starts = np.flatnonzero(begins)
    sizes = np.diff(starts, append=ordered.size)
    surplus = np.bincount(starts // count, weights=sizes * np.log2(sizes), minlength=len(begins))
    return (np.log2(count) - surplus / count).reshape(ordered.shape[:-1]).astype(np.float32)


def _most_different(drawn: Columns) -> Columns:
    ordered = np.sort(drawn, axis=0)
    different = (ordered[1:] != ordered[:-1]).sum(axis=0)
    return drawn[:, np.argsort(-different, kind="stable")[:_STARTS_TRIED]]


def _numbers(guess: str) -> NDArray[np.intp]:
    return np.array([SYMBOLS.index(symbol) for symbol in guess])


def _bits(guess: NDArray[np.intp], everything: Columns) -> float:
    _, sizes = np.unique(mark_numbers(guess.tolist(), everything), return_counts=True)
    total = everything.shape[1]
    return float(np.log2(total) - (sizes * np.log2(sizes)).sum() / total)
