"""What hints have shown, as the engine takes it."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from bot.games.model.hints import Hint, HintKind
from engine import Shown, Turn

F = TypeVar("F")


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
