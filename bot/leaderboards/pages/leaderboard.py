"""Leaderboards in words: title, rows, and what players without a row can do to get one."""

from dataclasses import dataclass
from datetime import date
from typing import Final

from bot.leaderboards.game.scores import FEWEST_MASTERMINDS, MastermindFigures
from bot.leaderboards.model.keys import Board, BoardGame, Period
from bot.leaderboards.model.page import Absence, Page
from bot.leaderboards.pages.rows import GAP, board_rows
from bot.text import counts
from bot.text.language import N_, date_range, number, say
from bot.text.language import gettext as _
from bot.text.markup import heading, small

# What boards rank by, as choices in a list; at most 100 characters each.
GAME_NAMES: Final = {
    BoardGame.FOCDLE: N_("FoCdle points"),
    BoardGame.STREAK: N_("Streaks"),
    BoardGame.MASTERMIND: N_("Mastermind"),
    BoardGame.DUELS: N_("Duels"),
}

#: Turns a board to the page before.
HIGHER_BUTTON: Final = N_("◀ Higher")
#: Turns a board to the page after.
LOWER_BUTTON: Final = N_("Lower ▶")
#: Opens the page of a board that the presser's own row is on.
PLACE_BUTTON: Final = N_("My place")
#: Explains what counts for a board.
RULES_BUTTON: Final = N_("What counts")
#: To who was not on the board of a period that is over.
_NOT_THEN: Final = N_("You were not on it then.")


@dataclass(frozen=True, slots=True)
class BoardTexts:
    """The texts of a page, top to bottom.

    Attributes:
        title: the game, the period and the scope.
        rows: the rows, the viewer's own if it is on another page, and who is nearly ranked; or why
            there are none.
        own: why the viewer has no row, and what to do; empty if there is nothing to say, and where
            everybody reads it.
        footer: how many players and pages there are.
    """

    title: str
    rows: str
    own: str
    footer: str


def board_texts(page: Page, *, public_for: int | None = None, is_in_server: bool) -> BoardTexts:
    """A page in words.

    Args:
        page: the page.
        public_for: who asked for it, where everybody reads it; None where only the viewer does.
        is_in_server: whether it is shown in a server with boards of its own.
    """
    return BoardTexts(
        _title(page),
        board_rows(page, public_for) if page.total or page.waiting else _nobody(page),
        own_absence(page) if public_for is None else "",
        _footer(page, is_in_server=is_in_server),
    )


def period_name(period: Period, *, previous: bool) -> str:
    """A period, as a choice in a list."""
    names = {
        (Period.DAY, False): _("Today"),
        (Period.DAY, True): _("Yesterday"),
        (Period.WEEK, False): _("This week"),
        (Period.WEEK, True): _("Last week"),
        (Period.MONTH, False): _("This month"),
        (Period.MONTH, True): _("Last month"),
        (Period.ALL, False): _("All time"),
    }
    return names[period, previous]


def scope_name(*, is_global: bool) -> str:
    """A scope, as a choice in a list and on the button that changes to it."""
    return _("Everywhere") if is_global else _("This server")


def _title(page: Page) -> str:
    board = page.board
    scope = scope_name(is_global=board.guild_id is None)
    if board.game is BoardGame.STREAK:
        return f"{heading(say(GAME_NAMES[board.game]))}\n{small(scope)}"
    period = period_name(board.period, previous=board.previous)
    name = _("{game} · {period}").format(game=say(GAME_NAMES[board.game]), period=period)
    return f"{heading(name)}\n{small(_dates(scope, page.days, is_global=board.guild_id is None))}"


def _dates(scope: str, days: tuple[date, date] | None, *, is_global: bool) -> str:
    if days is None:
        return scope
    words = _("{scope} · {dates} in UTC") if is_global else _("{scope} · {dates}")
    return words.format(scope=scope, dates=date_range(*days))


def _nobody(page: Page) -> str:
    """Instead of rows: what to do to be the first, if it is not too late."""
    board = page.board
    if board.previous:
        return _("Nobody then.")
    if page.absence in (Absence.HIDDEN, Absence.NOT_OPTED_IN):  # playing would not help
        return _("Nobody yet.")
    words = {
        BoardGame.FOCDLE: _("Nobody yet. `/focdle`, and be the first."),
        BoardGame.STREAK: _("No streaks yet. `/focdle` begins one."),
        BoardGame.MASTERMIND: _("Nobody yet. It takes {games} of `/mastermind play`.").format(
            games=counts.games(FEWEST_MASTERMINDS)
        ),
        BoardGame.DUELS: _("Nobody yet. It takes rated duels with two different members: `/duel`."),
    }
    return words[board.game]


def own_absence(page: Page) -> str:
    """Why the viewer has no row, and what to do; empty if there is nothing to say."""
    if page.absence is None or (page.absence is Absence.NOT_PLAYED and not page.total):
        return ""
    match page.absence:
        case Absence.HIDDEN:
            return _("You are hidden. `/preferences` shows you again.")
        case Absence.NOT_OPTED_IN:
            return _("You are not here yet. Join in `/preferences`.")
        case Absence.TOO_FEW:
            return _too_few(page)
        case Absence.NOT_PLAYED:
            return _not_played(page.board)


def _too_few(page: Page) -> str:
    if isinstance(page.own_figures, MastermindFigures):
        return _("You are in after {games}; you have {own}.").format(
            games=counts.games(FEWEST_MASTERMINDS), own=page.own_figures.games
        )
    if page.board.previous:
        return say(_NOT_THEN)
    return _(
        "You are here after rated duels with two different members. One that is over before the "
        "loser's third guess does not count."
    )


def _not_played(board: Board) -> str:
    if board.previous:
        return say(_NOT_THEN)
    words = {
        BoardGame.FOCDLE: _("You are not here yet: `/focdle`."),
        BoardGame.STREAK: _("You have no streak: `/focdle` begins one."),
        BoardGame.MASTERMIND: _("You are not here yet: `/mastermind play`."),
        BoardGame.DUELS: _("You are not here yet: `/duel`."),
    }
    return words[board.game]


def _footer(page: Page, *, is_in_server: bool) -> str:
    parts: list[str] = []
    if page.total:
        parts.append(counts.players(page.total))
    if page.pages > 1:
        parts.append(
            _("page {page} of {pages}").format(
                page=number(page.number + 1), pages=number(page.pages)
            )
        )
    if page.board.guild_id is None:
        if page.absence is not Absence.NOT_OPTED_IN:  # who is told that already
            parts.append(_("only who joined in `/preferences`"))
        if not is_in_server:
            parts.append(_("a server has its own: type this there"))
    return small(GAP.join(parts)) if parts else ""
