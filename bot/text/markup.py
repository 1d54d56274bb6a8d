"""Discord's markup, commands and names in texts, safe whatever people typed."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import groupby
from typing import Final

from bot.text.language import gettext as _

_LONGEST_QUOTE: Final = 40
_BACKTICK: Final = "`"
_HARMLESS_BACKTICK: Final = "ˋ"


def code(text: str, *, longest: int = _LONGEST_QUOTE) -> str:
    """Text in code style, where it means nothing to Discord.

    Control and direction characters go, white space shrinks, and what is longer
    than 40 characters, or so many, is cut.
    """
    words = printable(text).replace(_BACKTICK, _HARMLESS_BACKTICK)
    if len(words) > longest:
        words = words[: longest - 1] + "…"
    return f"`{words}`" if words else "` `"


def printable(text: str) -> str:
    """Text on one line, without control and direction characters or needless space."""
    line = "".join(c for c in " ".join(text.split()) if c.isprintable())
    return " ".join(line.split())


def is_forgotten(player_id: int) -> bool:
    """Whether an id is a stand-in; each deletion has its own, below 0, where Discord has none."""
    return player_id < 0


def mention(user_id: int) -> str:
    """A member's name, as each reader's client shows it; pings only where that is allowed.

    Who has deleted all their data is called just that.
    """
    if is_forgotten(user_id):
        return _("deleted player")
    return f"<@{user_id}>"


def relative_time(instant: datetime) -> str:
    """An instant as the time until it, kept up to date by each reader's client."""
    return f"<t:{int(instant.timestamp())}:R>"


def exact_time(instant: datetime) -> str:
    """An instant as a date and a time, in every reader's own zone and language."""
    return f"<t:{int(instant.timestamp())}:f>"


def small(text: str) -> str:
    """One line of small print."""
    return f"-# {text}"


def heading(text: str) -> str:
    """One line in larger type."""
    return f"### {text}"


def bullets(lines: Iterable[str]) -> str:
    """A list, an item a line."""
    return "\n".join(f"- {line}" for line in lines)


CommandIds = Mapping[str, int]
"""The ids of commands, by their names as they are typed: ``mastermind play`` has its group's."""

# A command as our sentences write it; one with options is to be read, not to be clicked.
_IN_CODE: Final = re.compile(r"`/([a-z]+(?: [a-z]+)?)`")


def clickable(text: str, ids: CommandIds) -> str:
    """A text in which the commands with known ids can be clicked."""

    def mentioned(found: re.Match[str]) -> str:
        name = found[1]
        return f"</{name}:{ids[name]}>" if name in ids else found[0]

    return _IN_CODE.sub(mentioned, text)


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
