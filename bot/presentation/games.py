"""Lists of games: what is unfinished, what the archive holds."""

from typing import Final

from bot.presentation.language import gettext as _
from bot.presentation.language import medium_date, ngettext
from bot.presentation.markup import heading, small
from bot.services.daily import ArchiveEntry
from bot.services.play import day_of
from bot.services.practice import Unfinished

MOST_LISTED: Final = 10


def games_title() -> str:
    """Above the list of unfinished games."""
    return heading(_("Your unfinished games"))


def no_games() -> str:
    """Instead of an empty list."""
    return _("None. Type `/focdle` for today's puzzle, or `/practice`.")


def more_games(count: int) -> str:
    """Under a list that was cut."""
    line = ngettext("and {count} more", "and {count} more", count)
    return small(line.format(count=count))


def game_line(game: Unfinished) -> str:
    """One unfinished game."""
    name = _("FoCdle practice")
    if game.number is not None:
        name = _("FoCdle #{number}, {day}").format(
            number=game.number, day=medium_date(day_of(game.number))
        )
    turns = ngettext("{turns} guess made", "{turns} guesses made", game.turns)
    details = _("{length} symbols · {turns}").format(
        length=game.length, turns=turns.format(turns=game.turns)
    )
    return f"**{name}**\n{small(details)}"


def archive_choice(entry: ArchiveEntry) -> str:
    """One puzzle in the list that opens while its number is typed; at most 100 characters."""
    states = {
        "solved": _("✅ solved"),
        "lost": _("❌ not solved"),
        "open": _("… under way"),
        "new": _("new"),
    }
    return _("#{number} · {day} · {length} symbols · {state}").format(
        number=entry.puzzle.number,
        day=medium_date(entry.day),
        length=entry.puzzle.length,
        state=states[entry.state],
    )
