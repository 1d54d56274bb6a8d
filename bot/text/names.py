"""People's names in our texts: one line, cut to fit, harmless whatever they called themselves."""

import unicodedata
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from bot.text.markup import mention

LONGEST: Final = 20
"""Columns that a name may take where it has a line for itself; wide letters take two."""

# What would mean something to Discord: emphasis, quotes, mentions, links.
_MARKUP: Final = frozenset("\\*_~|`<>[]()@:#")
# They join letters and emojis, so they may stay; other controls may turn our lines around.
_JOINERS: Final = "\u200c\u200d"
_BLANKS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0" + _JOINERS)
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
_MARKS: Final = frozenset({"Mn", "Me", "Mc"})
# More are piled up only to spill over the lines around.
_MOST_MARKS: Final = 3
_ISOLATED: Final = "\u2068{}\u2069"


def player_name(name: str, player_id: int, columns: int = LONGEST) -> str:
    """A name to be put into a line; whose name was never seen is mentioned, which pings nobody.

    Right-to-left names are kept from turning the line around.
    """
    shown = clip(visible(name), columns)
    if not shown:
        return mention(player_id)
    return _ISOLATED.format("".join(f"\\{c}" if c in _MARKUP else c for c in shown))


def visible(name: str) -> str:
    """What can be seen of a name, on one line; empty if nothing can.

    >>> visible("  Ann   B "), visible(" ")
    ('Ann B', '')
    """
    line = " ".join(name.split())
    kept = "".join(
        c for c in line if c in _JOINERS or unicodedata.category(c) not in _UNSEEN
    ).strip()
    if all(c in _BLANKS or c.isspace() or unicodedata.category(c) in _MARKS for c in kept):
        return ""
    runs = groupby(kept, key=lambda c: unicodedata.category(c) in _MARKS)
    return "".join(
        "".join(list(run)[:_MOST_MARKS]) if is_marks else "".join(run) for is_marks, run in runs
    )


def clip(text: str, columns: int = LONGEST) -> str:
    """A text cut between what people see as letters, with an ellipsis if it was cut.

    >>> clip("Ann", 3), clip("Anna", 3)
    ('Ann', 'An…')
    """
    found = list(letters(text))
    if sum(map(_columns, found)) <= columns:
        return text
    kept, used = "", 1  # the ellipsis
    for letter in found:
        used += _columns(letter)
        if used > columns:
            break
        kept += letter
    return f"{kept.rstrip()}…"


def letters(text: str) -> Iterator[str]:
    """What people see as one letter each, near enough: marks, joined emojis and flags together."""
    letter = ""
    for c in text:
        if letter and not _belongs(c, letter):
            yield letter
            letter = ""
        letter += c
    if letter:
        yield letter


def _belongs(c: str, letter: str) -> bool:
    """Whether a character goes on with the letter before it."""
    if unicodedata.category(c) in _MARKS or c in _JOINERS or letter[-1] == "\u200d":
        return True
    is_tone = "\U0001f3fb" <= c <= "\U0001f3ff"
    return is_tone or (_is_flag_half(c) and len(letter) == 1 and _is_flag_half(letter))


def _is_flag_half(c: str) -> bool:
    return "\U0001f1e6" <= c <= "\U0001f1ff"


def _columns(letter: str) -> int:
    is_wide = unicodedata.east_asian_width(letter[0]) in "WF" or _is_flag_half(letter[0])
    return 2 if is_wide or "\ufe0f" in letter else 1
