"""The content of daily posts, and the recaps of weeks and months."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Final

from bot.clock import Clock, PuzzleName, day_of, ended_everywhere_at, first_running, number_of
from bot.db.database import Database, Transaction
from bot.focdle import store as focdle_store
from bot.focdle.model import level_of
from bot.leaderboards import store as leaderboards_store
from bot.leaderboards.boards import (
    Board,
    BoardGame,
    Figures,
    FocdleFigures,
    Period,
    StreakFigures,
    days_of,
    figures_of,
    months_before,
    slot_of,
)
from bot.leaderboards.game import (
    NOBODY,
    Calendars,
    LeaderboardPage,
    Leaderboards,
    Row,
)
from bot.people import store as people_store
from bot.posts import store
from bot.posts.cards import CardRow, rows_of
from bot.posts.game import DuePost
from bot.posts.plans import read_choice
from bot.posts.store import DuelResultRow
from bot.streaks import store as streaks_store
from bot.streaks.model import SOLVES, StreakEvent
from engine.levels import Level

# The recap of a server's week or month. It tells only good news, by the rules of the server's
# leaderboards: losers are not named, and hidden players do not appear.

FEWEST_PLAYERS: Final = 3
"""The fewest players in a week or month for it to have a recap."""

_WON: Final = (BoardGame.MASTERMIND, BoardGame.DUELS)
_PLAYED: Final = (BoardGame.FOCDLE, *_WON)
_MOST_NAMED: Final = 2
_SHORTEST_STREAK: Final = 3
_WEEK: Final = timedelta(days=7)
# No zone is further from UTC.
_MARGIN: Final = timedelta(days=1)
_DRAW: Final = "both_solved"
# Stored endings of duels in which both played to the end: no others have a margin.
_FOUND: Final = ("solved", _DRAW)


@dataclass(frozen=True, slots=True)
class Best:
    """The players who share the best result in a game.

    Attributes:
        rows: two of them at most.
        total: the number of all of them.
    """

    game: BoardGame
    rows: tuple[Row, ...]
    total: int


@dataclass(frozen=True, slots=True)
class CloseDuel:
    """The closest duel of a week.

    Attributes:
        names: the players' names in the server, by id, in the order in which they moved.
        apart: the difference of their numbers of guesses.
        guesses: the larger number of guesses.
        is_draw: whether both found the number, in equally many guesses.
    """

    names: dict[int, str]
    apart: int
    guesses: int
    is_draw: bool


@dataclass(frozen=True, slots=True)
class HardPuzzle:
    """The hardest of a week's dailies that any member has finished on its date.

    Attributes:
        finished: the number of members who finished it on its date.
        solved: the number of those who solved it.
    """

    number: int
    finished: int
    solved: int


@dataclass(frozen=True, slots=True)
class Recap:
    """A server's week or month. A field is None if there is nothing to tell.

    Attributes:
        winners: who is first in each game but FoCdle, whose leaderboard the post itself shows.
        improved: the players who gained most points over the month before, with their gain.
    """

    winners: tuple[Best, ...] = ()
    duel: CloseDuel | None = None
    streak: Best | None = None
    puzzle: HardPuzzle | None = None
    improved: Best | None = None

    @property
    def names(self) -> list[dict[int, str]]:
        """Names of the players whom the recap names, by id, in several mappings."""
        bests = [*self.winners, self.streak, self.improved]
        parts = [{row.player_id: row.name for row in best.rows} for best in bests if best]
        if self.duel is not None:
            parts.append(self.duel.names)
        return parts


def recap_of(tx: Transaction, guild_id: int, monday: date, running: int) -> Recap | None:
    """Read the recap of the week that begins on a Monday; None if too few have played in it.

    Its hardest daily has a number below `running`: the dates of other dailies have not ended
    everywhere.
    """
    slots = [slot_of(game, Period.WEEK, monday) for game in _PLAYED]
    if store.count_players(tx, guild_id, slots) < FEWEST_PLAYERS:
        return None
    week = _RecapReader(tx, guild_id, monday)
    last = min(number_of(monday) + _WEEK.days, running) - 1
    winners = [week.best(game, Period.WEEK) for game in _WON]
    return Recap(
        tuple(best for best in winners if best is not None),
        week.closest_duel(),
        week.longest_streak(),
        week.hardest_puzzle(last),
    )


def month_recap_of(tx: Transaction, guild_id: int, first: date) -> Recap | None:
    """Read the recap of the month that begins on a date; None if too few have played in it."""
    slots = [slot_of(game, Period.MONTH, first) for game in _PLAYED]
    if store.count_players(tx, guild_id, slots) < FEWEST_PLAYERS:
        return None
    month = _RecapReader(tx, guild_id, first)
    return Recap(streak=month.longest_streak(), improved=month.most_improved())


class _RecapReader:
    def __init__(self, tx: Transaction, guild_id: int, first: date) -> None:
        self._tx = tx
        self._guild_id = guild_id
        self._first = first
        self._calendars = Calendars.read(tx, [guild_id])

    def best(self, game: BoardGame, period: Period) -> Best | None:
        slot = slot_of(game, period, self._first)
        first = leaderboards_store.leaders(self._tx, self._guild_id, slot)
        return self._shared(
            game, {player: figures_of(slot, text) for player, text in first.items()}
        )

    def _shared(self, game: BoardGame, first: Mapping[int, Figures]) -> Best | None:
        """Name the players who share the best result; None if there are none."""
        named = sorted(first)[:_MOST_NAMED]
        names = self._names(named)
        rows = [Row(1, player, names.get(player, ""), first[player]) for player in named]
        return Best(game, tuple(rows), len(first)) if first else None

    def most_improved(self) -> Best | None:
        """Find who gained most FoCdle points over the month before; None if nobody gained any.

        They have played in both months.
        """
        before = months_before(self._first, 1)
        now, then = (
            self._points(slot_of(BoardGame.FOCDLE, Period.MONTH, month))
            for month in (self._first, before)
        )
        gains = {player: points - then[player] for player, points in now.items() if player in then}
        most = max(gains.values(), default=0)
        gained = FocdleFigures(points=most)
        first = {player: gained for player, gain in gains.items() if gain == most > 0}
        return self._shared(BoardGame.FOCDLE, first)

    def _points(self, slot: str) -> dict[int, int]:
        tx, guild_id = self._tx, self._guild_id
        total = leaderboards_store.count(tx, guild_id, slot)
        rows = leaderboards_store.ranked(tx, guild_id, slot, offset=0, limit=total)
        return {row.player_id: FocdleFigures.decode(row.figures).points for row in rows}

    def longest_streak(self) -> Best | None:
        """Find who leads the leaderboard of streaks; None if their streak is too short to tell."""
        best = self.best(BoardGame.STREAK, Period.ALL)
        if best is None:
            return None
        figures = best.rows[0].figures
        is_long = isinstance(figures, StreakFigures) and figures.length >= _SHORTEST_STREAK
        return best if is_long else None

    def closest_duel(self) -> CloseDuel | None:
        """Find the closest duel of the week between two shown players; None if there is none."""
        begin = datetime.combine(self._first, time(), UTC)
        found = store.duels_between(
            self._tx, self._guild_id, begin - _MARGIN, begin + _WEEK + _MARGIN, _FOUND
        )
        for row in sorted(found, key=_closeness):
            day = self._calendars.date_of(self._guild_id, row.finished_at)
            if not self._first <= day < self._first + _WEEK:
                continue
            players = (row.first_id, row.second_id)
            names = self._names(players)
            return CloseDuel(
                {player_id: names.get(player_id, "") for player_id in players},
                abs(row.first_guesses - row.second_guesses),
                max(row.first_guesses, row.second_guesses),
                row.ending == _DRAW,
            )
        return None

    def hardest_puzzle(self, last: int) -> HardPuzzle | None:
        """Find the hardest daily up to number `last` that a member finished on date; else None."""
        tx, guild_id, first = self._tx, self._guild_id, number_of(self._first)
        slot = slot_of(BoardGame.FOCDLE, Period.WEEK, self._first)
        known = [
            (-row.difficulty, row.number, row)
            for row in store.puzzles_between(tx, first, last)
            if row.difficulty is not None
            and row.length == self._calendars.length_on(guild_id, day_of(row.number))
        ]
        for *_, row in sorted(known, key=lambda one: one[:2]):
            day = day_of(row.number)
            deadline = self._calendars.deadline(guild_id, day)
            finished, solved = store.count_finishers(tx, guild_id, slot, row.id, deadline)
            if finished:
                return HardPuzzle(row.number, finished, solved)
        return None

    def _names(self, player_ids: Iterable[int]) -> dict[int, str]:
        found = people_store.names_in(self._tx, self._guild_id, set(player_ids))
        return {player_id: row.name for player_id, row in found.items()}


def _closeness(row: DuelResultRow) -> tuple[int, bool, int, int]:
    """Build a sort key, least for the closest duel; of equally close ones, a draw comes first."""
    first, second = row.first_guesses, row.second_guesses
    return (abs(first - second), row.ending != _DRAW, -max(first, second), -row.id)


_MOST_NAMED_IN_POST: Final = 3


@dataclass(frozen=True, slots=True)
class StreakNews:
    """How many members' streaks grew yesterday (`grew`), and some of the longest (`grown`)."""

    grew: int = 0
    grown: tuple[StreakEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class PostNews:
    """A post's news.

    Attributes:
        best: results that share yesterday's best rank, a page of the leaderboard at most.
        level: how hard yesterday's puzzle was; None until its date has ended everywhere, or if the
            bot does not know.
        week: last week's leaderboard, in the first post of a week; else None.
        month: last month's leaderboard, in the first post of a month; else None.
        recap: last week's recap, beside `week`, if the server wants it and enough have played.
        month_recap: last month's recap, beside `month`, on the same conditions.
    """

    yesterday: LeaderboardPage
    best: tuple[CardRow, ...]
    level: Level | None
    streaks: StreakNews
    week: LeaderboardPage | None = None
    month: LeaderboardPage | None = None
    recap: Recap | None = None
    month_recap: Recap | None = None

    @property
    def names(self) -> list[dict[int, str]]:
        """Names of the players whom the post names, by id, in several mappings."""
        boards = [page.rows for page in (self.week, self.month) if page is not None]
        parts = [self.best, *boards, self.streaks.grown]
        named = [{row.player_id: row.name for row in rows} for rows in parts]
        recaps = [recap for recap in (self.recap, self.month_recap) if recap is not None]
        return [*named, *(names for recap in recaps for names in recap.names)]


class NewsReader:
    def __init__(self, database: Database, clock: Clock, boards: Leaderboards) -> None:
        self._database = database
        self._clock = clock
        self._boards = boards

    async def gather(self, due: DuePost) -> PostNews:
        day, guild_id = due.day - timedelta(days=1), due.guild_id
        yesterday = await self._board(due, Period.DAY)

        def body(tx: Transaction) -> tuple[tuple[CardRow, ...], Level | None, StreakNews]:
            calendars = Calendars.read(tx, [guild_id])
            name = PuzzleName(number_of(day), calendars.length_on(guild_id, day))
            level = None
            if self._clock.now() >= ended_everywhere_at(name):
                found = focdle_store.difficulties(tx, [name.number], name.length)
                level = level_of(name.length, found.get(name.number))
            return _best(tx, guild_id, name, yesterday), level, _streak_news(tx, guild_id, day)

        best, level, news_of_streaks = await self._database.read(body)
        week_recap_of = partial(recap_of, running=first_running(self._clock.now()))
        week, month = (is_first_post(period, due) for period in (Period.WEEK, Period.MONTH))
        return PostNews(
            yesterday,
            best,
            level,
            news_of_streaks,
            await self._board(due, Period.WEEK) if week else None,
            await self._board(due, Period.MONTH) if month else None,
            await self._recap(due, Period.WEEK, week_recap_of) if week else None,
            await self._recap(due, Period.MONTH, month_recap_of) if month else None,
        )

    async def _recap(
        self,
        due: DuePost,
        period: Period,
        read: Callable[[Transaction, int, date], Recap | None],
    ) -> Recap | None:
        """Read last week's or month's recap by `read`; None if the server wants or has none."""

        def body(tx: Transaction) -> Recap | None:
            last = days_of(period, due.day, previous=True)
            if last is None or not read_choice(tx, due.guild_id).weekly_recap:
                return None
            return read(tx, due.guild_id, last[0])

        return await self._database.read(body)

    async def _board(self, due: DuePost, period: Period) -> LeaderboardPage:
        board = Board.of(BoardGame.FOCDLE, period, previous=True, guild_id=due.guild_id)
        return await self._boards.page(board, NOBODY)


def _best(
    tx: Transaction, guild_id: int, name: PuzzleName, yesterday: LeaderboardPage
) -> tuple[CardRow, ...]:
    """Read the solved results that share the best rank in `yesterday`, with their marks."""
    leaders = [
        row.player_id
        for row in yesterday.rows
        if row.rank == 1 and isinstance(row.figures, FocdleFigures) and row.figures.solved
    ]
    results = store.results_of(tx, leaders, name)
    return rows_of(tx, guild_id, name, [(1, row) for row in results if row.solved])


def _streak_news(tx: Transaction, guild_id: int, day: date) -> StreakNews:
    grew = streaks_store.count(tx, guild_id, day, SOLVES)
    grown = streaks_store.grown(tx, guild_id, day, SOLVES, most=_MOST_NAMED_IN_POST)
    return StreakNews(grew, tuple(grown))


def is_first_post(period: Period, due: DuePost) -> bool:
    """Return true if a post is its server's first in a week or month.

    That is the post of the period's first day, or a later one if that day has none. The very first
    post that a server gets counts only on the first day itself.
    """
    days = days_of(period, due.day)
    begins = days[0] if days else date.min
    return due.day == begins if due.last_day is None else due.last_day < begins
