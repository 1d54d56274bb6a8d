"""The nouns of hints: what a player may be told during a game."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class HintKind(StrEnum):
    """What a player may ask during a game."""

    COUNT = "count"
    """How many secrets are possible."""
    SUGGESTION = "suggestion"
    """A best guess of those that are allowed."""


MOST_HINTS: Final = {HintKind.COUNT: 3, HintKind.SUGGESTION: 1}
"""How many hints of a kind a game has."""


@dataclass(frozen=True, slots=True)
class Hint:
    """What a player was told.

    Attributes:
        turn: how many guesses had been made.
        kind: what was asked.
        answer: a number, or a code.
    """

    turn: int
    kind: HintKind
    answer: str


def hints_left(hints: tuple[Hint, ...], kind: HintKind) -> int:
    """How many hints of a kind may still be taken in a game."""
    return MOST_HINTS[kind] - sum(hint.kind is kind for hint in hints)


def is_given(hints: tuple[Hint, ...], kind: HintKind, turn: int) -> bool:
    """Whether a hint of a kind was taken after so many guesses."""
    return any(hint.kind is kind and hint.turn == turn for hint in hints)
