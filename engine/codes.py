"""Codes: the strings that games are played with, and what a typed character stands for in one."""

import unicodedata
from typing import Final, NamedTuple, NewType

Code = NewType("Code", str)
"""A secret or guess in its canonical notation: a string that has passed a game's parser."""


# Emoji presentation and the keycap enclosure: "4️⃣" is a 4. The backslash escapes Discord's Markdown.
_DECORATIONS: Final = "\ufe0e\ufe0f\u20e3\\"
# What Discord's Markdown encloses a text with: code, bold, hidden.
_ENCLOSING: Final = ("`", "**", "||")
_FULL_STOPS: Final = ".。．"


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


def bare(text: str) -> str:
    """A text without the Markdown that encloses all of it, and without a full stop at its end.

    Spaces stand in place of both. All other characters keep their places.
    """
    start, end, stops = 0, len(text), 1
    while start < end:
        mark = next((m for m in _ENCLOSING if _encloses(m, text, start, end)), "")
        if not fold(text[start]):
            start += 1
        elif not fold(text[end - 1]):
            end -= 1
        elif stops and text[end - 1] in _FULL_STOPS:
            end, stops = end - 1, 0
        elif mark:
            start, end = start + len(mark), end - len(mark)
        else:
            break
    return " " * start + text[start:end] + " " * (len(text) - end)


def _encloses(mark: str, text: str, start: int, end: int) -> bool:
    is_long_enough = end - start >= 2 * len(mark)
    return is_long_enough and text.startswith(mark, start) and text.endswith(mark, start, end)
