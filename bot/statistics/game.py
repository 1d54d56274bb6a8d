"""Use cases of a player's statistics and year."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import islice
from typing import Final

from bot.clock import Clock, date_in, day_of, number_of, start_of
from bot.db.database import Database, Transaction
from bot.duels.game import rating_of
from bot.duels.model import PLAYED
from bot.duels.position import STRENGTHS
from bot.effects import DateEffect
from bot.features import TALLIES
from bot.focdle import streak_keeping
from bot.games.model import STANDARD_MASTERMIND, points_for
from bot.leaderboards import results
from bot.leaderboards.game import shared_dailies
from bot.leaderboards.results import DailyCountRow, DailyResultRow
from bot.mastermind import store as mastermind_store
from bot.mastermind.game import setting_records
from bot.people import store as people_store
from bot.people.game import find_place
from bot.ratings import store as ratings_store
from bot.ratings.model import HeadToHead
from bot.refused import StatsHiddenError, StatsOfStrangerError
from bot.statistics import store
from bot.statistics.model import (
    CalendarDay,
    FocdleRecord,
    Opponent,
    Stats,
    StreakRecord,
    YearReview,
)
from engine import Focdle

CALENDAR_WEEKS: Final = 26
MOST_TOLD: Final = 2
"""How many changes of a streak are told at most."""
MOST_GUESSES: Final = Focdle().max_guesses


class Statistics:
    """Use cases of a player's statistics; each is one transaction."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def of(
        self,
        player_id: int,
        *,
        viewer_id: int,
        guild_id: int | None = None,
        are_together: bool = False,
    ) -> Stats:
        """Read a player's statistics, and bring the streak up to date.

        Other players may look only if they share a server with the player, and if the player is
        not hidden.

        Args:
            guild_id: the server in which the viewer asks; None where the bot is not a member.
            are_together: whether Discord says that the player is a member of that server.
        """

        def read(tx: Transaction) -> Stats:
            if viewer_id != player_id:
                # Strangers do not even learn whether the player hides.
                if not are_together and not people_store.share_server(tx, viewer_id, player_id):
                    raise StatsOfStrangerError(player_id=player_id)
                if people_store.is_hidden(tx, player_id):
                    raise StatsHiddenError(player_id=player_id)
            return self._read(tx, player_id, viewer_id, guild_id)

        return await self._database.read(read)

    def _read(self, tx: Transaction, player_id: int, viewer_id: int, guild_id: int | None) -> Stats:
        now, is_own = self._clock.now(), viewer_id == player_id
        place = find_place(tx, player_id=viewer_id, guild_id=guild_id, now=now)
        today = date_in(place.zone, now)
        monday = today - timedelta(days=today.weekday())
        since = monday - timedelta(weeks=CALENDAR_WEEKS - 1)
        settings = setting_records(mastermind_store.results(tx, player_id))
        ways = results.count_dailies(tx, player_id)
        alone = [way for way in ways if way.on_date and not way.hints]
        rating = rating_of(tx, player_id)
        duels = results.count_duels(tx, player_id, PLAYED)
        between = None if is_own else ratings_store.record(tx, viewer_id, player_id, PLAYED)
        return Stats(
            player_id=player_id,
            name=name_of(tx, player_id, guild_id),
            is_hidden=people_store.is_hidden(tx, player_id),
            focdle=_record([way for way in alone if not way.hard]),
            hard=_record([way for way in alone if way.hard]),
            assisted=_record([way for way in ways if way.on_date and way.hints]),
            archive=_record([way for way in ways if not way.on_date]),
            points=sum(_points(way) * way.plays for way in ways if way.on_date),
            streak=_streak(tx, player_id, now),
            rating=rating,
            rating_history=tuple(ratings_store.history(tx, player_id)),
            duels=duels.get(None, HeadToHead(0, 0, 0)),
            mastermind=tuple(sorted(settings, key=lambda one: one.rules != STANDARD_MASTERMIND)),
            calendar=calendar_of(results.dailies(tx, player_id, since=number_of(since))),
            calendar_days=(since, today),
            bot_duels=tuple((one, duels[one]) for one in STRENGTHS if one in duels),
            viewers_duels=between,
            viewers_dailies=None if is_own else shared_dailies(tx, viewer_id, player_id, now),
            face=people_store.face(tx, player_id),
            tallies=tuple(tally.count(tx, player_id) for tally in TALLIES),
        )


def _record(ways: Sequence[DailyCountRow]) -> FocdleRecord:
    solved = Counter[int]()
    for way in ways:
        solved[way.guesses] += way.plays if way.solved else 0
    distribution = {guesses: solved[guesses] for guesses in range(1, MOST_GUESSES + 1)}
    return FocdleRecord(sum(way.plays for way in ways), distribution)


def _points(way: DailyCountRow | DailyResultRow) -> int:
    return points_for(solved=way.solved, guesses=way.guesses, hints=way.hints)


def name_of(tx: Transaction, player_id: int, guild_id: int | None) -> str:
    """Read a player's name as last seen: in the server or, without a name there, anywhere.

    Empty if the player was never seen.
    """
    names = {} if guild_id is None else people_store.names_in(tx, guild_id, [player_id])
    if player_id not in names or not names[player_id].name:
        names = people_store.names(tx, [player_id])
    return names[player_id].name if player_id in names else ""


def _streak(tx: Transaction, player_id: int, now: datetime) -> StreakRecord:
    streak = streak_keeping.refresh(tx, player_id, now)
    *earlier, last = streak.changes or (None,)
    told = (
        change for change in reversed(earlier) if change and change.reason is not DateEffect.SOLVED
    )
    log = (*filter(None, [last]), *islice(told, MOST_TOLD - 1))
    held = (streak.length, streak.best, streak.freezes)
    return StreakRecord(*held, log, streak.assisted)


def calendar_of(rows: Sequence[DailyResultRow]) -> dict[date, CalendarDay]:
    """Map each date to the best of these on-date plays, earliest date first."""
    calendar: dict[date, CalendarDay] = {}
    for row in sorted(rows, key=lambda row: (_points(row), row.solved)):  # the best comes last
        calendar[day_of(row.number)] = CalendarDay(_points(row), row.solved)
    return dict(sorted(calendar.items()))


MOST_YEARS: Final = 5
"""How many years beside the shown one are offered at most."""

# A guess or opponent met only once says nothing of a player.
_FEWEST_TIMES: Final = 2


class YearReviews:
    """Use cases of a player's own year; each is one transaction."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def of(self, player_id: int, year: int, *, guild_id: int | None = None) -> YearReview:
        """Read a player's year; if `year` is still to come, read the present one.

        The streak is brought up to date. `guild_id` is the server in which the player asks; None
        where the bot is not a member.
        """
        return await self._database.read(lambda tx: self._read(tx, player_id, year, guild_id))

    def _read(self, tx: Transaction, player_id: int, year: int, guild_id: int | None) -> YearReview:
        now = self._clock.now()
        zone = find_place(tx, player_id=player_id, guild_id=guild_id, now=now).zone
        today = date_in(zone, now)
        year = min(year, today.year)
        first, last = date(year, 1, 1), min(date(year, 12, 31), today)
        begin, end = start_of(first, zone), start_of(last + timedelta(days=1), zone)
        rows = results.dailies(tx, player_id, since=number_of(first))
        plays = [row for row in rows if first <= day_of(row.number) <= last]
        calendar = calendar_of(plays)
        streak = streak_keeping.refresh(tx, player_id, now)
        lengths = (c.after for c in streak.changes if first <= c.day <= last)
        opening = store.favourite_opening(tx, player_id, number_of(first), number_of(last))
        duels, opponent = _duels(tx, player_id, guild_id, begin, end)
        return YearReview(
            year=year,
            days=(first, last),
            calendar=calendar,
            solved=sum(day.solved for day in calendar.values()),
            best_streak=max(lengths, default=0),
            best=min((p.guesses for p in plays if p.solved and not p.hints), default=None),
            opening=opening if opening and opening[1] >= _FEWEST_TIMES else None,
            masterminds=store.count_masterminds(tx, player_id, begin, end),
            duels=duels,
            opponent=opponent,
            others=_others(tx, player_id, year, today),
        )


def _duels(
    tx: Transaction, player_id: int, guild_id: int | None, begin: datetime, end: datetime
) -> tuple[tuple[int, int], Opponent | None]:
    """Count a player's duels and wins, and find the most frequent opponent.

    The opponent is one whom the player may see; None if there is none.
    """
    rows = store.opponents(tx, player_id, begin, end, PLAYED)
    counts = (sum(row.played for row in rows), sum(row.won for row in rows))
    for row in rows:
        if row.player_id is not None:
            name = name_of(tx, row.player_id, guild_id)
            return counts, Opponent(row.player_id, name, row.played)
    return counts, None


def _others(tx: Transaction, player_id: int, year: int, today: date) -> tuple[int, ...]:
    """List up to `MOST_YEARS` years besides the given one, the latest first.

    None of them is before the year of the player's first daily.
    """
    number = store.first_daily(tx, player_id)
    first = today.year if number is None else day_of(number).year
    there = range(today.year, first - 1, -1)
    return tuple(other for other in there if other != year)[:MOST_YEARS]
