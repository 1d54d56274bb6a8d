"""The running message of a date, with everybody's results, and what who shares in it is told."""

from typing import Final

from bot.presentation.base import counts
from bot.presentation.base.language import N_, ngettext, number
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import heading, small
from bot.presentation.base.names import player_name
from bot.presentation.base.tiles import row as squares
from bot.services.server.running_content import RunningContent, RunningRow
from bot.services.server.running_entries import RunningPlace

#: Puts the presser's own result into the message.
SHARE_MINE_BUTTON: Final = N_("Share mine")
#: Lets the presser's results go into the channel's message by themselves from now on.
ALWAYS_BUTTON: Final = N_("Always share here")

# Discord may count a square as two of a message's 4,000 characters.
_MOST_CHARACTERS: Final = 3_600
_NAME: Final = 14
"""Columns of a name, so that a row is one line on a phone."""
_MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}
_SHORTEST_STREAK: Final = 2
_GAP: Final = " · "


def title(content: RunningContent) -> str:
    """The puzzle, and how many have shared their results."""
    words = ngettext(
        "FoCdle #{number} · {n} shared", "FoCdle #{number} · {n} shared", content.total
    )
    line = heading(words.format(number=content.puzzle.number, n=number(content.total)))
    if not content.is_closed:
        return line
    over = _("The day is over.")
    if content.par is not None:
        over = _("The day is over. Par {par} (the bot's average)").format(
            par=number(content.par, 1)
        )
    return f"{line}\n{small(over)}"


def rows(content: RunningContent) -> str:
    """A line for each result, the best first; once it has closed with the marks of the best."""
    lines = [_line(row, content.max_guesses) for row in content.rows]
    left = _MOST_CHARACTERS - sum(map(_size, lines))
    shown: list[str] = []
    is_open = content.is_closed
    for line, row in zip(lines, content.rows, strict=True):
        marks = "\n".join(map(squares, row.turns))
        is_open = is_open and _size(marks) <= left
        left -= _size(marks)
        shown.append(f"{line}\n{marks}" if is_open else line)
    if rest := content.total - len(content.rows):
        shown.append(small(_("and {n} more").format(n=number(rest))))
    return "\n".join(shown)


def _line(row: RunningRow, most: int) -> str:
    """A result on one line: counts and marks only, so nothing of it is a spoiler."""
    place = _MEDALS.get(row.rank) if row.is_solved else None
    name = player_name(row.name, row.player_id, _NAME)
    parts = [f"{place or f'**{row.rank}.**'} {name}"]
    parts.append(counts.score(len(row.turns), most, is_solved=row.is_solved, is_hard=row.is_hard))
    if row.hints:
        parts.append(f"💡 {number(row.hints)}")
    if row.streak >= _SHORTEST_STREAK:
        parts.append(f"🔥 {number(row.streak)}")
    return _GAP.join(parts)


def _size(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2 + 1


def told(place: RunningPlace, link: str) -> str:
    """What who has shared is told.

    Args:
        place: where they stand.
        link: where the message is.
    """
    if place.total == 1:
        line = _("You're in, the first on the list!")
    elif place.rank is None:
        line = _("You're in, one of {n}.").format(n=number(place.total))
    else:
        line = _("You're in: **{rank} of {n}** so far.").format(
            rank=counts.ordinal(place.rank), n=number(place.total)
        )
    if place.message_id is None:
        after = _("The list is on its way.")
    else:
        after = _("[See the list]({link})").format(link=link)
    lines = [f"{line} {after}"]
    if place.is_always:
        lines.append(small(_("Your results go there by themselves; `/preferences` ends that.")))
    return "\n".join(lines)


def always(channel_id: int) -> str:
    """What follows from sharing always."""
    done = _("Done. From now on your daily goes into the list of {channel} when you finish it.")
    undo = _("Only dailies you play in this server, and not while you are hidden.")
    end = _("`/preferences` ends it.")
    return f"{done.format(channel=f'<#{channel_id}>')}\n{small(f'{undo} {end}')}"
