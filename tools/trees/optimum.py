"""``python -m tools.trees.optimum``: prove that no strategy for FoCdle 7 takes fewer guesses.

It counts everything, without random samples. No strategy takes fewer than 13,113 guesses for all
4,518 secrets, whichever of the 15^7 strings it guesses and when:

1. A set of n secrets that are still possible takes 2n - 1 guesses at least, reached if and only if
   one of the set, as the guess, tells all others apart. Else it takes 2n at least.
2. A guess that makes p parts of the set leaves 3n - p at least, by 1. for each part; one fewer if
   it is one of the set. So with q for the most parts that any string makes, and c for the most that
   one of the set makes, it takes 3n - max(q, c + 1) at least.
3. After a first guess of whose parts C are told apart by one of their own, all secrets take
   3 * 4,518 - C at least; one fewer if it is a secret. So a strategy that takes fewer than 13,113
   begins with a guess for which C is 441 or more, and which makes at least as many parts.
4. All strings that make 441 parts are found place by place. A place tells whether the symbol is
   right here, and whether the secret has at least as many copies of it as the guess has up to here.
   So it divides a set into four at most, sets of n_i secrets can become the sum of
   min(n_i, 4 ** places left) parts at most, and where that is below 441 a string is given up. Of
   strings that tell the same, one is looked at.
5. For each of these strings C is counted. Where it is 441 or more, those parts that their own are
   farthest from telling apart get what 2. says, until the sum is 13,113. It is, every time.

The tree that is shipped takes just that, so it is best.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from engine.equations import SYMBOLS
from engine.focdle import SHORTEST
from engine.solvers.focdle.arrays import every_secret, mark_numbers
from engine.solvers.focdle.playouts import own_parts
from engine.solvers.space import Columns
from tools.trees.focdle_trees import Division, Strings, floor

Progress = Callable[[int], object]
"""Is told how many first guesses have been looked at since it was told last."""

_KNOWN: Final = 13_113
"""What the tree takes that is shipped."""
_PAIR: Final = 2
# Parts that are seldom told apart, and have few members, soon decide that a string makes too few.
_BY_SIZE: Final = ((7, 9), (10, 14), (15, 24), (25, 1 << 30), (5, 6), (3, 4))


def cheaper(
    columns: Columns, known: int, progress: Progress
) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """Yield the first guesses that may beat a known total, with lower bounds of their totals.

    If there is none, no strategy is better.

    Args:
        columns: all secrets, shape (length, n).
        known: the total of some strategy over all secrets.
    """
    replies = np.stack([mark_numbers(column.tolist(), columns) for column in columns.T])
    replies = replies.astype(np.uint16)
    count = columns.shape[1]
    least = 3 * count - known
    for division in Strings(columns).making(least):
        for row in np.flatnonzero(told_apart(division, replies, least) >= least).tolist():
            total = _total(columns, division, row, known)
            if total < known:
                yield total, division.guesses[row]
        progress(len(division.guesses))


def told_apart(division: Division, replies: NDArray[np.uint16], least: int) -> NDArray[np.intp]:
    """Count each string's parts that one of their own candidates tells apart, shape (B,).

    Counts below `least` are inexact.
    """
    strings = len(division.parts)
    width = int(division.counts.max())
    cells = division.parts + width * np.arange(strings)[:, None]
    sizes = np.bincount(cells.ravel(), minlength=strings * width)
    size_of = sizes[cells]
    found = division.counts.copy()
    for smallest, largest in _BY_SIZE:
        rows = np.flatnonzero(found >= least)
        is_chosen = (size_of[rows] >= smallest) & (size_of[rows] <= largest)
        index, candidates = np.nonzero(is_chosen)
        parts = cells[rows[index], candidates]
        failed = _not_apart(parts, candidates, replies)
        found -= np.bincount(failed // width, minlength=strings)
    return found


def _not_apart(
    parts: NDArray[np.intp], candidates: NDArray[np.intp], replies: NDArray[np.uint16]
) -> NDArray[np.intp]:
    """Find the parts that none of their own candidates tells apart.

    Args:
        parts: the part of each candidate, shape (A,); parts are complete.
        candidates: their indices, shape (A,).
        replies: of each candidate to each.
    """
    order = np.argsort(parts, kind="stable")
    candidates = candidates[order]
    names, begins, sizes = np.unique(parts[order], return_index=True, return_counts=True)
    is_apart = np.zeros(len(names), np.bool_)
    part = np.repeat(np.arange(len(names)), sizes)
    row, begin, size = candidates * len(replies), begins[part], sizes[part]
    # All are compared with one member of their part after another, while replies are new.
    seen: list[NDArray[np.uint16]] = []
    while len(part):
        reply = replies.ravel()[row + candidates[begin + len(seen)]]
        is_new = np.ones(len(part), np.bool_)
        for earlier in seen:
            is_new &= earlier != reply
        seen.append(reply)
        is_apart[part[is_new & (size == len(seen))]] = True
        goes_on = np.flatnonzero(is_new & ~is_apart[part])
        part, row, begin, size = part[goes_on], row[goes_on], begin[goes_on], size[goes_on]
        seen = [earlier[goes_on] for earlier in seen]
    return names[~is_apart]


def _total(columns: Columns, division: Division, row: int, known: int) -> int:
    """Bound the total if this string is the first guess, or return a number from `known` up."""
    parts = division.parts[row]
    sets = [np.flatnonzero(parts == part) for part in range(int(division.counts[row]))]
    missing = [len(each) - int(own_parts(columns[:, each]).max()) for each in sets]
    is_secret = (columns == division.guesses[row][:, None]).all(axis=0).any()
    total = 3 * len(parts) - missing.count(0) - int(is_secret)
    # The part that its own candidates are furthest from telling apart most likely takes more.
    for index in sorted(range(len(sets)), key=missing.__getitem__, reverse=True):
        if total >= known or missing[index] < _PAIR:
            break
        least = 2 * len(sets[index])
        part = np.ascontiguousarray(columns[:, sets[index]])
        total += floor(part, least + known - total) - least
    return total


def main() -> None:
    """Print the proof, or the first guesses that may be better."""
    parser = ArgumentParser(prog="python -m tools.trees.optimum", description=__doc__)
    parser.add_argument("--known", type=int, default=_KNOWN)
    options = parser.parse_args()
    least, columns = options.known, every_secret(SHORTEST)
    with tqdm(desc="first guesses", unit="") as bar:
        for total, guess in cheaper(columns, options.known, bar.update):
            least = min(least, total)
            text = "".join(SYMBOLS[symbol] for symbol in guess)
            sys.stdout.write(f"{text} may take {total:,}\n")
    sys.stdout.write(f"every strategy takes {least:,} guesses at least\n")


if __name__ == "__main__":
    main()
