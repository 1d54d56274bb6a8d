"""Leaderboards and ratings in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.leaderboards.game import OF_AGE, Absence, Page, Row
from bot.leaderboards.scores import (
    FEWEST_MASTERMINDS,
    BoardGame,
    DuelFigures,
    Figures,
    FocdleFigures,
    MastermindFigures,
    Period,
    StreakFigures,
)
from bot.moderation.model import TAKEN_OFF
from bot.ratings.model import (
    DEVIATIONS,
    FEWEST_DATES,
    FEWEST_DUELS,
    FEWEST_OPPONENTS,
    MOST_DEVIATION,
    USUALLY_SURE_AFTER,
    Outlook,
    Rating,
)
from bot.text import counts
from bot.text.language import N_, date_range, month_and_year, ngettext, number, say
from bot.text.language import gettext as _
from bot.text.markup import bullets, heading, mention, player_name, small


def standings_help() -> list[str]:
    """Write what each leaderboard counts and who is on it, in blocks."""
    games = (
        _("**FoCdle**: points of puzzles solved on their day; then more solved, fewer hints."),
        _("**Streaks**: days in a row, by those without hints."),
        _("**Mastermind**: your average in ranked games, after {games}.").format(
            games=counts.games(FEWEST_MASTERMINDS)
        ),
        _(
            "**Duels**: by rating. You appear after duels with two members, and get a rank when "
            "your rating is sure."
        ),
    )
    people = (
        _("A server's boards: members who use me there."),
        _("Boards everywhere: only who joined in `/preferences`."),
        _("**Champion**: a role for last week's or month's first."),
        _("*Hide me* in `/preferences` takes you off all; you lose nothing."),
    )
    return [bullets(games), bullets(people)]


#: Opens how sure one's own rating is, below one's statistics.
DETAILS_BUTTON: Final = N_("Details")
#: Above what a place on the board of duels takes.
_ALL_OF_THIS: Final = N_("**A rank among duels** takes all of these:")

_DONE: Final = "✅"
_TO_DO: Final = "▫️"


def spread(rating: Rating) -> str:
    """Write a rating with its margin of error."""
    return _("{rating} ± {spread}").format(
        rating=rating.points, spread=round(DEVIATIONS * rating.sigma)
    )


def rank_rules() -> str:
    return "\n".join((say(_ALL_OF_THIS), bullets(_conditions()), _counting()))


def place_among_duels(outlook: Outlook, *, is_detailed: bool = False) -> str:
    """Write the conditions for a rank among duels, and how far one player has met each.

    A player without a rank also reads what to do next.

    Args:
        is_detailed: whether the rating's margin of error is told.
    """
    rating = outlook.rating
    states = (
        (rating.is_sure, _so_sure(rating, is_detailed=is_detailed)),
        (rating.dates >= FEWEST_DATES, _so_many(rating.dates, FEWEST_DATES)),
        (rating.opponents >= FEWEST_OPPONENTS, _so_many(rating.opponents, FEWEST_OPPONENTS)),
    )
    lines = [
        f"{_DONE if is_done else _TO_DO} {condition}: **{state}**"
        for condition, (is_done, state) in zip(_conditions(), states, strict=True)
    ]
    if rating.is_new:
        lines += [_next_step(outlook), small(_counting())]
    return "\n".join((say(_ALL_OF_THIS), *lines))


def _conditions() -> tuple[str, str, str]:
    # `FEWEST_DUELS` is not told: no rating is sure after so few.
    duels = counts.rated_duels(USUALLY_SURE_AFTER)
    return (
        _("about {duels}, until a rating is sure").format(duels=duels),
        _("rated duels on {days}, in UTC").format(days=counts.days(FEWEST_DATES)),
        counts.established_opponents(FEWEST_OPPONENTS),
    )


def _so_sure(rating: Rating, *, is_detailed: bool) -> str:
    """Write how many rated duels the player has had, and whether the rating is sure.

    `is_detailed` adds the margin of error. Otherwise an unsure rating is called so only after
    `USUALLY_SURE_AFTER` duels.
    """
    words = _("you have {n}")
    if is_detailed:
        words = _("you have {n}; ± {spread} now, sure at ± {most}")
    elif rating.games >= USUALLY_SURE_AFTER and not rating.is_sure:
        words = _("you have {n}, not sure yet")
    return words.format(
        n=number(rating.games),
        spread=round(DEVIATIONS * rating.sigma),
        most=round(DEVIATIONS * MOST_DEVIATION),
    )


def _so_many(there: int, needed: int) -> str:
    if there < needed:
        return _("you have {n}").format(n=number(there))
    return _("you have them")


def _counting() -> str:
    return _(
        "An opponent counts after {duels} against {players}, with an account {days} old. "
        "{enough} who all play each other get ranks together."
    ).format(
        duels=counts.rated_duels(FEWEST_DUELS),
        players=counts.players(FEWEST_OPPONENTS),
        days=counts.days(OF_AGE.days),
        enough=counts.players(FEWEST_OPPONENTS + 1),
    )


def _next_step(outlook: Outlook) -> str:
    """Write what a player without a rank does next, and which recent opponents count for a rank."""
    rating = outlook.rating
    if rating.opponents < FEWEST_OPPONENTS:
        step = _("**Next**: a rated duel with somebody you have not played yet.")
        if len(outlook.met) >= FEWEST_OPPONENTS:
            step = _("**Next**: those you have met need to play others, too.")
    elif rating.dates < FEWEST_DATES:
        missing = counts.days(FEWEST_DATES - rating.dates)
        step = _("**Next**: a rated duel on {days} more.").format(days=missing)
    else:
        step = _("**Next**: a few rated duels more, best with somebody else.")
    lines = [step]
    groups = ((True, _("Counts already: {players}")), (False, _("Does not count yet: {players}")))
    for is_counting, words in groups:
        players = [mention(one) for one, counted in outlook.met.items() if counted is is_counting]
        if players:
            lines.append(small(words.format(players=", ".join(players))))
    return "\n".join(lines)


# A phone has room for a rank, a name of this length and marks.
_NAME: Final = 16
# And in the line below for as many smaller letters.
_MOST_LETTERS: Final = 36
_MOST_WITH_A_MEDAL: Final = 3
GAP: Final = " · "
"""What stands between two figures in a line."""
_TOGETHER: Final = "\u00a0"
_RESTORED: Final = "↺"
_NO_RANK: Final = "▫️"
#: Above those who are on the board of duels and have no rank yet.
_PROVISIONAL: Final = N_("**Not ranked yet**")
_MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}


def board_rows(page: Page, public_for: int | None) -> str:
    """Write a page's rows, two lines each; the viewer's is highlighted.

    If that is on another page, it comes after the others. Below are players who need more games.
    `public_for` is None for a page that only the viewer reads.
    """
    rows, own = list(page.rows), page.own
    is_elsewhere = own is not None and own not in rows
    shown = [*rows, own] if own is not None and is_elsewhere else rows
    lines: list[str] = []
    is_below = False
    for row in shown:
        lines += ["⋯"] if row not in rows else []
        if not row.rank and not is_below:
            lines.append(say(_PROVISIONAL))
            is_below = True
        lines.append(_row(page, row, public_for))
    return "\n".join([*lines, *map(small, [*_waiting(page), *_legend(shown)])])


def _row(page: Page, row: Row, public_for: int | None) -> str:
    """Write a line with rank and name, above a line with the figures in words.

    Signs beside the name tell a restored streak, the viewer, and ranks gained or lost.
    """
    is_own = row == page.own
    marks: list[str] = []
    if _restored(row):
        marks.append(_RESTORED)
    if is_own:  # without "you" where others read the page
        marks.append("◂" if public_for is not None else "◂" + _TOGETHER + _("you"))
    if page.compares and row.rank and row.before is not None and row.rank != row.before:
        by = row.before - row.rank
        marks.append(f"▲{number(by)}" if by > 0 else f"▼{number(-by)}")
    name = player_name(row.name, row.player_id, _NAME)
    place = _medal(page, row) or (f"`{row.rank}`" if row.rank else _NO_RANK)
    # If a phone breaks the line, the marks stay with the name.
    first = " ".join([place, _TOGETHER.join([f"**{name}**" if is_own else name, *marks])])
    figures = list(_figures(row.figures, page.board.period))
    while len(GAP.join(figures)) > _MOST_LETTERS:
        figures.pop()
    return f"{first}\n{small(GAP.join(figures))}"


def _medal(page: Page, row: Row) -> str:
    """Choose the medal of a row with FoCdle points on the first page; empty if it gets none.

    A rank gets its medal if at most three rows share it.
    """
    figures = row.figures
    if not isinstance(figures, FocdleFigures) or not figures.points or page.number:
        return ""
    shared = sum(other.rank == row.rank for other in page.rows)
    return _MEDALS.get(row.rank, "") if 0 < shared <= _MOST_WITH_A_MEDAL else ""


def _waiting(page: Page) -> list[str]:
    if not page.waiting:
        return []
    words = _("{player} needs {missing} more")
    parts = [
        words.format(
            player=player_name(one.name, one.player_id, _NAME), missing=counts.games(one.missing)
        )
        for one in page.waiting
    ]
    return [_("Not ranked yet: {players}").format(players=GAP.join(parts))]


def _legend(rows: Sequence[Row]) -> list[str]:
    """Explain the mark of restored streaks, if one of these rows has it."""
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
    """Write the figures of a row, the most important first."""
    match figures:
        case FocdleFigures():
            solved = _("{n} solved").format(n=number(figures.solved))
            return [
                counts.points(figures.points),
                *([] if period is Period.DAY else [solved]),
                counts.guesses(figures.guesses),
            ]
        case StreakFigures():
            best = _("best {n}").format(n=number(figures.best))
            alone = counts.without_hints(figures.length - figures.assisted)
            return [counts.days(figures.length), *([alone] if figures.assisted else []), best]
        case MastermindFigures():
            mean = _("{mean} guesses a game").format(mean=number(figures.mean, 1))
            return [mean, counts.games(figures.games)]
        case DuelFigures(is_provisional=True):
            return [str(figures.floor), _lacks(figures)]
        case DuelFigures():
            return [str(figures.rating), counts.rated_duels(figures.games)]


def _lacks(figures: DuelFigures) -> str:
    """Write what a provisional player does next for a rank."""
    dates, opponents = FEWEST_DATES - figures.dates, FEWEST_OPPONENTS - figures.opponents
    if dates > 0:
        return ngettext("duel {n} more day", "duel {n} more days", dates).format(n=dates)
    if opponents > 0:
        return ngettext("duel {n} more member", "duel {n} more members", opponents).format(
            n=opponents
        )
    return _("duel some more")


# Games of leaderboards, as choices in a list; at most 100 characters each.
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


@dataclass(frozen=True, slots=True)
class BoardTexts:
    """The texts of a page, top to bottom.

    Attributes:
        title: the game, the period and the scope.
        rows: the rows, the viewer's row from another page, and players who need more games; or a
            note that there are none.
        own: why the viewer has no row, and what to do; empty on a public page, and where
            `own_absence` has nothing to say.
        footer: the numbers of players and pages, and whom a global leaderboard shows.
    """

    title: str
    rows: str
    own: str
    footer: str


def board_texts(page: Page, *, public_for: int | None = None, is_in_server: bool) -> BoardTexts:
    """Write the texts of a page.

    Args:
        public_for: the player who asked for a public page; None for a private page.
        is_in_server: whether the page is shown in a server with leaderboards of its own.
    """
    return BoardTexts(
        _title(page),
        board_rows(page, public_for) if page.total or page.waiting else _nobody(page),
        own_absence(page) if public_for is None else "",
        _footer(page, is_in_server=is_in_server),
    )


def period_name(period: Period, *, previous: bool) -> str:
    """Name a period, as a choice in a list."""
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
    """Name a scope, as a choice in a list and on the button that changes to it."""
    return _("Everywhere") if is_global else _("This server")


def _title(page: Page) -> str:
    board, is_global = page.board, page.board.guild_id is None
    scope = scope_name(is_global=is_global)
    if board.game is BoardGame.STREAK:
        return f"{heading(say(GAME_NAMES[board.game]))}\n{small(scope)}"
    period = period_name(board.period, previous=board.previous)
    if board.month is not None:
        period = month_and_year(board.month)
    name = _("{game} · {period}").format(game=say(GAME_NAMES[board.game]), period=period)
    if page.days is not None:
        words = _("{scope} · {dates} in UTC") if is_global else _("{scope} · {dates}")
        scope = words.format(scope=scope, dates=date_range(*page.days))
    return f"{heading(name)}\n{small(scope)}"


def _nobody(page: Page) -> str:
    """Write what stands in place of rows: if playing would help, how to be the first."""
    board = page.board
    if board.is_over:
        return _("Nobody then.")
    if page.absence in (Absence.HIDDEN, Absence.NOT_OPTED_IN, Absence.TAKEN_OFF):
        # Playing would not help.
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
    """Write why the viewer has no row, and what to do.

    Empty if there is a row, or if the board is empty and the viewer has not played.
    """
    board = page.board
    if page.absence is None or (page.absence is Absence.NOT_PLAYED and not page.total):
        return ""
    match page.absence:
        case Absence.HIDDEN:
            text = _("You are hidden. `/preferences` shows you again.")
        case Absence.NOT_OPTED_IN:
            text = _("You are not here yet. Join in `/preferences`.")
        case Absence.TAKEN_OFF:
            text = say(TAKEN_OFF)
        case Absence.TOO_FEW if isinstance(page.own_figures, MastermindFigures):
            text = _("You are in after {games}; you have {own}.").format(
                games=counts.games(FEWEST_MASTERMINDS), own=page.own_figures.games
            )
        case Absence.TOO_FEW | Absence.NOT_PLAYED if board.is_over:
            text = _("You were not on it then.")
        case Absence.TOO_FEW:
            text = _(
                "You are here after rated duels with two different members. One that is over "
                "before the loser's third guess does not count."
            )
        case Absence.NOT_PLAYED:
            words = {
                BoardGame.FOCDLE: _("You are not here yet: `/focdle`."),
                BoardGame.STREAK: _("You have no streak: `/focdle` begins one."),
                BoardGame.MASTERMIND: _("You are not here yet: `/mastermind play`."),
                BoardGame.DUELS: _("You are not here yet: `/duel`."),
            }
            text = words[board.game]
    return text


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
        if page.absence is not Absence.NOT_OPTED_IN:  # `own_absence` says so already
            parts.append(_("only who joined in `/preferences`"))
        if not is_in_server:
            parts.append(_("a server has its own: type this there"))
    return small(GAP.join(parts)) if parts else ""
