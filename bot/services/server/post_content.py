"""The news of a daily post: yesterday's finishers, streaks, and the leaderboards that closed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from bot.model.dailies import Comparison, number_of
from bot.model.streaks import ENDED, UNASSISTED, StreakEvent
from bot.services.base.places import fair_since
from bot.services.server.daily_posts import DuePost
from bot.services.server.post_planning import read_choice
from bot.services.server.recap import Recap, recap_of
from bot.services.standings.calendars import Calendars
from bot.services.standings.keys import Board, BoardGame, Period, days_of, start_of_period
from bot.services.standings.model import Page
from bot.services.standings.query import NOBODY, Leaderboards
from bot.services.standings.update import streak_figures
from bot.storage.coach import analyses, pars
from bot.storage.database import Database, Transaction
from bot.storage.focdle import restorations, streak_news, streaks

MILESTONES: Final = frozenset(
    {7, 14, 21, 30, 50, 75, *range(100, 3000, 50), 365, 2 * 365, 3 * 365, 5 * 365}
)
"""Milestones: the lengths of streaks that a post names when it cannot name all."""

_FEW: Final = 3
_MOST_GROWN: Final = 5
_MOST_ENDED: Final = 3
# Whose streak was shorter would rather not read of it.
_SHORTEST_ENDED: Final = 5


@dataclass(frozen=True, slots=True)
class StreakNews:
    """What yesterday did to the streaks of a server's members.

    Attributes:
        grew: how many grew.
        grown: those of them that are told: all where there are few, else milestones.
        ended: long ones that ended, the longest first.
    """

    grew: int = 0
    grown: tuple[StreakEvent, ...] = ()
    ended: tuple[StreakEvent, ...] = ()


NOTHING_KNOWN: Final = Comparison(None, None)


@dataclass(frozen=True, slots=True)
class PostNews:
    """What a post tells.

    Attributes:
        yesterday: the board of the date before.
        streaks: what became of streaks on it.
        week: last week's board, in the first post of a week; None otherwise.
        month: last month's, in the first post of a month.
        recap: what else is to be told of last week, where its board is and the server wants it;
            None where too few have played, too.
        comparison: how hard yesterday's puzzle was: its par, and the mean of all whom the
            board of that date shows, if there is more than one.
    """

    yesterday: Page
    streaks: StreakNews
    week: Page | None = None
    month: Page | None = None
    comparison: Comparison = NOTHING_KNOWN
    recap: Recap | None = None

    @property
    def names(self) -> list[dict[int, str]]:
        """Who is named in each of its parts, and how."""
        boards = [page.rows for page in (self.yesterday, self.week, self.month) if page is not None]
        parts = [*boards, (*self.streaks.grown, *self.streaks.ended)]
        named = [{row.player_id: row.name for row in rows} for rows in parts]
        return named if self.recap is None else [*named, *self.recap.names]


class Newsroom:
    """Gathers what posts tell."""

    def __init__(self, database: Database, boards: Leaderboards) -> None:
        self._database = database
        self._boards = boards

    async def gather(self, due: DuePost) -> PostNews:
        """What the post of a date tells in its server."""
        async with self._database.reading() as tx:
            day, guild_id = due.day - timedelta(days=1), due.guild_id
            news_of_streaks = await _streak_news(tx, guild_id, day)
            comparison = await _comparison(tx, guild_id, day)
        week, month = (is_first_post(period, due) for period in (Period.WEEK, Period.MONTH))
        return PostNews(
            await self._board(due, Period.DAY),
            news_of_streaks,
            await self._board(due, Period.WEEK) if week else None,
            await self._board(due, Period.MONTH) if month else None,
            comparison,
            await self._recap(due) if week else None,
        )

    async def _recap(self, due: DuePost) -> Recap | None:
        """What there is to tell of last week beside its board, if the server wants it."""
        async with self._database.reading() as tx:
            last_week = days_of(Period.WEEK, due.day, previous=True)
            if last_week is None or not (await read_choice(tx, due.guild_id)).weekly_recap:
                return None
            return await recap_of(tx, due.guild_id, last_week[0])

    async def _board(self, due: DuePost, period: Period) -> Page:
        board = Board.of(BoardGame.FOCDLE, period, previous=True, guild_id=due.guild_id)
        return await self._boards.page(board, NOBODY)


async def _streak_news(tx: Transaction, guild_id: int, day: date) -> StreakNews:
    """What a date did to the streaks of a server's members."""
    grew = await streak_news.count(tx, guild_id, day, UNASSISTED)
    told = MILESTONES if grew > _FEW else None
    grown = await streak_news.grown(tx, guild_id, day, UNASSISTED, lengths=told, most=_MOST_GROWN)
    ended = await streak_news.ended(
        tx, guild_id, day, ENDED, shortest=_SHORTEST_ENDED, most=_MOST_ENDED
    )
    grown = await _as_counted_there(tx, guild_id, day, grown)
    ended = await _as_counted_there(tx, guild_id, day, ended)
    return StreakNews(
        grew,
        tuple(e for e in grown if e.after > 1 and (told is None or e.after in told)),
        tuple(e for e in ended if e.before >= _SHORTEST_ENDED),
    )


async def _as_counted_there(
    tx: Transaction, guild_id: int, day: date, events: Sequence[StreakEvent]
) -> list[StreakEvent]:
    """What a date did to streaks, with the lengths on the server's own leaderboard.

    Where another server has restored a streak, it is shorter here.
    """
    ids = [event.player_id for event in events]
    restored = await restorations.servers_of(tx, ids, since=await fair_since(tx))
    counted = list(events)
    for i, event in enumerate(events):
        if by := restored.get(event.player_id):
            changes = await streaks.get_changes(tx, event.player_id)
            steps = [(c.day, c.reason) for c in changes if c.day <= day]
            before, after = (streak_figures(guild_id, s, by).length for s in (steps[:-1], steps))
            counted[i] = replace(event, before=before, after=after)
    return counted


async def _comparison(tx: Transaction, guild_id: int, day: date) -> Comparison:
    """How hard the puzzle of a date was."""
    calendars = await Calendars.read(tx, [guild_id])
    number, length = number_of(day), calendars.length_on(guild_id, day)
    deadline = calendars.deadline(guild_id, day)
    field = await analyses.field_of_members(tx, guild_id, number, length, deadline)
    par = await pars.get(tx, number, length)
    return Comparison(par, field.guesses if field.players > 1 else None, field.players)


def is_first_post(period: Period, due: DuePost) -> bool:
    """Whether a post is its server's first in a week or month.

    That is the first day of it, unless the server wants no post on that day.
    """
    begins = start_of_period(period, due.day) or date.min
    return due.day == begins if due.last_day is None else due.last_day < begins
