"""The facts of refusals, as sentences write them."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any, Final

from bot.presentation.base import counts
from bot.presentation.base.language import long_date
from bot.presentation.base.markup import code, mention, relative_time

Sentence = str | Callable[[Any], str]
"""What a refusal says: a message with its facts, or what makes one where it depends on them."""
Sentences = Mapping[type[Exception], Sentence]

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
