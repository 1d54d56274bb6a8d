"""Refusals of all rooms: how sentences write their facts, and what is wrong with a typed text."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any, Final

from bot.refused import TextRefusedError
from bot.text import counts
from bot.text.language import N_, long_date, say
from bot.text.markup import code, mention, relative_time
from engine import NotationError, Problem, RepeatedGuessError

Sentence = str | Callable[[Any], str]
"""What a refusal says: a message with its facts, or what makes one where it depends on them."""
Sentences = Mapping[type[Exception], Sentence]

Message = str | Callable[[int], str]
"""What is wrong with a text: a message, or the one for so many symbols too few or too many."""
Mistakes = Mapping[Problem | type[RepeatedGuessError], Message]

_BY_NAME: Final[Mapping[str, Callable[[int], str]]] = {
    "player_id": mention,
    "channel_id": "<#{}>".format,
    "role_id": "<@&{}>".format,
    "digits": counts.digits,
    "duels": counts.duels,
    "games": counts.games,
    "pegs": counts.pegs,
    "symbols": counts.symbols,
}
_BY_TYPE: Final[Mapping[type, Callable[[Any], str]]] = {
    int: str,
    str: code,
    datetime: relative_time,
    date: long_date,
}


#: Between two symbols of a guess, in any game, stands a character that nobody can see.
_INVISIBLE: Final = N_(
    "{text}: something invisible stands at place {position} ({symbol}). Type it anew."
)


def written(error: Exception) -> dict[str, str]:
    """The facts of a refusal by their placeholders' names: `player_id` is written as `player`.

    Left out are facts that are None and whole games: a sentence that needs them is a function.
    """
    facts: dict[str, str] = {}
    for name, fact in vars(error).items():
        write = _BY_NAME.get(name) or _BY_TYPE.get(fact.__class__)
        if write is not None and fact is not None:
            facts[name.removesuffix("_id")] = write(fact)
    return facts


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
    message = {Problem.INVISIBLE: _INVISIBLE, **messages}[cause.problem]
    difference = abs(cause.found - cause.wanted)
    found["difference"] = str(difference)
    found["symbols"] = counts.symbols(cause.found)
    found["position"] = str(cause.position + 1)
    found["place"] = str(cause.place + 1)
    return _said(message, difference, found)


def _said(message: Message, difference: int, facts: Mapping[str, str]) -> str:
    if isinstance(message, str):
        return say(message, **facts)
    return message(difference).format(**facts)
