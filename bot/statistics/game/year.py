"""A player's year: what the calendar has of it, and what stands out."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Final

from bot.clock import Clock, date_in, start_of
from bot.dailies import day_of, number_of
from bot.db.database import Database, Transaction
from bot.duels.model.transitions import PLAYED
from bot.focdle.game import streak_keeping
from bot.leaderboards.store import results
from bot.leaderboards.store.results import DailyResultRow
from bot.people.game.places import find_place
from bot.statistics.game.records import Feat, Opponent, Year
from bot.statistics.game.statistics import calendar_of, name_of
from bot.statistics.store import years

MOST_YEARS: Final = 5
"""How many other years are offered."""

# Fewer say nothing of a player.
_FEWEST_TIMES: Final = 2
_LEAST_BELOW: Final = 1.0


class Years:
    """Use cases that look at a player's own year; each is one transaction."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def of(self, player_id: int, year: int, *, guild_id: int | None = None) -> Year:
        """A player's year, for nobody else; one that is no year yet is the running one.

        Args:
            player_id: who asks.
            year: which.
            guild_id: the Discord server in which they ask; None where the bot is no member.
        """

        async def read(tx: Transaction) -> Year:
            return await self._read(tx, player_id, year, guild_id)

        return await self._database.look(read)

    async def _read(self, tx: Transaction, player_id: int, year: int, guild_id: int | None) -> Year:
        now = self._clock.now()
        zone = (await find_place(tx, player_id=player_id, guild_id=guild_id, now=now)).zone
        today = date_in(zone, now)
        year = min(year, today.year)
        first, last = date(year, 1, 1), min(date(year, 12, 31), today)
        begin, end = start_of(first, zone), start_of(last + timedelta(days=1), zone)
        rows = await results.dailies(tx, player_id, since=number_of(first))
        plays = [row for row in rows if first <= day_of(row.number) <= last]
        calendar = calendar_of(plays)
        duels, opponent = await _duels(tx, player_id, guild_id, begin, end)
        return Year(
            year=year,
            days=(first, last),
            calendar=calendar,
            solved=sum(day.solved for day in calendar.values()),
            best_streak=await _best_streak(tx, player_id, now, first, last),
            best=min((play.guesses for play in _alone(plays)), default=None),
            feat=_feat(plays),
            opening=await _opening(tx, player_id, first, last),
            masterminds=await years.count_masterminds(tx, player_id, begin, end),
            duels=duels,
            opponent=opponent,
            others=await _others(tx, player_id, year, today),
        )


async def _best_streak(
    tx: Transaction, player_id: int, now: datetime, first: date, last: date
) -> int:
    streak = await streak_keeping.refresh(tx, player_id, now)
    return max((c.after for c in streak.changes if first <= c.day <= last), default=0)


def _alone(plays: Sequence[DailyResultRow]) -> list[DailyResultRow]:
    return [play for play in plays if play.solved and not play.hints]


def _feat(plays: Sequence[DailyResultRow]) -> Feat | None:
    """The daily that was solved furthest below par, the first of several, if it is far below."""
    feats = [Feat(p.number, p.guesses, p.par) for p in _alone(plays) if p.par is not None]
    rarest = max(feats, key=lambda feat: feat.par - feat.guesses, default=None)
    return rarest if rarest and rarest.par - rarest.guesses >= _LEAST_BELOW else None


async def _opening(
    tx: Transaction, player_id: int, first: date, last: date
) -> tuple[str, int] | None:
    found = await years.favourite_opening(tx, player_id, number_of(first), number_of(last))
    return found if found and found[1] >= _FEWEST_TIMES else None


async def _duels(
    tx: Transaction, player_id: int, guild_id: int | None, begin: datetime, end: datetime
) -> tuple[tuple[int, int], Opponent | None]:
    """Duels and how many were won, and with whom most of them were."""
    rows = await years.opponents(tx, player_id, begin, end, PLAYED)
    counts = (sum(row.played for row in rows), sum(row.won for row in rows))
    for row in rows:
        if row.player_id is not None:
            name = await name_of(tx, row.player_id, guild_id)
            return counts, Opponent(row.player_id, name, row.played)
    return counts, None


async def _others(tx: Transaction, player_id: int, year: int, today: date) -> tuple[int, ...]:
    """The years from the first daily on, without one."""
    number = await years.first_daily(tx, player_id)
    first = today.year if number is None else day_of(number).year
    there = range(today.year, first - 1, -1)
    return tuple(other for other in there if other != year)[:MOST_YEARS]
