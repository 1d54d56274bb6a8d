"""Codes, and what typed characters mean in all games."""

import unicodedata
from typing import Final, NamedTuple, TypeAlias

from engine.errors import NotationError, Problem

Code: TypeAlias = str
"""A secret or guess in canonical notation, as `parse` of a game's rules returns it."""


# The keycap enclosure: "4️⃣" is a 4. The backslash escapes Discord's Markdown.
_DECORATIONS: Final = "\u20e3\\"
# Selectors of a character's look and marks of direction, which phones insert. Overrides are not
# among them: they display another text than the one that is read.
_UNNOTICED: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069") | {
    chr(n) for n in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
}
# Invisible characters besides control and format characters: fillers and blanks.
_BLANKS: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
)
# Discord's Markdown around a text: code, bold, hidden.
_ENCLOSING: Final = ("`", "**", "||")
_FULL_STOPS: Final = ".。．"


class Symbol(NamedTuple):
    """A symbol of a typed text, with its 0-based position there."""

    text: str
    position: int


def fold(character: str) -> str:
    """The character that a typed one stands for; empty if it is skipped.

    Spaces, backslashes, keycaps and invisible characters are skipped. Digits of all scripts become
    ASCII digits, fullwidth and small forms plain characters. Superscripts and circled digits stay
    as they are: nobody means 2² as 22.
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
    """Refuse a text with an invisible character between two visible ones.

    Variation selectors and direction marks are accepted there, too.

    Raises:
        NotationError: INVISIBLE, with the character's name and position.
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
    """Put spaces in the place of the Markdown around a text, and of a full stop at its end.

    All other characters keep their positions.

    Raises:
        NotationError: as `refuse_invisible` raises it for what is left.
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
