"""The nouns of hints: what a player may be told during a game."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class HintKind(StrEnum):
    """What a player was told."""

    SYMBOL = "symbol"
    """A symbol in its place."""
    COUNT = "count"
    """How many secrets were possible; nobody can ask any more."""
    SUGGESTION = "suggestion"
    """A best guess; nobody can ask any more."""


EARLIER_HINTS: Final = (HintKind.COUNT, HintKind.SUGGESTION)
"""Kinds by whose rules a daily keeps its last point, and does not lengthen a streak."""
MOST_HINTS: Final = 2
"""How many hints a game has."""


@dataclass(frozen=True, slots=True)
class Hint:
    """What a player was told.

    Attributes:
        turn: how many guesses had been made.
        kind: what it tells.
        answer: a 0-based place and a symbol, `3 7`; a number; or a code.
    """

    turn: int
    kind: HintKind
    answer: str


def least_points(hints: Iterable[Hint]) -> int:
    """What a solved daily with these hints is worth at least."""
    return int(any(hint.kind in EARLIER_HINTS for hint in hints))
