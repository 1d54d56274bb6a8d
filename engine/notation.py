"""Rules of any game, from the short string that their `encode` wrote."""

from collections.abc import Callable
from typing import Final

from engine.bulls_and_cows import BullsAndCows
from engine.errors import ImpossibleRulesError
from engine.focdle import Focdle
from engine.mastermind import Mastermind

_DECODERS: Final[dict[str, Callable[[str], Focdle | Mastermind | BullsAndCows]]] = {
    "focdle": Focdle.decode,
    "mastermind": Mastermind.decode,
    "bulls": BullsAndCows.decode,
}


def decode(text: str) -> Focdle | Mastermind | BullsAndCows:
    """The rules that this string describes.

    Raises:
        ImpossibleRulesError: it describes no rules.
    """
    game, _, _ = text.partition(":")
    if game not in _DECODERS:
        raise ImpossibleRulesError(f"no rules of any game: {text!r}")
    return _DECODERS[game](text)
