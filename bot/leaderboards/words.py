"""Leaderboards and ratings in words."""

from dataclasses import dataclass
from typing import Final

from bot.feature import Topic
from bot.leaderboards.boards import (
    FEWEST_MASTERMINDS,
    BoardGame,
    DuelFigures,
    Figures,
    FocdleFigures,
    MastermindFigures,
    Period,
    StreakFigures,
)
from bot.leaderboards.game import Absence, LeaderboardPage, Row
from bot.moderation.model import TAKEN_OFF
from bot.ratings.model import FEWEST_DATES, FEWEST_OPPONENTS
from bot.text import counts
from bot.text.language import N_, _, date_range, month_and_year, number, say
from bot.text.markup import bullets, heading, player_name, small


def _help(*_look: object) -> list[str]:
    """Write what each leaderboard counts and who is on it, in blocks."""
    games = (
        _("**FoCdle**: puzzles solved on their day. In one guess: 6 points; in six: 1."),
        _("**Streaks**: ranked by days without hints, then by length."),
        _("**Mastermind**: fewest guesses on average, after {games}. Playing more helps.").format(
            games=counts.of_games(FEWEST_MASTERMINDS)
        ),
        _("**Duels**: by rating."),
    )
    people = (
        _("Boards rank everybody who uses me in the server."),
        _("Races and practice are just for fun."),
        _("**Champion**: a role for last week's or last month's winner."),
        _("Press *Hide me* in `/preferences` to be left out. You lose nothing."),
    )
    return [bullets(games), bullets(people)]


def earning_a_rank() -> str:
    return _("Rated duels on {dates} against {opponents} earn a rank.").format(
        dates=counts.of_days(FEWEST_DATES), opponents=counts.of_players(FEWEST_OPPONENTS)
    )


#: What to do in another channel, where the member may not write.
SHOW_IN: Final = N_("To show it, type `/leaderboard` in {place}.")
HELP_TOPIC: Final = Topic("standings", N_("Leaderboards"), _help)


# A phone has room for a rank, a name of this length and marks.
_NAME: Final = 16
# And in the line below for as many smaller letters.
_MOST_LETTERS: Final = 36
_MOST_WITH_A_MEDAL: Final = 3
GAP: Final = " · "
"""What stands between two figures in a line."""
_TOGETHER: Final = "\u00a0"
_MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}


def board_rows(page: LeaderboardPage, public_for: int | None) -> str:
    """Write a page's rows, two lines each; the viewer's is highlighted.

    If that is on another page, it comes after the others. Below are players who need more games,
    or what it takes to have a rank.
    `public_for` is None for a page that only the viewer reads.
    """
    rows, own = list(page.rows), page.own
    is_elsewhere = own is not None and own not in rows
    shown = [*rows, own] if own is not None and is_elsewhere else rows
    lines: list[str] = []
    for row in shown:
        lines += ["⋯"] if row not in rows else []
        lines.append(_row(page, row, public_for))
    unranked = [] if all(row.rank for row in shown) else [earning_a_rank()]
    return "\n".join([*lines, *map(small, [*_waiting(page), *unranked])])


def _row(page: LeaderboardPage, row: Row, public_for: int | None) -> str:
    """Write a line with rank and name, above a line with the figures in words.

    Signs beside the name tell the viewer, and ranks gained or lost.
    """
    is_own = row == page.own
    marks: list[str] = []
    if is_own:  # without "you" where others read the page
        marks.append("◂" if public_for is not None else "◂" + _TOGETHER + _("you"))
    if by := _gained(page, row):
        words = _("up {n}") if by > 0 else _("down {n}")
        marks.append("·" + _TOGETHER + words.format(n=number(abs(by))))
    name = player_name(row.name, row.player_id, _NAME)
    place = _medal(page, row) or f"`{row.rank or '–'}`"
    # If a phone breaks the line, the marks stay with the name.
    first = " ".join([place, _TOGETHER.join([f"**{name}**" if is_own else name, *marks])])
    figures = list(_figures(row.figures, page.board.period))
    while len(GAP.join(figures)) > _MOST_LETTERS:
        figures.pop()
    return f"{first}\n{small(GAP.join(figures))}"


def _gained(page: LeaderboardPage, row: Row) -> int:
    """Count the ranks gained since the period before, or lost; 0 if either rank is unknown."""
    return row.before - row.rank if page.compares and row.rank and row.before else 0


def _medal(page: LeaderboardPage, row: Row) -> str:
    """Choose the medal of a row with FoCdle points on the first page; empty if it gets none.

    A rank gets its medal if at most three rows share it.
    """
    figures = row.figures
    if not isinstance(figures, FocdleFigures) or not figures.points or page.number:
        return ""
    shared = sum(other.rank == row.rank for other in page.rows)
    return _MEDALS.get(row.rank, "") if 0 < shared <= _MOST_WITH_A_MEDAL else ""


def _waiting(page: LeaderboardPage) -> list[str]:
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


def _figures(figures: Figures, period: Period) -> list[str]:
    """Write the figures of a row, the most important first."""
    match figures:
        case FocdleFigures():
            solved = counts.solved(figures.solved)
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
            return [number(figures.hundredths / 100, 2), mean, counts.games(figures.games)]
        case DuelFigures():
            return [str(figures.rating), counts.rated_duels(figures.games)]


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
        title: the game and the period.
        rows: the rows, the viewer's row from another page, and players who need more games; or a
            note that there are none.
        own: why the viewer has no row, and what to do; empty on a public page, and where
            `own_absence` has nothing to say.
        footer: the numbers of players and pages.
    """

    title: str
    rows: str
    own: str
    footer: str


def board_texts(page: LeaderboardPage, *, public_for: int | None = None) -> BoardTexts:
    """Write the texts of a page; `public_for` is as for `board_rows`."""
    return BoardTexts(
        _title(page),
        board_rows(page, public_for) if page.total or page.waiting else _nobody(page),
        own_absence(page) if public_for is None else "",
        _footer(page),
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


def _title(page: LeaderboardPage) -> str:
    board = page.board
    name = say(GAME_NAMES[board.game])
    if board.game is not BoardGame.STREAK:
        period = period_name(board.period, previous=board.previous)
        if board.month is not None:
            period = month_and_year(board.month)
        name = _("{game} · {period}").format(game=name, period=period)
    dates = "" if page.days is None else small(date_range(*page.days))
    return "\n".join(filter(None, (heading(name), dates)))


def _nobody(page: LeaderboardPage) -> str:
    """Write what stands in place of rows: if playing would help, how to be the first."""
    board = page.board
    if board.is_over:
        return _("Nobody played then.")
    if page.absence in (Absence.HIDDEN, Absence.TAKEN_OFF):
        # Playing would not help.
        return _("Nobody yet.")
    words = {
        BoardGame.FOCDLE: _("Nobody yet. Be the first: `/focdle`."),
        BoardGame.STREAK: _("No streaks yet. Start one: `/focdle`."),
        BoardGame.MASTERMIND: _(
            "Nobody yet. For a place, play {games} of `/mastermind play`."
        ).format(games=counts.games(FEWEST_MASTERMINDS)),
        BoardGame.DUELS: _("Nobody yet. For a place, play a rated duel: `/duel`."),
    }
    return words[board.game]


def own_absence(page: LeaderboardPage) -> str:
    """Write why the viewer has no row, and what to do.

    Empty if there is a row, or if the board is empty and the viewer has not played.
    """
    board = page.board
    if page.absence is None or (page.absence is Absence.NOT_PLAYED and not page.total):
        return ""
    match page.absence:
        case Absence.HIDDEN:
            text = _("You're hidden. You can change that in `/preferences`.")
        case Absence.TAKEN_OFF:
            text = say(TAKEN_OFF)
        case Absence.TOO_FEW if isinstance(page.own_figures, MastermindFigures):
            text = _("You need {games}, but have {own}.").format(
                games=counts.games(FEWEST_MASTERMINDS), own=page.own_figures.games
            )
        case _ if board.is_over:
            text = _("You weren't on this board.")
        case _:
            words = {
                BoardGame.FOCDLE: _("You're not listed yet: try `/focdle`."),
                BoardGame.STREAK: _("You have no streak yet: try `/focdle`."),
                BoardGame.MASTERMIND: _("You're not listed yet: try `/mastermind play`."),
                BoardGame.DUELS: _("You're not listed yet: try a rated `/duel`."),
            }
            text = words[board.game]
    return text


def _footer(page: LeaderboardPage) -> str:
    parts: list[str] = []
    if page.total:
        parts.append(counts.players(page.total))
    if page.pages > 1:
        parts.append(
            _("page {page} of {pages}").format(
                page=number(page.number + 1), pages=number(page.pages)
            )
        )
    if any(_gained(page, row) for row in (*page.rows, page.own) if row is not None):
        compared = {
            Period.DAY: _("compared with yesterday"),
            Period.WEEK: _("compared with last week"),
            Period.MONTH: _("compared with last month"),
        }
        parts.append(compared[page.board.period])
    return small(GAP.join(parts)) if parts else ""


def servers(*, are_any: bool) -> str:
    """Write above links to the servers whose boards a player can see."""
    if not are_any:
        return _("Leaderboards belong to servers, and we share no server yet.")
    return _("Only servers have leaderboards. Open a server, and type `/leaderboard` there.")
