"""Decoding of the rules of any game, and parsing of typed turns."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeVar

from engine.code_games import BullsAndCows, Mastermind
from engine.errors import ImpossibleRulesError, NotationError
from engine.feedback import Turn
from engine.focdle import Focdle
from engine.rules import Rules

F = TypeVar("F")

_DECODERS: Final[dict[str, Callable[[str], Rules[Any]]]] = {
    "focdle": Focdle.decode,
    "mastermind": Mastermind.decode,
    "bulls": BullsAndCows.decode,
}


def decode(text: str) -> Rules[Any]:
    """Decode the rules of any game.

    >>> decode("bulls:4/30")
    BullsAndCows(digits=4, repeats=False, max_guesses=30)

    Raises:
        ImpossibleRulesError: the string describes no rules.
    """
    name, _, guesses = text.rpartition("/")
    if name in _registered and guesses.isdecimal():
        rules: Any = _registered[name]
        return replace(rules, max_guesses=int(guesses))
    game, _, _ = text.partition(":")
    if game not in _DECODERS:
        raise ImpossibleRulesError(f"These are not the rules of any game: {text!r}.")
    return _DECODERS[game](text)


_registered: Final[dict[str, Rules[Any]]] = {}


def register(rules: Rules[Any]) -> None:
    """Make `decode`, and so `Game.read`, know the rules of one's own game, with any limit.

    Other rules that are encoded alike, but for their limit, are forgotten.

    Raises:
        ImpossibleRulesError: the name is that of a game which is known anyway.
    """
    name, _, _ = rules.encode().rpartition("/")
    if name.partition(":")[0] in _DECODERS:
        raise ImpossibleRulesError(f"{name!r} is another game.")
    _registered[name] = rules


def read_turn(rules: Rules[F], text: str) -> Turn[F]:
    """Parse a typed turn: the guess, a space, its feedback.

    Guess and feedback may contain spaces: ``red green blue blue 2 1``.

    >>> read_turn(Mastermind(), "red green blue blue 2 1")
    Turn(guess='RGBB', feedback=Score(bulls=2, cows=1))

    Raises:
        NotationError: the guess or its feedback cannot be parsed. Its position counts from the
            beginning of the text.
    """
    end = end_of_guess(rules, text)
    guess = rules.parse(text[:end])
    try:
        return Turn(guess, rules.read_feedback(text[end:]))
    except NotationError as error:
        error.position += end
        raise


def end_of_guess(rules: Rules[F], text: str) -> int:
    """The position where the guess of a typed turn ends: that of a space, or the text's length.

    It is the last space with a guess before it and feedback after it. If no position has both, it
    is the last with a guess before it, or the first with feedback after it, or the last space.
    """
    ends = [place for place, character in enumerate(text) if character.isspace()]
    ends = [*reversed(ends), len(text)]
    guesses = [end for end in ends if _can_be_read(rules.parse, text[:end])]
    answers = [end for end in ends if _can_be_read(rules.read_feedback, text[end:])]
    both = [end for end in guesses if end in answers]
    return (both or guesses or answers[::-1] or ends)[0]


def _can_be_read(read: Callable[[str], object], text: str) -> bool:
    try:
        read(text)
    except NotationError:
        return False
    return True
