"""Leaderboards in words: title, rows, and what players without a row can do to get one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from bot.model.ratings import FEWEST_DUELS, FEWEST_OPPONENTS
from bot.presentation.base import counts
from bot.presentation.base.language import N_, date_range, ngettext, number, say
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import heading, mention, small
from bot.presentation.base.names import player_name
from bot.presentation.duels.rows import missing_for_a_rank
from bot.services.duels.establishing import OF_AGE
from bot.services.standings.keys import Board, BoardGame, Period
from bot.services.standings.model import Absence, Page, Row
from bot.services.standings.scores import (
    FEWEST_MASTERMINDS,
    DuelFigures,
    Figures,
    FocdleFigures,
    MastermindFigures,
    ParFigures,
    StreakFigures,
    fewest_par_puzzles,
)

# A phone has room for a rank, such a name and its marks.
_NAME: Final = 16
# And for so many of the smaller letters below it.
_MOST_LETTERS: Final = 40
_MOST_WITH_A_MEDAL: Final = 3
_GAP: Final = " · "
_TOGETHER: Final = "\u00a0"
_RESTORED: Final = "↺"
_MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}

# What boards rank by, as choices in a list; at most 100 characters each.
GAME_NAMES: Final = {
    BoardGame.FOCDLE: N_("FoCdle points"),
    BoardGame.PAR: N_("FoCdle against par"),
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


@dataclass(frozen=True, slots=True)
class BoardTexts:
    """The texts of a page, top to bottom.

    Attributes:
        title: the game, the period and the scope.
        rows: the rows, the viewer's own if it is on another page, and who is nearly ranked; or why
            there are none.
        own: why the viewer has no row, and what to do; empty if there is nothing to say.
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
        _rows(page, public_for) if page.total or page.waiting else _nobody(page),
        _own(page, public_for),
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


def _rows(page: Page, public_for: int | None) -> str:
    """The rows, two lines each; the viewer's own stands out, and is always there."""
    rows, own = list(page.rows), page.own
    is_elsewhere = own is not None and own not in rows
    lines = [_row(page, row, public_for) for row in rows]
    if own is not None and is_elsewhere:
        lines += ["⋯", _row(page, own, public_for)]
    shown = [*rows, own] if own is not None else rows
    return "\n".join([*lines, *map(small, [*_waiting(page), *_legend(shown)])])


def _row(page: Page, row: Row, public_for: int | None) -> str:
    """A rank and a name; below them how far the row has moved, and the figures in words."""
    is_own = row == page.own
    restored = _RESTORED if _restored(row) else ""
    marks = [restored, _own_mark(public_for) if is_own else ""]
    marks = [mark for mark in marks if mark]
    name = player_name(row.name, row.player_id, _NAME)
    place = _medal(page, row) or f"`{row.rank}`"
    # A phone that breaks the line after all keeps the marks with the name.
    first = " ".join([place, _TOGETHER.join([f"**{name}**" if is_own else name, *marks])])
    figures = list(filter(None, (_movement(page, row), *_figures(row.figures, page.board.period))))
    while len(_GAP.join(figures)) > _MOST_LETTERS:
        figures.pop()
    return f"{first}\n{small(_GAP.join(figures))}"


def _own_mark(public_for: int | None) -> str:
    """What marks the row of who asked: others read it, too, where it is public."""
    return "◂" if public_for is not None else "◂" + _TOGETHER + _("you")


def _movement(page: Page, row: Row) -> str:
    """How many ranks a row is above or below the one that its player had in the period before."""
    if not page.compares:
        return ""
    if row.before is None:
        return _("new")
    by = row.before - row.rank
    if not by:
        return ""
    return f"▲{number(by)}" if by > 0 else f"▼{number(-by)}"


def _medal(page: Page, row: Row) -> str:
    """The medal of a row: for points alone, and where three share it at most."""
    if page.board.game is not BoardGame.FOCDLE or page.number:
        return ""
    shared = sum(other.rank == row.rank for other in page.rows)
    return _MEDALS.get(row.rank, "") if 0 < shared <= _MOST_WITH_A_MEDAL else ""


def _waiting(page: Page) -> list[str]:
    """Who is not ranked yet, and what each of them misses."""
    if not page.waiting:
        return []
    is_of_puzzles = page.board.game is BoardGame.PAR
    missing = counts.puzzles if is_of_puzzles else counts.games
    words = _("{player} needs {missing} more")
    parts = [
        words.format(
            player=player_name(one.name, one.player_id, _NAME), missing=missing(one.missing)
        )
        for one in page.waiting
    ]
    return [_("Not ranked yet: {players}").format(players=_GAP.join(parts))]


def _legend(rows: Sequence[Row]) -> list[str]:
    """What the mark of restored streaks means, if a row has it."""
    words = {
        1: _("{mark} restored"),
        2: _("{mark} since it was restored elsewhere"),
        3: _("{mark} restored, or since it was restored elsewhere"),
    }
    kinds = sum({_restored(row) for row in rows})
    return [words[kinds].format(mark=_RESTORED)] if kinds else []


def _restored(row: Row) -> int:
    return row.figures.restored if isinstance(row.figures, StreakFigures) else 0


def _figures(figures: Figures, period: Period) -> list[str]:
    """What a row is ranked by, the weightiest first, in words."""
    match figures:
        case FocdleFigures():
            points = ngettext("{n} point", "{n} points", figures.points)
            solved = _("{n} solved").format(n=number(figures.solved))
            return [
                points.format(n=number(figures.points)),
                *([] if period is Period.DAY else [solved]),
                counts.guesses(figures.guesses),
            ]
        case ParFigures():
            return [_against_par(figures.mean), counts.puzzles(figures.plays)]
        case StreakFigures():
            best = _("best {n}").format(n=number(figures.best))
            return [counts.days(figures.length), best]
        case MastermindFigures():
            mean = _("{mean} guesses a game").format(mean=number(figures.mean, 2))
            return [mean, counts.games(figures.games)]
        case DuelFigures():
            return [str(figures.rating), counts.rated_duels(figures.games)]


def _against_par(mean: float) -> str:
    if not mean:
        return _("at par")
    words = _("{n} over par") if mean > 0 else _("{n} below par")
    return words.format(n=number(abs(mean), 2))


def _nobody(page: Page) -> str:
    """Instead of rows: what to do to be the first, if it is not too late."""
    board = page.board
    if board.previous:
        return _("Nobody was on this board.")
    if page.absence in (Absence.HIDDEN, Absence.NOT_OPTED_IN):  # playing would not help
        return _("Nobody is on this board yet.")
    words = {
        BoardGame.FOCDLE: _(
            "Nobody is on this board yet. Type `/focdle` and finish the day's puzzle to be the "
            "first."
        ),
        BoardGame.PAR: _(
            "Nobody is on this board yet. Finish {puzzles} of `/focdle`, each on its day, to get "
            "on it."
        ).format(puzzles=counts.puzzles(fewest_par_puzzles(board.period))),
        BoardGame.STREAK: _(
            "Nobody has a streak at the moment. Type `/focdle` and solve the day's puzzle to begin "
            "one."
        ),
        BoardGame.MASTERMIND: _(
            "Nobody is on this board yet. Play {games} of standard `/mastermind play` to get on it."
        ).format(games=counts.games(FEWEST_MASTERMINDS)),
        BoardGame.DUELS: _(
            "Nobody is on this board yet. Play {duels} against {opponents} to get on it: `/duel`."
        ).format(
            duels=counts.rated_duels(FEWEST_DUELS),
            opponents=counts.established_opponents(FEWEST_OPPONENTS),
        ),
    }
    return words[board.game]


def _own(page: Page, public_for: int | None) -> str:
    if page.absence is None or (page.absence is Absence.NOT_PLAYED and not page.total):
        return ""
    if public_for is not None:
        return small(
            _("{player} is not ranked yet. *{button}* says why.").format(
                player=mention(public_for), button=say(PLACE_BUTTON)
            )
        )
    match page.absence:
        case Absence.HIDDEN:
            return _("You chose to be hidden, so you are on no board. `/preferences` changes that.")
        case Absence.NOT_OPTED_IN:
            return _(
                "You are not on this board: it shows only who asked for it. "
                "`/preferences` has the switch."
            )
        case Absence.TOO_FEW:
            return _too_few(page)
        case Absence.NOT_PLAYED:
            return _not_played(page.board)


def _too_few(page: Page) -> str:
    if isinstance(page.own_figures, MastermindFigures):
        return _(
            "You are not on this board yet: it takes {games} at the standard setting, and "
            "you have {own}."
        ).format(games=counts.games(FEWEST_MASTERMINDS), own=page.own_figures.games)
    if isinstance(page.own_figures, ParFigures):
        return _(
            "You are not on this board yet: it takes {puzzles} finished on their date, and "
            "you have {own}."
        ).format(
            puzzles=counts.puzzles(fewest_par_puzzles(page.board.period)),
            own=page.own_figures.plays,
        )
    own = page.own_figures if isinstance(page.own_figures, DuelFigures) else DuelFigures()
    return _(
        "You are not ranked yet: {missing}. An opponent counts after {duels} against "
        "{players}, with a Discord account at least {days} old."
    ).format(
        missing=missing_for_a_rank(own.games, own.opponents, is_sure=not own.unsure),
        duels=counts.rated_duels(FEWEST_DUELS),
        players=counts.players(FEWEST_OPPONENTS),
        days=counts.days(OF_AGE.days),
    )


def _not_played(board: Board) -> str:
    if board.previous:
        return _("You are not on this board: nothing of yours counted for it then.")
    words = {
        BoardGame.FOCDLE: _("You are not on this board yet: type `/focdle` for the day's puzzle."),
        BoardGame.PAR: _(
            "You are not on this board yet: `/focdle` counts for it, as soon as the day's par is "
            "worked out."
        ),
        BoardGame.STREAK: _("You have no streak at the moment: `/focdle` begins one."),
        BoardGame.MASTERMIND: _(
            "You are not on this board yet: `/mastermind play` as it comes counts for it."
        ),
        BoardGame.DUELS: _("You are not on this board yet: rated duels count for it, see `/duel`."),
    }
    return words[board.game]


def _footer(page: Page, *, is_in_server: bool) -> str:
    parts: list[str] = []
    if page.is_worked_out_anew:
        parts.append(_("ratings are being worked out anew: this is the old order"))
    if page.total:
        parts.append(counts.players(page.total))
    if page.pages > 1:
        parts.append(
            _("page {page} of {pages}").format(
                page=number(page.number + 1), pages=number(page.pages)
            )
        )
    if page.board.guild_id is None:
        parts.append(_("only who joined in `/preferences`"))
        if not is_in_server:
            parts.append(_("a server has its own: type this there"))
    return small(_GAP.join(parts)) if parts else ""
