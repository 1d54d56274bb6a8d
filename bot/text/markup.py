"""Discord's markup, safe whatever people typed."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from bot.stand_ins import is_forgotten
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
