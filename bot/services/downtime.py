"""What a deadline is when the bot was away: time in which nobody could play does not count."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from bot.services.streaks import Outage

_NONE: Final = timedelta()


class Downtime:
    """Times in which the bot was away."""

    def __init__(self, outages: Iterable[Outage] = ()) -> None:
        self._outages = sorted(outages, key=lambda outage: outage.began_at)

    def put_off(self, since: datetime, limit: timedelta) -> datetime:
        """When so much time has passed since an instant, outages not counted."""
        end = since + limit
        counted = since
        for outage in self._outages:
            began_at = max(outage.began_at, counted)
            if began_at >= end:
                break
            end += max(outage.ended_at - began_at, _NONE)
            counted = max(outage.ended_at, counted)
        return end

    def between(self, since: datetime, until: datetime) -> timedelta:
        """How long the bot was away between two instants."""
        away, counted = _NONE, since
        for outage in self._outages:
            began_at = max(outage.began_at, counted)
            counted = max(counted, min(outage.ended_at, until))
            away += max(counted - began_at, _NONE)
        return away
