"""Turns as the engine takes them: what hints have shown, what guesses left."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.games.model import Hint, HintKind
from engine import Shown, Turn

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


def hint_of(turn: int, shown: Shown) -> Hint:
    """The hint that shows a symbol after so many guesses, as it is stored."""
    return Hint(turn, HintKind.SYMBOL, f"{shown.place} {shown.symbol}")


def shown_by(hints: Iterable[Hint]) -> tuple[Shown, ...]:
    """What hints have shown, in order."""
    answers = (hint.answer.split() for hint in hints if hint.kind is HintKind.SYMBOL)
    return tuple(Shown(int(place), symbol) for place, symbol in answers)


def history_of(turns: Sequence[Turn[F]], hints: Sequence[Hint]) -> tuple[Turn[F] | Shown, ...]:
    """Turns, and what hints have shown before each of them and after the last, in order."""
    history: list[Turn[F] | Shown] = []
    for made in range(len(turns) + 1):
        history += shown_by(hint for hint in hints if hint.turn == made)
        history += turns[made : made + 1]
    return tuple(history)
