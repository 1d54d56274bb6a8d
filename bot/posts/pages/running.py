"""Today's card, with everybody's results, and what who shares there is told."""

from collections.abc import Sequence
from typing import Final

from bot.posts.game.running_content import RunningContent, RunningRow
from bot.posts.game.running_entries import RunningPlace
from bot.text import counts
from bot.text.language import N_, number, say
from bot.text.language import gettext as _
from bot.text.markup import heading, small
from bot.text.names import player_name

#: Lets the presser's results go onto the card by themselves from now on.
ALWAYS_BUTTON: Final = N_("Always share here")
#: On a card whose day is over, where nobody has solved the puzzle.
_NOBODY: Final = N_("Nobody solved it.")

_NAME: Final = 14
"""Columns of a name, so that a row is one line on a phone."""
_MOST_NAMED: Final = 3
_GAP: Final = " · "


def title(content: RunningContent) -> str:
    """The puzzle, and who was best once its date has ended."""
    puzzle = content.puzzle
    line = heading(_("FoCdle #{number}").format(number=puzzle.number))
    lines = [line, small(counts.symbols(puzzle.length))]
    if content.is_closed:
        lines.append(best(content.rows) or say(_NOBODY))
    return "\n".join(lines)


def best(rows: Sequence[RunningRow]) -> str:
    """Who was best, and how; empty if nobody has solved it.

    Args:
        rows: ranked results.
    """
    first = [row for row in rows if row.is_best]
    if not first:
        return ""
    named = [player_name(row.name, row.player_id, _NAME) for row in first[:_MOST_NAMED]]
    if more := len(first) - len(named):
        named.append(f"+{number(more)}")
    return f"🏆 **{_GAP.join(named)}** · {_score(first[0])}"


def rows(content: RunningContent) -> str:
    """A line for each result, the best first: where there may be no picture."""
    return "\n".join(map(_line, content.rows))


def rest(content: RunningContent) -> str:
    """How many more there are than are shown; empty for none."""
    more = content.total - len(content.rows)
    return small(f"+{number(more)}") if more > 0 else ""


def _line(row: RunningRow) -> str:
    """A result on one line: counts only, so nothing of it is a spoiler."""
    return f"{player_name(row.name, row.player_id, _NAME)} · {_score(row)}"


def _score(row: RunningRow) -> str:
    made = len(row.turns)
    score = counts.score(made, row.max_guesses, is_solved=row.is_solved, is_hard=row.is_hard)
    return f"{score} 💡 {number(row.hints)}" if row.hints else score


def told(place: RunningPlace, link: str) -> str:
    """What who has shared is told.

    Args:
        place: where they stand.
        link: where the card is.
    """
    if place.message_id is None:
        card = _("Today's card is on its way.")
    else:
        card = _("You're on [today's card]({link}).").format(link=link)
    if place.total == 1 or place.rank is None:
        return card
    rank = _("**{rank} of {n}** so far.").format(
        rank=counts.ordinal(place.rank), n=number(place.total)
    )
    return f"{card} {rank}"


def always(channel_id: int) -> str:
    """What follows from sharing always."""
    done = _(
        "Done. Your dailies in this server go onto the card in {channel} by themselves. "
        "`/preferences` ends that."
    )
    return done.format(channel=f"<#{channel_id}>")
