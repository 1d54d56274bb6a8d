"""Contradictory turns of a history.

Every secret violates some turns of a contradictory history. A set of turns is contradictory if it
contains, for every secret, a turn which that secret violates: if it hits every set of violated
turns. So the smallest contradictory set is a minimum hitting set; it is found by branching on the
turns of the smallest set that is not hit yet.
"""

from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.errors import InconsistentFeedback
from engine.solvers.space import Columns, History, Reply, Space

F = TypeVar("F")

_Violations = NDArray[np.bool_]
"""True if a turn (row) is in a set (column) of turns that some secret violates; no set twice."""

_CHUNK: Final = 1 << 16
# Violations are packed into integers, a bit a turn, so that equal sets are found fast.
_WORD: Final = 62


def candidates_after(space: Space[F], history: History) -> Columns:
    """The secrets that explain every step of a history, as columns of shape (length, n).

    Raises:
        InconsistentFeedback: there is no such secret.
    """
    columns = space.after(history)
    if columns.shape[1] == 0:
        raise contradiction(space, history)
    return columns


def contradiction(space: Space[F], history: History) -> InconsistentFeedback:
    """The error for a history that no secret explains."""
    violations = _violations(space, history)
    kept = _undominated(violations)
    violations = violations[kept]
    size = next(n for n in range(1, len(kept) + 1) if _is_hit(violations, range(len(kept)), n))
    turns = tuple(kept[turn] for turn in _last_hitting_set(violations, size))
    return InconsistentFeedback(turns, tuple(_repairs(space, history)))


def _undominated(violations: _Violations) -> list[int]:
    """The turns that are worth trying for a smallest contradictory set.

    A turn is left out if one later turn, too, rules out all secrets that it rules out. So of equal
    turns only the last one is tried.
    """
    turns = range(len(violations))
    return [
        turn
        for turn in turns
        if not any((violations[turn] <= violations[later]).all() for later in turns[turn + 1 :])
    ]


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


def _violations(space: Space[F], history: History) -> _Violations:
    everything = space.everything()
    found: list[NDArray[np.int64]] = []
    for start in range(0, everything.shape[1], _CHUNK):
        columns = everything[:, start : start + _CHUNK]
        words = np.zeros((-(-len(history) // _WORD), columns.shape[1]), np.int64)
        for turn, step in enumerate(history):
            violates = ~space.explains(step, columns)
            words[turn // _WORD] |= violates.astype(np.int64) << turn % _WORD
        found.append(_distinct(words))
    words = _distinct(np.concatenate(found, axis=1))
    bits = [words[turn // _WORD] >> turn % _WORD & 1 for turn in range(len(history))]
    return np.array(bits, np.bool_)


def _distinct(words: NDArray[np.int64]) -> NDArray[np.int64]:
    # Distinct numbers are found much faster than distinct columns.
    return np.unique(words)[None] if len(words) == 1 else np.unique(words, axis=1)


def _is_hit(violations: _Violations, turns: Sequence[int], most: int) -> bool:
    """True if `most` or fewer of these turns hit all columns: each column violates one of them."""
    if violations.shape[1] == 0:
        return True
    if most == 0 or not turns:
        return False
    smallest = violations[list(turns)].sum(axis=0).argmin()
    for turn in [turn for turn in turns if violations[turn, smallest]]:
        if _is_hit(violations[:, ~violations[turn]], turns, most - 1):
            return True
        turns = [other for other in turns if other != turn]  # no solution has it
    return False


def _last_hitting_set(violations: _Violations, size: int) -> tuple[int, ...]:
    """The lexicographically last hitting set of `size` turns; none may be smaller (unchecked)."""
    count = len(violations)
    chosen: list[int] = []
    while len(chosen) < size:
        for turn in reversed(range(count)):
            rest = violations[:, ~violations[turn]]
            if _is_hit(rest, range(turn + 1, count), size - len(chosen) - 1):
                chosen.append(turn)
                violations = rest
                break
    return tuple(chosen)
