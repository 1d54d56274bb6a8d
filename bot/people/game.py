"""Places where a player plays, rate limits, and how much a member may post."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import Enum
from functools import partial
from typing import Final, NamedTuple

from bot.clock import Clock, date_in
from bot.db.database import Transaction
from bot.people import store
from bot.people.model import (
    MOST_POSTED,
    DeclinedError,
    JustDeletedError,
    LengthChange,
    PostedTooOftenError,
    ZoneChange,
)
from bot.people.store import Subject
from bot.people.zones import zone_at
from bot.pool.pool import LoopThrottle
from bot.refused import NotWantedError

DEFAULT_LENGTH: Final = 10

ZONE_REST: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Place:
    """A server with its zone and its length of dailies.

    Without `guild_id` it stands for a player's direct messages, and servers without the bot.
    """

    guild_id: int | None
    zone: str
    length: int


def find_place(tx: Transaction, *, player_id: int, guild_id: int | None, now: datetime) -> Place:
    """Read zone and length of a server; if `guild_id` is None, of the player's direct messages."""
    if guild_id is None:
        zone = zone_at(store.get_zones(tx, "player", player_id), now)
        return Place(None, zone, DEFAULT_LENGTH)
    zone = zone_at(store.get_zones(tx, "guild", guild_id), now)
    length = length_on(store.get_lengths(tx, guild_id), date_in(zone, now))
    return Place(guild_id, zone, length)


def length_on(rows: Sequence[LengthChange], day: date) -> int:
    held = [row.length for row in rows if row.from_day <= day]
    return held[-1] if held else DEFAULT_LENGTH


def cancel_zone_changes(
    tx: Transaction, subject: Subject, subject_id: int, rows: Sequence[ZoneChange], now: datetime
) -> None:
    """Delete the zone changes in `rows` that have not come into force yet."""
    coming = [row.effective_at for row in rows if row.effective_at > now]
    if coming:
        store.drop_zones(tx, subject, subject_id, since=coming[0])


class Cost(Enum):
    """What an interaction costs: by this the rate limit judges it."""

    FREE = "free"
    """Never refused: a move, an awaited answer, an export or a deletion of one's data."""
    LIGHT = "light"
    """A lookup, a change, or a question."""
    TYPING = "typing"
    """An autocompletion."""
    HEAVY = "heavy"
    """Work that computes or draws; a player's second waits for the end of the first."""
    COACH = "coach"
    """The coach's work: it costs as much as heavy work, but waits in a queue of the coach's."""


class Admission(Enum):
    """What the rate limit decides about an interaction."""

    GRANTED = "granted"
    REFUSED = "refused"
    """The player has to be told."""
    REFUSED_AGAIN = "refused again"
    """The player has been told within the last seconds."""


class _Rate(NamedTuple):
    at_once: int
    a_second: int


_HEAVY_RATE: Final = _Rate(at_once=10, a_second=2)
_LIGHT_RATE: Final = _Rate(at_once=40, a_second=8)


class _Bucket:
    """What is left of a rate; after a pause, all of `at_once`."""

    def __init__(self, rate: _Rate) -> None:
        self._rate = rate
        self._tokens = float(rate.at_once)

    def fill(self, seconds: float) -> None:
        self._tokens = min(self._rate.at_once, self._tokens + self._rate.a_second * seconds)

    def take(self) -> bool:
        has_one = self._tokens >= 1
        self._tokens -= has_one
        return has_one


class _Pace:
    """The buckets of one player, who was active within the last seconds."""

    def __init__(self, now: datetime) -> None:
        heavy = _Bucket(_HEAVY_RATE)
        self._buckets = {
            Cost.HEAVY: heavy,
            Cost.COACH: heavy,
            Cost.LIGHT: _Bucket(_LIGHT_RATE),
            Cost.TYPING: _Bucket(_LIGHT_RATE),
        }
        self.seen_at = now
        self._told_at: datetime | None = None

    def take(self, cost: Cost, now: datetime) -> Admission:
        seconds = max(0.0, (now - self.seen_at).total_seconds())
        self.seen_at = now
        for bucket in set(self._buckets.values()):
            bucket.fill(seconds)
        if self._buckets[cost].take():
            return Admission.GRANTED
        if self._told_at is not None and now < self._told_at + _QUIET:
            return Admission.REFUSED_AGAIN
        self._told_at = now
        return Admission.REFUSED


_QUIET: Final = timedelta(seconds=10)
"""The time in which a player is not told a second time; after it, all buckets would be full."""


class Allowances:
    """Rate limits of all players, in memory; after a pause of ten seconds all buckets are full."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._paces: OrderedDict[int, _Pace] = OrderedDict()
        self._last: dict[int, asyncio.Task[object]] = {}
        self._throttle = LoopThrottle()

    def __len__(self) -> int:
        """Count the players who were active of late; everybody else's buckets are full."""
        return len(self._paces)

    def take(self, player_id: int, cost: Cost) -> Admission:
        """Take an interaction's cost from a player's buckets, if there is enough in them."""
        if cost is Cost.FREE:
            return Admission.GRANTED
        now = self._clock.now()
        while self._paces and next(iter(self._paces.values())).seen_at + _QUIET <= now:
            self._paces.popitem(last=False)
        pace = self._paces.setdefault(player_id, _Pace(now))
        self._paces.move_to_end(player_id)
        return pace.take(cost, now)

    async def begin(self) -> None:
        """Wait for a turn of the event loop, so that a burst of heavy work does not block it."""
        await self._throttle.wait()

    async def turn(self, player_id: int, task: asyncio.Task[object]) -> None:
        """Wait, before the heavy work of `task`, until the player's earlier heavy work has ended.

        The player's next heavy work waits for the end of `task`.
        """
        before = self._last.get(player_id)
        self._last[player_id] = task
        task.add_done_callback(partial(self._end, player_id))
        if before is not None and before is not task:
            await asyncio.wait({before})

    def _end(self, player_id: int, task: asyncio.Task[object]) -> None:
        if self._last.get(player_id) is task:
            del self._last[player_id]


# What members post: openings, challenges, rematches and shares count together.

AN_HOUR: Final = timedelta(hours=1)
AFTER_DELETION: Final = timedelta(days=7)
"""The time after a deletion in which what its player begins does not count."""


def deleted_until(tx: Transaction, player_id: int, now: datetime) -> datetime | None:
    """Read until when what a player begins does not count; None without a recent deletion."""
    return store.recent_deletion(tx, player_id, now)


def require_may_post(
    tx: Transaction, player_id: int, guild_id: int, now: datetime, calls: int | None = None
) -> None:
    """Refuse a post of a member's own to a server; 0 stands for all that is no server.

    `calls` is the player whom it calls; None for nobody. The caller counts the post in the same
    transaction, by `add_post`.

    Raises:
        JustDeletedError: this player has deleted their data within seven days.
        NotWantedError: that player is kept out, takes no challenges, or none from this one.
        DeclinedError: that player has declined one of this player's within the hour.
        PostedTooOftenError: `MOST_POSTED` of this player were posted there within the hour.
    """
    ends_at = deleted_until(tx, player_id, now)
    if ends_at is not None:
        raise JustDeletedError(again_at=ends_at)
    if calls is not None:
        if store.is_unwanted(tx, calls, player_id):
            raise NotWantedError(player_id=calls)
        declined_at = store.last_declined(tx, player_id, calls, since=now - AN_HOUR)
        if declined_at is not None:
            raise DeclinedError(player_id=calls, again_at=declined_at + AN_HOUR)
    posted = store.posted_since(tx, player_id, guild_id, now - AN_HOUR)
    if len(posted) >= MOST_POSTED:
        raise PostedTooOftenError(posts=MOST_POSTED, again_at=posted[-MOST_POSTED] + AN_HOUR)
