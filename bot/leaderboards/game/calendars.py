"""Calendars of servers' leaderboards: today's date, the daily's length, and when a date closes."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Self

from bot.clock import date_in
from bot.dailies import GRACE, day_of
from bot.db.database import Transaction
from bot.leaderboards.model.keys import GLOBAL
from bot.leaderboards.store.results import DailyResultRow, Deadline
from bot.people.game.places import fair_since, length_on
from bot.people.game.zones import DEFAULT_ZONE, first_end, zone_at
from bot.people.model.choices import Calendar
from bot.people.store import places


class Calendars:
    """Calendars of some servers, and of the leaderboards across all servers, which go by UTC."""

    def __init__(self, calendars: Mapping[int, Calendar], since: date) -> None:
        self._calendars = calendars
        self._since = since
        self._ends: dict[tuple[int, date], datetime] = {}

    @classmethod
    async def read(cls, tx: Transaction, scopes: Iterable[int | None]) -> Self:
        """Read the calendars of these servers; None stands for all servers."""
        rows = await places.get_calendars(tx, set(filter(None, scopes)))
        return cls(rows, await fair_since(tx))

    def date_of(self, scope: int, instant: datetime) -> date:
        """The date at an instant, in the zone that held then."""
        zone = DEFAULT_ZONE if scope == GLOBAL else zone_at(self._calendars[scope].zones, instant)
        return date_in(zone, instant)

    def length_on(self, guild_id: int, day: date) -> int:
        """The length of a server's daily on a date."""
        return length_on(self._calendars[guild_id].lengths, day)

    def counts(self, scope: int, play: DailyResultRow) -> bool:
        """Whether a leaderboard counts a daily.

        In a server, length and time must be right; everywhere, it is the first guessed at of its
        date, or one from before that was noted.
        """
        if scope == GLOBAL:
            return play.first_of_date is not False
        day = day_of(play.number)
        if self.length_on(scope, day) != play.length:
            return False
        return not self.is_late(scope, day, play.opened_at, play.finished_at)

    def is_late(self, guild_id: int, day: date, opened_at: datetime, finished_at: datetime) -> bool:
        """Whether a server no longer counts a date's daily, which ended there before."""
        deadline = self.deadline(guild_id, day)
        return deadline is not None and not deadline.is_met(opened_at, finished_at)

    def deadline(self, scope: int, day: date) -> Deadline | None:
        """Until when a date's daily must be opened and finished to count; None for any time.

        What has ended in a server is closed there: the date may still be today further west, in a
        zone that a member or the server itself has chosen, and the answer be known.
        """
        if scope == GLOBAL or day < self._since:
            return None
        if (scope, day) not in self._ends:
            self._ends[scope, day] = first_end(self._calendars[scope].zones, day)
        end = self._ends[scope, day]
        return Deadline(end, end + GRACE)


async def deadline_of(tx: Transaction, guild_id: int, day: date) -> Deadline | None:
    """Until when a server counts a date's daily; None for any time."""
    return (await Calendars.read(tx, [guild_id])).deadline(guild_id, day)


async def today_in(tx: Transaction, scope: int, now: datetime) -> date:
    """The date that a leaderboard calls today."""
    return (await Calendars.read(tx, [scope])).date_of(scope, now)
