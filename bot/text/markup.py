"""Discord's markup, commands and names in texts, safe for whatever people typed."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import groupby
from typing import Final

from bot.text.language import _

_LONGEST_QUOTE: Final = 40
_HARMLESS_BACKTICK: Final = "ˋ"


def code(text: str, *, longest: int = _LONGEST_QUOTE) -> str:
    """Format text as code, in which no markup works.

    Control and direction characters are removed, white space shrinks, and text beyond `longest` is
    cut.
    """
    words = printable(text).replace("`", _HARMLESS_BACKTICK)
    if len(words) > longest:
        words = words[: longest - 1] + "…"
    return f"`{words}`" if words else "` `"


def printable(text: str) -> str:
    """Remove control and direction characters and needless space."""
    line = "".join(c for c in " ".join(text.split()) if c.isprintable())
    return " ".join(line.split())


def is_forgotten(player_id: int) -> bool:
    """Return true for a stand-in: an id below 0, where Discord has none."""
    return player_id < 0


def mention(user_id: int) -> str:
    """Mention a user, pinging only if the message allows it; call a stand-in “deleted player”."""
    if is_forgotten(user_id):
        return _("deleted player")
    return f"<@{user_id}>"


def post_url(guild_id: int | None, channel_id: int | None, message_id: int | None) -> str:
    """The address of a message in a server."""
    return f"https://discord.com/channels/{guild_id}/{channel_id}/{message_id}"


def relative_time(instant: datetime) -> str:
    """Format an instant by its distance from now, which each reader's client updates."""
    return f"<t:{int(instant.timestamp())}:R>"


def exact_time(instant: datetime) -> str:
    """Format an instant in each reader's own zone and language."""
    return f"<t:{int(instant.timestamp())}:f>"


def small(text: str) -> str:
    return f"-# {text}"


def heading(text: str) -> str:
    return f"### {text}"


def bullets(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


CommandIds = Mapping[str, int]
"""Ids of slash commands by their names; ``mastermind play`` has its group's id."""

# A command in our sentences; one with options is not clickable.
_IN_CODE: Final = re.compile(r"`/([a-z]+(?: [a-z]+)?)`")


def clickable(text: str, ids: CommandIds) -> str:
    """Make commands in a text, written as in `/play`, clickable if their ids are known."""

    def mentioned(found: re.Match[str]) -> str:
        name = found[1]
        return f"</{name}:{ids[name]}>" if name in ids else found[0]

    return _IN_CODE.sub(mentioned, text)


LONGEST: Final = 20
"""The most columns of a name on a line of its own; wide letters take two."""

# Discord's markup: emphasis, quotes, mentions, links.
_MARKUP: Final = frozenset("\\*_~|`<>[]()@:#")
# These join letters and emojis, so they may stay; other controls can reverse our lines.
_JOINERS: Final = "\u200c\u200d"
_BLANKS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0" + _JOINERS)
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
_MARKS: Final = frozenset({"Mn", "Me", "Mc"})
# More marks are piled up only to spill over other lines.
_MOST_MARKS: Final = 3
_ISOLATED: Final = "\u2068{}\u2069"


def player_name(name: str, player_id: int, columns: int = LONGEST) -> str:
    """Format a player's name inside a line.

    Names are isolated, so that right-to-left ones do not reverse the line. A player whose name has
    no visible character is mentioned instead.
    """
    shown = clip(visible(name), columns)
    if not shown:
        return mention(player_id)
    return _ISOLATED.format("".join(f"\\{c}" if c in _MARKUP else c for c in shown))


def visible(name: str) -> str:
    """Keep the visible part of a name, on one line; it may be empty.

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
    """Cut a text that is too wide between visible letters, with an ellipsis.

    >>> clip("Ann", 3), clip("Anna", 3)
    ('Ann', 'An…')
    """
    found = list(letters(text))
    if sum(map(_columns, found)) <= columns:
        return text
    kept, used = "", 1  # for the ellipsis
    for letter in found:
        used += _columns(letter)
        if used > columns:
            break
        kept += letter
    return f"{kept.rstrip()}…"


def letters(text: str) -> Iterator[str]:
    """Split a text into visible letters: marks, joined emojis and flags stay together."""
    letter = ""
    for c in text:
        if letter and not _belongs(c, letter):
            yield letter
            letter = ""
        letter += c
    if letter:
        yield letter


def _belongs(c: str, letter: str) -> bool:
    if unicodedata.category(c) in _MARKS or c in _JOINERS or letter[-1] == "\u200d":
        return True
    is_tone = "\U0001f3fb" <= c <= "\U0001f3ff"
    return is_tone or (_is_flag_half(c) and len(letter) == 1 and _is_flag_half(letter))


def _is_flag_half(c: str) -> bool:
    return "\U0001f1e6" <= c <= "\U0001f1ff"


def _columns(letter: str) -> int:
    is_wide = unicodedata.east_asian_width(letter[0]) in "WF" or _is_flag_half(letter[0])
    return 2 if is_wide or "\ufe0f" in letter else 1
