"""Codes: the strings that games are played with, and what a typed character stands for in one."""

import unicodedata
from typing import Final, NamedTuple, NewType

Code = NewType("Code", str)
"""A secret or guess in its canonical notation: a string that has passed a game's parser."""


# Emoji presentation and the keycap enclosure: "4️⃣" is a 4. The backslash escapes Discord's Markdown.
_DECORATIONS: Final = "\ufe0e\ufe0f\u20e3\\"


class Symbol(NamedTuple):
    """A symbol as it was understood, and where in the typed text it stood."""

    text: str
    position: int


def fold(character: str) -> str:
    """The symbol that a character stands for; empty for spaces and what is only decoration.

    Fullwidth and small forms, as East Asian keyboards make them, are folded to
    plain ones. Superscripts, circled digits and other scripts' digits stay what
    they are: nobody means 2² as 22.
    """
    if character.isspace() or character in _DECORATIONS:
        return ""
    if unicodedata.category(character) == "Cf":  # zero-width joiners, direction marks
        return ""
    if unicodedata.decomposition(character).startswith(("<wide>", "<small>")):
        folded = unicodedata.normalize("NFKC", character)
        return folded if len(folded) == 1 else character
    return character
