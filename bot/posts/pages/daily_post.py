"""The daily post in words: today's puzzle, yesterday's best, streaks, leaderboards that closed.

Everybody reads it, so it tells counts and colours only.
"""

from collections.abc import Iterator
from typing import Final

from bot.focdle.pages.board import LEGEND
from bot.leaderboards.game.scores import FocdleFigures
from bot.leaderboards.model.page import Page, Row
from bot.posts.game.daily_posts import DuePost
from bot.posts.game.post_content import PostNews, StreakNews
from bot.posts.game.recap import Recap
from bot.posts.pages.running import best
from bot.posts.pages.weekly_recap import recap_lines
from bot.text import counts
from bot.text.language import N_, long_date, ngettext, number, say, short_date
from bot.text.language import gettext as _
from bot.text.markup import code, heading, small
from bot.text.names import player_name
from bot.text.tiles import Palette, Tiles, samples
from bot.text.tiles import row as squares
from engine import Focdle, Game, Marks, replay

_MOST_ON_A_BOARD: Final = 3
_NAME: Final = 14
"""Columns of a name, so that three streaks are two lines on a phone."""
_EXAMPLE: Final = ("25+4*12=73", ("13+12-8=17", "72+31%6=73", "25+4*12=73"))
"""An equation that nobody has to find, and how it is found."""

#: Adds the presser to the finishers' thread, if they finished elsewhere; at most 80 characters.
FINISHERS_BUTTON: Final = N_("Finishers' thread")
#: The name of a date's thread of finishers; at most 100 characters.
THREAD_NAME: Final = N_("Finishers of #{number}")
#: For who asked to be added to the finishers' thread, and will be.
THREAD_SOON: Final = N_("You will be added to the finishers' thread in a moment.")


def headline(due: DuePost) -> str:
    """Which puzzle it is."""
    title = heading(_("FoCdle #{number}").format(number=due.puzzle.number))
    details = f"{long_date(due.day)} · {counts.symbols(due.puzzle.length)}"
    return f"{title}\n{small(details)}"


def call(role_id: int) -> str:
    """The mention of a role."""
    return f"<@&{role_id}>"


def example() -> Game[Marks]:
    """A game to look at, before anybody here has played."""
    secret, guesses = _EXAMPLE
    return replay(Focdle(len(secret)), secret, guesses)


def example_spoken() -> str:
    """The example for who cannot see it."""
    return _("An example: {guesses}").format(guesses=", ".join(_EXAMPLE[1]))


def idea(tiles: Tiles | None) -> str:
    """What it is about, for who has never seen it."""
    about = _("Find the hidden equation in {guesses}, one puzzle a day for all.").format(
        guesses=counts.guesses(Focdle().max_guesses)
    )
    return "\n".join((about, small(say(LEGEND, **samples(tiles))), _("For example:")))


def rows(news: PostNews, *, is_first: bool, tiles: Tiles | None = None) -> str:
    """The board of who was best in colours, or an example, where there may be no picture.

    Args:
        news: what the post tells.
        is_first: whether it is an example.
        tiles: the emojis to draw with; squares without them.
    """
    if is_first:
        return "\n".join(
            f"{squares(turn.feedback)} {code(turn.guess)}"
            if tiles is None
            else tiles.row(turn.guess, turn.feedback, Palette.STANDARD)
            for turn in example().turns
        )
    return "\n".join(map(squares, news.best[0].turns)) if news.best else ""


def yesterday(news: PostNews, *, drawn: bool = False) -> str:
    """Who was best, unless a picture says it; empty if nobody played."""
    if not news.yesterday.rows:
        return ""
    if drawn:
        return _("**Yesterday's best**")
    return "{}\n{}".format(_("**Yesterday**"), best(news.best) or _("Nobody found it."))


def sections(news: PostNews) -> list[str]:
    """What else the post tells, part by part."""
    is_recapped = news.recap is not None and news.recap.streak is not None
    parts = [] if is_recapped else [_streaks(news.streaks)]
    if news.week is not None:
        parts.append(_closing(_("**Last week**"), news.week, news.recap))
    if news.month is not None:
        parts.append(_closing(_("**Last month**"), news.month))
    return [part for part in parts if part]


def thread_welcome(number: int, days: int) -> str:
    """The first message in a date's thread."""
    return _(
        "Everybody here has finished FoCdle #{number}: talk freely. The thread closes after "
        "{days}; moderators can read it."
    ).format(number=number, days=counts.days(days))


def thread_joined(thread_id: int) -> str:
    """Who asked to be added is in."""
    return _("You are in: {thread}").format(thread=f"<#{thread_id}>")


def _closing(title: str, page: Page, recap: Recap | None = None) -> str:
    """Who had most points in a period, and with a recap what else there is to tell of it."""
    told = [] if recap is None else list(recap_lines(recap))
    if not (page.rows or told) or page.days is None:
        return ""
    first, last = map(short_date, page.days)
    title += f" · {first} – {last}"
    shown = page.rows[:_MOST_ON_A_BOARD]
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
    """Whose streaks grew, the longest first."""
    named = [
        f"{player_name(row.name, row.player_id, _NAME)} **{number(row.after)}**"
        for row in news.grown
    ]
    if not named:
        return ""
    more = news.grew - len(named)
    others = [f"+{number(more)}"] if more > 0 else []
    return _("🔥 Streaks: {players}").format(players=" · ".join([*named, *others]))


def _figures(row: Row) -> FocdleFigures:
    if not isinstance(row.figures, FocdleFigures):
        raise TypeError("a FoCdle board has FoCdle figures")
    return row.figures
