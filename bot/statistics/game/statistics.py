"""One player's statistics over all games."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import islice
from typing import Final

from bot.clock import Clock, date_in
from bot.dailies import day_of, number_of, points_for
from bot.db.database import Database, Transaction
from bot.duels.game.options import STRENGTHS
from bot.duels.game.rating import rating_of
from bot.duels.model.transitions import PLAYED
from bot.focdle.game import streak_keeping
from bot.games.model.rivals import SharedDailies
from bot.leaderboards.game.shared import shared_dailies
from bot.leaderboards.store import results
from bot.leaderboards.store.results import DailyCountRow, DailyResultRow
from bot.mastermind.game.listing import setting_records
from bot.mastermind.model.game import SettingRecord
from bot.mastermind.store import masterminds
from bot.people.game.places import find_place
from bot.people.store import members, preferences
from bot.ratings.model.ratings import HeadToHead
from bot.ratings.store import pairs, ratings
from bot.refused import StatsHiddenError, StatsOfStrangerError
from bot.statistics.game.records import CalendarDay, FocdleRecord, Stats, StreakRecord
from bot.streaks.model.streaks import Reason
from engine import Focdle, Mastermind, Strength

CALENDAR_WEEKS: Final = 26
MOST_TOLD: Final = 2
"""How many changes of a streak are told at most."""
MOST_GUESSES: Final = Focdle().max_guesses
STANDARD: Final = Mastermind()


class Statistics:
    """Use cases that look at one player; each is one transaction."""

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
        """A player's statistics, with the streak as it is now.

        Args:
            player_id: whose.
            viewer_id: the Discord user who asks.
            guild_id: the Discord server in which they ask; None where the bot is no member.
            are_together: whether Discord says that the player, too, is a member of the server
                in which they ask.

        Raises:
            StatsOfStrangerError: as far as is known they share no server.
            StatsHiddenError: the player is hidden, and somebody else asks.
        """

        async def read(tx: Transaction) -> Stats:
            if viewer_id != player_id:
                await _require_open(tx, player_id, viewer_id, are_together=are_together)
            return await self._read(tx, player_id, viewer_id, guild_id)

        return await self._database.look(read)

    async def _read(
        self, tx: Transaction, player_id: int, viewer_id: int, guild_id: int | None
    ) -> Stats:
        now = self._clock.now()
        place = await find_place(tx, player_id=viewer_id, guild_id=guild_id, now=now)
        days = _calendar_days(date_in(place.zone, now))
        changes = await ratings.history(tx, player_id)
        ways = await results.count_dailies(tx, player_id)
        alone = [way for way in ways if way.on_date and not way.hints]
        rating = await rating_of(tx, player_id)
        is_own_and_new = viewer_id == player_id and rating.games and rating.is_new
        return Stats(
            player_id=player_id,
            name=await name_of(tx, player_id, guild_id),
            is_hidden=await preferences.is_hidden(tx, player_id),
            focdle=_record([way for way in alone if not way.hard]),
            hard=_record([way for way in alone if way.hard]),
            assisted=_record([way for way in ways if way.on_date and way.hints]),
            archive=_record([way for way in ways if not way.on_date]),
            points=sum(_points(way) * way.plays for way in ways if way.on_date),
            streak=await _streak(tx, player_id, now),
            rating=rating,
            rating_history=tuple(changes),
            duels=await results.count_duels(tx, player_id, PLAYED),
            mastermind=await _settings(tx, player_id),
            calendar=await _calendar(tx, player_id, days),
            calendar_days=days,
            bot_duels=await _bot_duels(tx, player_id),
            viewers_duels=await _viewers_duels(tx, viewer_id, player_id),
            viewers_dailies=await _viewers_dailies(tx, viewer_id, player_id, now),
            face=await members.face(tx, player_id),
            outlook=await ratings.outlook(tx, player_id, rating) if is_own_and_new else None,
        )


async def _require_open(
    tx: Transaction, player_id: int, viewer_id: int, *, are_together: bool
) -> None:
    """Make sure that somebody else may look; strangers do not even learn who is hidden."""
    if not are_together and not await members.share_server(tx, viewer_id, player_id):
        raise StatsOfStrangerError(player_id=player_id)
    if await preferences.is_hidden(tx, player_id):
        raise StatsHiddenError(player_id=player_id)


def _record(ways: Sequence[DailyCountRow]) -> FocdleRecord:
    solved = Counter[int]()
    for way in ways:
        solved[way.guesses] += way.plays if way.solved else 0
    played, count = sum(way.plays for way in ways), solved.total()
    distribution = {guesses: solved[guesses] for guesses in range(1, MOST_GUESSES + 1)}
    return FocdleRecord(played, count, distribution, played - count)


def _points(way: DailyCountRow | DailyResultRow) -> int:
    return points_for(solved=way.solved, guesses=way.guesses, hints=way.hints, least=way.least)


async def _viewers_duels(tx: Transaction, viewer_id: int, player_id: int) -> HeadToHead | None:
    if viewer_id == player_id:
        return None
    return await pairs.record(tx, viewer_id, player_id, PLAYED)


async def _viewers_dailies(
    tx: Transaction, viewer_id: int, player_id: int, now: datetime
) -> SharedDailies | None:
    if viewer_id == player_id:
        return None
    return await shared_dailies(tx, viewer_id, player_id, now)


async def _bot_duels(tx: Transaction, player_id: int) -> tuple[tuple[Strength, HeadToHead], ...]:
    found = await results.count_bot_duels(tx, player_id, PLAYED)
    return tuple((strength, found[strength]) for strength in STRENGTHS if strength in found)


async def name_of(tx: Transaction, player_id: int, guild_id: int | None) -> str:
    """A player's name as last seen; in the server if one was named, else anywhere."""
    names = {} if guild_id is None else await members.names_in(tx, guild_id, [player_id])
    if player_id not in names or not names[player_id].name:
        names = await members.names(tx, [player_id])
    return names[player_id].name if player_id in names else ""


async def _streak(tx: Transaction, player_id: int, now: datetime) -> StreakRecord:
    streak = await streak_keeping.refresh(tx, player_id, now)
    *earlier, last = streak.changes or (None,)
    told = (change for change in reversed(earlier) if change and change.reason is not Reason.SOLVED)
    log = (*filter(None, [last]), *islice(told, MOST_TOLD - 1))
    held = (streak.length, streak.best, streak.freezes)
    return StreakRecord(*held, log, streak.is_restored, streak.assisted)


async def _settings(tx: Transaction, player_id: int) -> tuple[SettingRecord, ...]:
    records = setting_records(await masterminds.results(tx, player_id))
    return tuple(sorted(records, key=lambda record: record.rules != STANDARD))


def _calendar_days(today: date) -> tuple[date, date]:
    monday = today - timedelta(days=today.weekday())
    return monday - timedelta(weeks=CALENDAR_WEEKS - 1), today


async def _calendar(
    tx: Transaction, player_id: int, days: tuple[date, date]
) -> dict[date, CalendarDay]:
    return calendar_of(await results.dailies(tx, player_id, since=number_of(days[0])))


def calendar_of(rows: Sequence[DailyResultRow]) -> dict[date, CalendarDay]:
    """What became of the dates that on-date plays belong to, in order."""
    calendar: dict[date, CalendarDay] = {}
    # A solved play has more points than a lost one, so the last of a date is its best.
    for row in sorted(rows, key=_points):
        calendar[day_of(row.number)] = CalendarDay(_points(row), row.solved)
    return dict(sorted(calendar.items()))
