"""A message's budget: its words as they are counted, and the buttons and lists it has."""

import re
from typing import Final

from simcord import ResponseMessage

from tests.support.messages import words
from tests.support.screen import parts, text

SCREEN: Final = 40
PAGE: Final = 120
_ORDER: Final = (("Guess", "Edit"), ("Hint", "How to play"), ("More", "Less"))
# Mastermind's colours, and the answers to the bot's guesses.
_KEYS: Final = re.compile(r":(?:put|blacks|whites):")
_UNCOUNTED: Final = re.compile(r"`[^`]*`|<[^>]*>|\*\*\d[^*]*\*\*")
_BUTTON, _LISTS = 2, {3, 5, 6, 7, 8}


def counted(message: ResponseMessage) -> int:
    """The words of a message, without names, numbers, times and what stands in code style."""
    return words(_UNCOUNTED.sub("", text(message)))


def face(message: ResponseMessage) -> list[str]:
    """The labels of its buttons, but for keys and links."""
    return [
        part["label"]
        for part in parts(message)
        if part["type"] == _BUTTON and not _KEYS.search(part.get("custom_id", ":put:"))
    ]


def lists(message: ResponseMessage) -> int:
    """How many lists it has."""
    return sum(part["type"] in _LISTS for part in parts(message))


def is_in_order(labels: list[str]) -> bool:
    """Whether *Guess*, *Hint* and *More* come in this order, and *More* last."""
    places = [labels.index(label) for way in _ORDER for label in way if label in labels]
    return places == sorted(places) and "More" not in labels[:-1]
