"""The news of a daily post: yesterday's best, streaks, and the leaderboards that closed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from bot.dailies import PuzzleName, number_of
from bot.db.database import Database, Transaction
from bot.leaderboards.game.calendars import Calendars
from bot.leaderboards.game.query import NOBODY, Leaderboards
from bot.leaderboards.game.scores import FocdleFigures
from bot.leaderboards.game.update import streak_figures
from bot.leaderboards.model.keys import Board, BoardGame, Period, days_of, start_of_period
from bot.leaderboards.model.page import Page
from bot.people.game.places import fair_since
from bot.posts.game.daily_posts import DuePost
from bot.posts.game.post_planning import read_choice
from bot.posts.game.recap import Recap, recap_of
from bot.posts.game.running_content import RunningRow, rows_of
from bot.posts.store import running
from bot.streaks.model.streaks import GROWN, StreakEvent
from bot.streaks.store import restorations, streak_news, streaks

_MOST_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class StreakNews:
    """What yesterday did to the streaks of a server's members.

    Attributes:
        grew: how many grew.
        grown: the longest of them.
    """

    grew: int = 0
    grown: tuple[StreakEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class PostNews:
    """What a post tells.

    Attributes:
        yesterday: the leaderboard of the date before.
        best: whose results lead it, with their marks: some of those who share the first rank.
        streaks: what became of streaks on it.
        week: last week's board, in the first post of a week; None otherwise.
        month: last month's, in the first post of a month.
        recap: what else is to be told of last week, where its board is and the server wants it;
            None where too few have played, too.
    """

    yesterday: Page
    best: tuple[RunningRow, ...]
    streaks: StreakNews
    week: Page | None = None
    month: Page | None = None
    recap: Recap | None = None

    @property
    def names(self) -> list[dict[int, str]]:
        """Who is named in each of its parts, and how."""
        boards = [page.rows for page in (self.week, self.month) if page is not None]
        parts = [self.best, *boards, self.streaks.grown]
        named = [{row.player_id: row.name for row in rows} for rows in parts]
        return named if self.recap is None else [*named, *self.recap.names]


class Newsroom:
    """Gathers what posts tell."""

    def __init__(self, database: Database, boards: Leaderboards) -> None:
        self._database = database
        self._boards = boards

    async def gather(self, due: DuePost) -> PostNews:
        """What the post of a date tells in its server."""
        day, guild_id = due.day - timedelta(days=1), due.guild_id
        yesterday = await self._board(due, Period.DAY)
        async with self._database.reading() as tx:
            news_of_streaks = await _streak_news(tx, guild_id, day)
            best = await _best(tx, guild_id, day, yesterday)
        week, month = (is_first_post(period, due) for period in (Period.WEEK, Period.MONTH))
        return PostNews(
            yesterday,
            best,
            news_of_streaks,
            await self._board(due, Period.WEEK) if week else None,
            await self._board(due, Period.MONTH) if month else None,
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


async def _best(
    tx: Transaction, guild_id: int, day: date, yesterday: Page
) -> tuple[RunningRow, ...]:
    """Some of those who lead the leaderboard of a date, with their marks."""
    leaders = [
        row.player_id
        for row in yesterday.rows
        if row.rank == 1 and isinstance(row.figures, FocdleFigures) and row.figures.solved
    ]
    calendars = await Calendars.read(tx, [guild_id])
    name = PuzzleName(number_of(day), calendars.length_on(guild_id, day))
    results = await running.results_of(tx, leaders[:_MOST_NAMED], name)
    return await rows_of(tx, guild_id, name, [(1, row) for row in results if row.solved])


async def _streak_news(tx: Transaction, guild_id: int, day: date) -> StreakNews:
    """What a date did to the streaks of a server's members."""
    grew = await streak_news.count(tx, guild_id, day, GROWN)
    grown = await streak_news.grown(tx, guild_id, day, GROWN, most=_MOST_NAMED)
    grown = await _as_counted_there(tx, guild_id, day, grown)
    return StreakNews(grew, tuple(event for event in grown if event.after > 1))


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


def is_first_post(period: Period, due: DuePost) -> bool:
    """Whether a post is its server's first in a week or month.

    That is the first day of it, unless the server wants no post on that day.
    """
    begins = start_of_period(period, due.day) or date.min
    return due.day == begins if due.last_day is None else due.last_day < begins
