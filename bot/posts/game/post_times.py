"""Works out when a server's post is due. Pure: tests try every change of clocks."""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.clock import date_in, start_of
from bot.dailies import GRACE
from bot.people.game.zones import DEFAULT_ZONE, zone_at
from bot.people.model.choices import ZoneChange

SPREAD: Final = timedelta(minutes=5)
"""Posts are spread over this time after their hour, so that not all come in one second."""

_DAY: Final = timedelta(days=1)
_HOUR: Final = timedelta(hours=1)
# The weekday that was chosen comes round within these, even where a zone skips one of them.
_HORIZON: Final = 16
_EVER: Final = datetime.min.replace(tzinfo=UTC)
_NEVER: Final = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Timetable:
    """When a server wants its posts.

    Attributes:
        guild_id: the server.
        zones: the zones it has had or will have, in order: they say what today is.
        hour: 0 to 23, by the clocks there.
        days: the weekdays, 1 for Monday to 7.
        since: hours before this instant are not made up for.
        clocks: the zones by which the hour goes, in order; None where they are the same.
    """

    guild_id: int
    zones: Sequence[ZoneChange]
    hour: int
    days: Collection[int]
    since: datetime
    clocks: Sequence[ZoneChange] | None = None

    @property
    def hours_by(self) -> Sequence[ZoneChange]:
        """The zones by which the hour goes, in order."""
        return self.zones if self.clocks is None else self.clocks

    def today(self, now: datetime) -> date:
        """The date in the server."""
        return date_in(zone_at(self.zones, now), now)

    def due(self, now: datetime) -> date | None:
        """The date whose post is to be out by now: today, or none."""
        day = self.today(now)
        is_due = any(instant + self._delay() <= now for instant in self._hours_of(day))
        return day if is_due else None

    def next_after(self, now: datetime, *, posted: date | None = None) -> datetime | None:
        """When the next post is due; what was posted already is not due again."""
        first = self.today(now)
        for n in range(_HORIZON):
            day = first + n * _DAY
            if posted is not None and day <= posted:
                continue
            for instant in self._hours_of(day):
                if instant + self._delay() > now:
                    return instant + self._delay()
        return None

    def _hours_of(self, day: date) -> list[datetime]:
        """When the server's hour comes on a date, if it wants a post on that date at all.

        It comes twice where a zone further west brings the date back. Where one further east
        jumps over it, the post comes as soon as the one of midnight would.
        """
        if day.isoweekday() not in self.days:
            return []
        found: list[datetime] = []
        zone, begins = DEFAULT_ZONE, _EVER
        for row in [*self.hours_by, None]:
            ends = row.effective_at if row else _NEVER
            # The clock's date need not be the server's.
            near = (hour_of(day + n * _DAY, self.hour, zone) for n in (-1, 0, 1))
            found += [instant for instant in near if instant and begins <= instant < ends]
            if row and _jumps(zone, row, day, self.hour):
                found.append(ends + GRACE)
            zone, begins = (row.zone, ends) if row else (zone, ends)
        return sorted(i for i in found if i >= self.since and self.today(i) == day)

    def _delay(self) -> timedelta:
        digest = hashlib.sha256(str(self.guild_id).encode()).digest()
        return timedelta(seconds=int.from_bytes(digest[:4]) % int(SPREAD.total_seconds()))


def _jumps(before: str, row: ZoneChange, day: date, hour: int) -> bool:
    """Whether a zone that was waited for begins a date after the hour in it."""
    instant = row.effective_at
    if instant <= row.set_at or date_in(before, instant - timedelta.resolution) >= day:
        return False
    passed = hour_of(day, hour, row.zone)
    return date_in(row.zone, instant) == day and passed is not None and passed < instant


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
