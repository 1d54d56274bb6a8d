"""Rules of any game, from the short string that their `encode` wrote; turns, from what is typed."""

from collections.abc import Callable
from typing import Final, TypeVar

from engine.bulls_and_cows import BullsAndCows
from engine.codes import Code
from engine.errors import ImpossibleRulesError, NotationError
from engine.feedback import Turn
from engine.focdle import Focdle
from engine.mastermind import Mastermind
from engine.rules import Rules

F = TypeVar("F")

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


def read_turn(rules: Rules[F], text: str) -> Turn[F]:
    """A turn as people type it: the guess, a space, its feedback.

    Either may have spaces of its own: ``red green blue blue 2 1``.

    Raises:
        NotationError: the guess, or else the feedback, is none of this game; its position
            counts from the beginning of the text.
    """
    guess, start = split_turn(rules, text)
    try:
        return Turn(guess, rules.read_feedback(text[start:]))
    except NotationError as error:
        error.position += start
        raise


def split_turn(rules: Rules[F], text: str) -> tuple[Code, int]:
    """The guess that a typed turn begins with, and where in the text its feedback begins.

    Raises:
        NotationError: the text does not begin with a guess of this game.
    """
    gaps = [index for index, character in enumerate(text) if character.isspace()]
    for gap in reversed(gaps):
        try:
            return rules.parse(text[:gap]), gap + 1
        except NotationError:
            continue
    try:
        return rules.parse(text), len(text)
    except NotationError:
        rules.parse(text[: gaps[-1]] if gaps else text)  # the fault of what should be the guess
        raise
