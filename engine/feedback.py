"""What a guess learns about a secret, and what that leaves possible."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Generic, TypeVar

from engine.codes import Code
from engine.errors import EngineError


class Mark(IntEnum):
    """The feedback for one symbol of a guess, ordered by how much it says."""

    ABSENT = 0
    PRESENT = 1
    CORRECT = 2


Marks = tuple[Mark, ...]
"""Feedback for a whole guess: one mark a symbol, left to right."""


F = TypeVar("F")
"""A game's kind of feedback."""


@dataclass(frozen=True, slots=True)
class Turn(Generic[F]):
    """A guess and the feedback it got."""

    guess: Code
    feedback: F


def mark(guess: str, secret: str) -> Marks:
    """Score any guess against any secret of the same length, as Wordle does.

    Symbols in their right place are CORRECT. Then, from left to right, a symbol
    is PRESENT while unmatched copies of it remain in the secret, else ABSENT.
    Legality is not checked.

    Raises:
        EngineError: the lengths differ.
    """
    if len(guess) != len(secret):
        raise EngineError(f"cannot mark {len(guess)} symbols against {len(secret)}")
    unmatched = Counter(s for g, s in zip(guess, secret, strict=True) if g != s)
    marks: list[Mark] = []
    for g, s in zip(guess, secret, strict=True):
        if g == s:
            marks.append(Mark.CORRECT)
        elif unmatched[g] > 0:
            unmatched[g] -= 1
            marks.append(Mark.PRESENT)
        else:
            marks.append(Mark.ABSENT)
    return tuple(marks)


def is_consistent(candidate: str, turns: Iterable[Turn[Marks]]) -> bool:
    """Whether `candidate` could be the secret: it explains every turn's feedback."""
    return all(
        len(turn.guess) == len(candidate) and mark(turn.guess, candidate) == turn.feedback
        for turn in turns
    )


def best_marks(turns: Iterable[Turn[Marks]]) -> dict[str, Mark]:
    """The best mark that each guessed symbol has got; symbols never guessed are missing."""
    best: dict[str, Mark] = {}
    for turn in turns:
        for symbol, m in zip(turn.guess, turn.feedback, strict=True):
            best[symbol] = max(m, best.get(symbol, m))
    return best
