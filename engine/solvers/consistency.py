"""Which secrets are left, and the fewest clues that leave none.

A clue, such as a turn, rules out the secrets that violate it. Clues rule out all of some secrets if
each of these violates one of them: if they hit every set of violated clues. So the fewest are a
minimum hitting set. It is sought for a few of the secrets, and one that it misses is added until it
misses none: what is smallest for some, and does for all, is smallest for all.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.errors import InconsistentFeedback
from engine.solvers.space import Columns, History, Reply, Space

F = TypeVar("F")

Met = Callable[[Columns], NDArray[np.bool_]]
"""Tells which columns meet a clue."""
Violations = NDArray[np.uint8]
"""The clues that each secret (column) violates, a bit a clue, shape (bytes, N)."""
Sets = Sequence[frozenset[int]]
"""For each of some secrets, the clues that it violates."""

_BITS: Final = 8
# Columns handled at a time, so that a step's data fit the processor's cache.
_CHUNK: Final = 1 << 16
_SAMPLE: Final = 1 << 10


def candidates_after(space: Space[F], history: History) -> Columns:
    """The secrets that explain every step of a history, as columns of shape (length, n).

    Raises:
        InconsistentFeedback: there is no such secret.
    """
    columns = space.after(history)
    if columns.shape[1] == 0:
        found = violations([partial(space.explains, step) for step in history], space.everything())
        raise InconsistentFeedback(
            tuple(fewest_clues(found, _latest)), tuple(_repairs(space, history))
        )
    return columns


def _repairs(space: Space[F], history: History) -> Iterator[int]:
    """Yield each turn without which some secret explains the rest of the history.

    A hint is never left out. That secret is not the turn's own guess if the game went on after it.
    """
    for turn, reply in enumerate(history):
        if not isinstance(reply, Reply):
            continue
        columns = space.after(history[:turn])
        for other in history[turn + 1 :]:
            columns = space.explaining(other, columns)
        if turn < len(history) - 1:
            # The game went on, so this guess was not the secret, whatever its feedback.
            is_new = (columns != np.array(reply.guess)[:, None]).any(axis=0)
            columns = columns.compress(is_new, axis=1)
        if columns.shape[1]:
            yield turn


def violations(clues: Sequence[Met], columns: Columns) -> Violations:
    found = np.zeros((-(-len(clues) // _BITS), columns.shape[1]), np.uint8)
    for start in range(0, columns.shape[1], _CHUNK):
        part, chunk = columns[:, start : start + _CHUNK], found[:, start : start + _CHUNK]
        for clue, is_met in enumerate(clues):
            violated = (~is_met(part)).view(np.uint8)
            chunk[clue // _BITS] |= violated << np.uint8(clue % _BITS)
    return found


def fewest_clues(
    violations: Violations, choose: Callable[[Sets, int], list[int] | None]
) -> list[int]:
    """The fewest clues such that every column violates one, which each column has to do.

    `choose` is asked for clues that hit all of some sets, so many at most, if there are any.
    """
    chosen: list[int] = []
    sets: list[frozenset[int]] = []
    # Most of what matters shows in a few columns, which are looked at much faster.
    for columns in (violations[:, :: 1 + violations.shape[1] // _SAMPLE], violations):
        while (missed := _missed(columns, chosen)).shape[1]:
            # Of the clues of the missed column with the fewest, one has to be chosen.
            column = missed[:, np.bitwise_count(missed).sum(axis=0).argmin()]
            bits = np.unpackbits(column, bitorder="little")
            sets.append(frozenset(np.flatnonzero(bits).tolist()))
            sizes = count(max(1, len(chosen)))
            chosen = next(filter(None, (choose(sets, size) for size in sizes)))
    return chosen


def _missed(violations: Violations, chosen: Sequence[int]) -> Violations:
    """The columns (secrets) that violate none of the chosen clues."""
    masks = np.zeros(len(violations), np.uint8)
    for clue in chosen:
        masks[clue // _BITS] |= 1 << clue % _BITS
    hit = np.zeros(violations.shape[1], np.uint8)
    for row, mask in zip(violations, masks, strict=True):
        if mask:
            hit |= row & mask
    return violations.take(np.flatnonzero(hit == 0), axis=1)


def hitting(sets: Sets, most: int, ranks: Sequence[int]) -> list[int] | None:
    """At most `most` clues that hit all sets, those of low rank first; None if so few cannot."""
    if not sets:
        return []
    if _apart(sets) > most:
        return None
    tried: set[int] = set()  # no solution has one of these
    for clue in sorted(min(sets, key=len), key=lambda each: (ranks[each], each)):
        rest = hitting([each - tried for each in sets if clue not in each], most - 1, ranks)
        if rest is not None:
            return [clue, *rest]
        tried.add(clue)
    return None


def _latest(sets: Sets, most: int) -> list[int] | None:
    """Of the sets of `most` clues that hit all, the lexicographically last; None if there is none.

    Fewer must not do.
    """
    clues = sorted(frozenset[int]().union(*sets))
    ranks = range(clues[-1] + 1)
    if hitting(sets, most, ranks) is None:
        return None
    chosen: list[int] = []
    while sets:
        for clue in reversed(clues):
            rest = [each - set(range(clue)) for each in sets if clue not in each]
            if hitting(rest, most - len(chosen) - 1, ranks) is not None:
                chosen.append(clue)
                sets = rest
                break
    return chosen


def _apart(sets: Sets) -> int:
    """Count sets without a common clue, small ones first: a lower bound of the clues needed."""
    taken: set[int] = set()
    found = 0
    for each in sorted(sets, key=len):
        if taken.isdisjoint(each):
            taken |= each
            found += 1
    return found
