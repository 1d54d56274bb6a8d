"""What is wrong with a typed guess or code, in the messages of its game."""

from collections.abc import Callable, Mapping

from bot.presentation.base.facts import written
from bot.presentation.base.language import say
from bot.services.base.errors import TextRefusedError
from engine import NotationError, Problem, RepeatedGuessError

Message = str | Callable[[int], str]
"""A message, or the one for so many symbols too few or too many."""
Mistakes = Mapping[Problem | type[RepeatedGuessError], Message]


def mistake(error: TextRefusedError, messages: Mistakes, **facts: str) -> str:
    """What is wrong with a text; its game's own facts are said with it.

    Positions, places and turns count from 1.
    """
    cause = error.cause
    found = {**written(error), **written(cause), **facts}
    if isinstance(cause, RepeatedGuessError):
        return _said(messages[RepeatedGuessError], 0, found | {"turn": str(cause.turn + 1)})
    if not isinstance(cause, NotationError):
        # The engine has no other refusals; a new one must be worded by its game.
        raise TypeError(f"no words for {type(cause).__name__}") from cause
    difference = abs(cause.found - cause.wanted)
    found["difference"] = str(difference)
    found["position"] = str(cause.position + 1)
    found["place"] = str(cause.place + 1)
    return _said(messages[cause.problem], difference, found)


def _said(message: Message, difference: int, facts: Mapping[str, str]) -> str:
    if isinstance(message, str):
        return say(message, **facts)
    return message(difference).format(**facts)
