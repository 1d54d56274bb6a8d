"""Works out when a server's post is due. Pure: tests try every change of clocks."""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.model.dailies import GRACE
from bot.model.places import ZoneChange
from bot.services.base.clock import date_in, start_of
from bot.services.base.zones import zone_at

SPREAD: Final = timedelta(minutes=5)
"""Posts are spread over this time after their hour, so that not all come in one second."""

_DAY: Final = timedelta(days=1)
_HOUR: Final = timedelta(hours=1)
# The weekday that was chosen comes round within these, even where a zone skips one of them.
_HORIZON: Final = 16


@dataclass(frozen=True, slots=True)
class Timetable:
    """When a server wants its posts.

    Attributes:
        guild_id: the server.
        zones: the zones it has had or will have, in order.
        hour: 0 to 23, by the clocks there.
        days: the weekdays, 1 for Monday to 7.
        since: hours before this instant are not made up for.
    """

    guild_id: int
    zones: Sequence[ZoneChange]
    hour: int
    days: Collection[int]
    since: datetime

    def today(self, now: datetime) -> date:
        """The date in the server."""
        return date_in(zone_at(self.zones, now), now)

    def due(self, now: datetime) -> date | None:
        """The date whose post is to be out by now: today, or none."""
        day = self.today(now)
        instant = self._hour_of(day)
        if instant is None or not self.since <= instant <= now - self._delay():
            return None
        return day

    def next_after(self, now: datetime, *, posted: date | None = None) -> datetime | None:
        """When the next post is due; what was posted already is not due again."""
        first = self.today(now)
        for n in range(_HORIZON):
            day = first + n * _DAY
            instant = self._hour_of(day)
            if instant is None or instant < self.since or (posted is not None and day <= posted):
                continue
            if instant + self._delay() > now:
                return instant + self._delay()
        return None

    def _hour_of(self, day: date) -> datetime | None:
        """When the server's hour comes on a date, if it wants a post on that date at all."""
        if day.isoweekday() not in self.days:
            return None
        # The zone may change before that hour comes.
        instant = hour_of(day, self.hour, zone_at(self.zones, start_of(day, "UTC")))
        zone = zone_at(self.zones, instant or start_of(day, "UTC"))
        return hour_of(day, self.hour, zone)

    def _delay(self) -> timedelta:
        digest = hashlib.sha256(str(self.guild_id).encode()).digest()
        return timedelta(seconds=int.from_bytes(digest[:4]) % int(SPREAD.total_seconds()))


def hour_of(day: date, hour: int, zone: str) -> datetime | None:
    """When an hour comes on a date in a zone; None if the date never does there.

    An hour that comes twice counts when it comes first. One that clocks skip is the
    instant at which they skip it; where they skip the last of the date, it is the hour
    before. Midnight waits for those who may still finish the date before.
    """
    local = datetime.combine(day, time(hour), ZoneInfo(zone))
    instant = max(local.astimezone(UTC), start_of(day, zone) + GRACE)
    if date_in(zone, instant) == day:
        return instant
    instant = start_of(day + _DAY, zone) - _HOUR
    return instant if date_in(zone, instant) == day else None
