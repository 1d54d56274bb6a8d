"""Codes: the strings that games are played with, and what a typed character stands for in one."""

import unicodedata
from typing import Final, NamedTuple, NewType

from engine.errors import NotationError, Problem

Code = NewType("Code", str)
"""A secret or guess in its canonical notation: a string that has passed a game's parser."""


# The keycap enclosure: "4️⃣" is a 4. The backslash escapes Discord's Markdown.
_DECORATIONS: Final = "\u20e3\\"
# How the character before it looks, and from which side it is read: phones put these in. Not the
# overrides, which show another text than the one that is read.
_UNNOTICED: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069") | {
    chr(n) for n in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
}
# What takes no ink besides control and format characters: fillers and blanks.
_BLANKS: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
)
# What Discord's Markdown encloses a text with: code, bold, hidden.
_ENCLOSING: Final = ("`", "**", "||")
_FULL_STOPS: Final = ".。．"


class Symbol(NamedTuple):
    """A symbol as it was understood, and where in the typed text it stood."""

    text: str
    position: int


def fold(character: str) -> str:
    """The symbol that a character stands for; empty for spaces, decoration and what is invisible.

    Digits of all scripts are folded to ours, fullwidth and small forms to plain
    ones. Superscripts and circled digits stay what they are: nobody means 2² as 22.
    """
    if character.isspace() or character in _DECORATIONS or _is_invisible(character):
        return ""
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    if unicodedata.decomposition(character).startswith(("<wide>", "<small>")):
        folded = unicodedata.normalize("NFKC", character)
        return folded if len(folded) == 1 else character
    return character


def refuse_invisible(text: str) -> None:
    """Accept a text in which all that stands between two symbols can be seen.

    At its ends nothing invisible does harm, nor do selectors of how a character looks and marks of
    direction anywhere.

    Raises:
        NotationError: INVISIBLE, with the character's name; says where.
    """
    ends = [place for place, character in enumerate(text) if fold(character)]
    if not ends:
        return
    first, last = ends[0], ends[-1]
    for place, character in enumerate(text[first:last], first):
        if _is_invisible(character) and character not in _UNNOTICED:
            name = unicodedata.name(character, "").lower() or f"U+{ord(character):04X}"
            raise NotationError(Problem.INVISIBLE, place, symbol=name)


def _is_invisible(character: str) -> bool:
    if character.isspace():
        return False
    hidden = unicodedata.category(character) in {"Cc", "Cf"}
    return hidden or character in _BLANKS or character in _UNNOTICED


def bare(text: str) -> str:
    """A text without the Markdown that encloses all of it, and without a full stop at its end.

    Spaces stand in place of both. All other characters keep their places.

    Raises:
        NotationError: as `refuse_invisible`.
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
    inner = " " * start + text[start:end] + " " * (len(text) - end)
    refuse_invisible(inner)
    return inner


def _encloses(mark: str, text: str, start: int, end: int) -> bool:
    is_long_enough = end - start >= 2 * len(mark)
    return is_long_enough and text.startswith(mark, start) and text.endswith(mark, start, end)
