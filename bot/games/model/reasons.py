"""What the bot's guesses left, and why it cannot guess; the same in every game."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from engine import Turn

F = TypeVar("F")


@dataclass(frozen=True, slots=True)
class Reason(Generic[F]):
    """A guess of the bot's, and what it left.

    Attributes:
        turn: the guess and its feedback.
        before: how many codes were possible before it.
        after: how many were after it.
    """

    turn: Turn[F]
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Answers that cannot all be true.

    Attributes:
        turns: 0-based indices, ascending, of the smallest set of turns that cannot all be
            true.
        repairs: those of them whose answer alone, if corrected, makes the game possible
            again; perhaps none.
    """

    turns: tuple[int, ...]
    repairs: tuple[int, ...]
