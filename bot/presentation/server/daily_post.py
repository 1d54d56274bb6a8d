"""The daily post in words: today's puzzle, yesterday's results, streaks, leaderboards that closed.

Everybody reads it, so it tells counts only.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from bot.model.dailies import Comparison
from bot.presentation.base import counts
from bot.presentation.base.language import N_, long_date, ngettext, number, short_date
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import heading, small
from bot.presentation.base.names import player_name
from bot.presentation.server.weekly_recap import recap_lines
from bot.services.server.daily_posts import DuePost
from bot.services.server.post_content import PostNews, StreakEvent, StreakNews
from bot.services.server.recap import Recap
from bot.services.standings.model import Page, Row
from bot.services.standings.scores import FocdleFigures
from engine import Focdle

_MOST_ON_A_BOARD = 5
# Where more than points is told of the period.
_MOST_WITH_MORE = 3

#: Adds the presser to the finishers' thread, if they finished elsewhere; at most 80 characters.
FINISHERS_BUTTON: Final = N_("Finishers' thread")
#: The name of a date's thread of finishers; at most 100 characters.
THREAD_NAME: Final = N_("Finishers of #{number}")
#: For who asked to be added to the finishers' thread, and will be.
THREAD_SOON: Final = N_("You will be added to the finishers' thread in a moment.")


def headline(due: DuePost) -> str:
    """Which puzzle it is, and whom the post calls."""
    title = heading(_("FoCdle #{number}").format(number=due.puzzle.number))
    details = f"{long_date(due.day)} · {counts.symbols(due.puzzle.length)}"
    return f"{title}\n{small(details)}"


def call(role_id: int) -> str:
    """The mention of a role."""
    return f"<@&{role_id}>"


def sections(due: DuePost, news: PostNews) -> list[str]:
    """What the post tells, part by part."""
    parts = [_yesterday(due, news), _streaks(news.streaks)]
    if news.week is not None:
        parts.append(_closing(_("**Last week**"), news.week, news.recap))
    if news.month is not None:
        parts.append(_closing(_("**Last month**"), news.month))
    return [part for part in parts if part]


def thread_welcome(number: int, days: int) -> str:
    """The first message in a date's thread."""
    return _(
        "Everybody here has finished FoCdle #{number}, so talk freely. Whoever finishes it in this "
        "server is added. The thread closes after {days}; moderators can read it."
    ).format(number=number, days=counts.days(days))


def thread_joined(thread_id: int) -> str:
    """Who asked to be added is in."""
    return _("You are in: {thread}").format(thread=f"<#{thread_id}>")


def _yesterday(due: DuePost, news: PostNews) -> str:
    page = news.yesterday
    if not page.rows:
        return ""
    title = _("**Yesterday, #{number}**").format(number=due.puzzle.number - 1)
    lines = [*map(_result, page.rows), *_more(page.total - len(page.rows))]
    return "\n".join([title, *_compared(news.comparison), *lines])


def _compared(known: Comparison) -> Iterator[str]:
    """How hard it was: par, and the mean of this server."""
    parts = list[str]()
    if known.par is not None:
        parts.append(_("par {par} (the bot's average)").format(par=number(known.par, 1)))
    if known.server is not None and (mean := counts.mean_here(known.server, known.players)):
        parts.append(mean)
    if parts:
        yield small(" · ".join(parts).capitalize())


def _result(row: Row) -> str:
    figures = _figures(row)
    result = counts.guesses(figures.guesses)
    if not figures.solved:
        result = _("not solved, {guesses}").format(guesses=result)
    return _line(row, result)


def _closing(title: str, page: Page, recap: Recap | None = None) -> str:
    """Who had most points in a period, and with a recap what else there is to tell of it."""
    told = [] if recap is None else list(recap_lines(recap))
    if not (page.rows or told) or page.days is None:
        return ""
    first, last = map(short_date, page.days)
    title += f" · {first} – {last}"
    shown = page.rows[: _MOST_WITH_MORE if told else _MOST_ON_A_BOARD]
    lines = [_line(row, _points(_figures(row))) for row in shown]
    return "\n".join([title, *lines, *_more(page.total - len(shown)), *told])


def _points(figures: FocdleFigures) -> str:
    solved = _("{solved} solved").format(solved=figures.solved)
    return f"{counts.points(figures.points)} · {solved}"


def _line(row: Row, result: str) -> str:
    # Not a list of Discord's: those count on by themselves, and ranks are shared.
    return f"{_place(row)} {player_name(row.name, row.player_id)} · {result}"


def _place(row: Row) -> str:
    """A medal, or a rank where there are no points."""
    medals = {1: "🥇", 2: "🥈", 3: "🥉"} if _figures(row).points else dict[int, str]()
    return medals.get(row.rank, f"**{row.rank}**")


def _more(others: int) -> Iterator[str]:
    if others > 0:
        yield small(
            ngettext("and {others} more", "and {others} more", others).format(others=others)
        )


def _streaks(news: StreakNews) -> str:
    lines = [*_grown(news), *_ended(news.ended)]
    return "\n".join([_("**Streaks**"), *lines]) if lines else ""


def _grown(news: StreakNews) -> Iterator[str]:
    for row in news.grown:
        line = _("🔥 {player}: **{days}**")
        yield line.format(player=player_name(row.name, row.player_id), days=counts.days(row.after))
    others = news.grew - len(news.grown)
    if others > 0 and news.grown:
        yield small(
            ngettext("{others} more grew", "{others} more grew", others).format(others=others)
        )
    elif others > 0:
        yield ngettext("🔥 {others} streak grew.", "🔥 {others} streaks grew.", others).format(
            others=others
        )


def _ended(rows: Iterable[StreakEvent]) -> Iterator[str]:
    for row in rows:
        line = _("{player}'s streak ended after {days}. A new one can begin today.")
        yield line.format(player=player_name(row.name, row.player_id), days=counts.days(row.before))


def _figures(row: Row) -> FocdleFigures:
    if not isinstance(row.figures, FocdleFigures):
        raise TypeError("a FoCdle board has FoCdle figures")
    return row.figures


def invitation() -> str:
    """Under the headline, what to do."""
    return _("Find the hidden equation in {guesses}. Only you see your board.").format(
        guesses=counts.guesses(Focdle().max_guesses)
    )
