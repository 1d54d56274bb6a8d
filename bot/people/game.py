"""Places where a player plays, rate limits, and limits of invitations."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import Enum
from functools import partial
from typing import Final

from bot.clock import Clock, date_in
from bot.db import facts
from bot.db.database import Transaction
from bot.people import store
from bot.people.model import (
    MOST_ASKED,
    MOST_MADE,
    AskedTooOftenError,
    AskedTooSoonError,
    LengthChange,
    ZoneChange,
)
from bot.people.store import Subject
from bot.people.zones import zone_at
from bot.pool.pool import LoopThrottle
from bot.refused import NotWantedError

DEFAULT_LENGTH: Final = 10

ZONE_REST: Final = timedelta(days=7)
_FAIR_SINCE: Final = "fair_since"


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


def fair_since(tx: Transaction) -> date:
    """Read the first date to which the rules against gains without play apply.

    Deadlines in servers are such a rule. A database that is older than these rules stores the date
    of its upgrade, so that earlier streaks and boards stay. In any other, they apply to all dates.
    """
    # Cached with the connection, as no transaction changes it.
    if _FAIR_SINCE not in tx.connection.info:
        tx.connection.info[_FAIR_SINCE] = facts.get(tx, _FAIR_SINCE)
    stored: str | None = tx.connection.info[_FAIR_SINCE]
    return date.min if stored is None else date.fromisoformat(stored)


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


class Verdict(Enum):
    """What the rate limit decides about an interaction."""

    GRANTED = "granted"
    REFUSED = "refused"
    """The player has to be told."""
    REFUSED_AGAIN = "refused again"
    """The player has been told within the last seconds."""


class _Bucket:
    def __init__(self, size: int, a_second: int) -> None:
        self._size = size
        self._a_second = a_second
        self._tokens = float(size)

    def fill(self, seconds: float) -> None:
        self._tokens = min(self._size, self._tokens + self._a_second * seconds)

    def take(self) -> bool:
        has_one = self._tokens >= 1
        self._tokens -= has_one
        return has_one


class _Pace:
    """The buckets of one player, who was active within the last seconds."""

    def __init__(self, now: datetime) -> None:
        heavy = _Bucket(10, 2)
        self._buckets = {
            Cost.HEAVY: heavy,
            Cost.COACH: heavy,
            Cost.LIGHT: _Bucket(40, 8),
            Cost.TYPING: _Bucket(40, 8),
        }
        self.seen_at = now
        self._told_at: datetime | None = None

    def take(self, cost: Cost, now: datetime) -> Verdict:
        seconds = max(0.0, (now - self.seen_at).total_seconds())
        self.seen_at = now
        for bucket in set(self._buckets.values()):
            bucket.fill(seconds)
        if self._buckets[cost].take():
            return Verdict.GRANTED
        if self._told_at is not None and now < self._told_at + _QUIET:
            return Verdict.REFUSED_AGAIN
        self._told_at = now
        return Verdict.REFUSED


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

    def take(self, player_id: int, cost: Cost) -> Verdict:
        """Take an interaction's cost from a player's buckets, if there is enough in them."""
        if cost is Cost.FREE:
            return Verdict.GRANTED
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


# Invitations: how often a player may ask another, who is pinged, and who wants none. Challenges to
# duels, rematches and challenges at Mastermind count together.

MOST_CALLS: Final = 3
"""How many unanswered invitations a player may have before further ones ping no more."""
MOST_CALLING: Final = 5
"""How many unaccepted invitations of a player within an hour ping the invited players."""

RESPITE: Final = timedelta(hours=1)
"""How long a player waits to ask another again, after a decline or too many invitations."""
# Invitations are open for a day, and longer only across an outage.
_LONGEST: Final = timedelta(hours=26)


def require_wanted(tx: Transaction, challenger_id: int, challenged_id: int) -> None:
    """Refuse a challenge to a player who is kept out, takes none, or has blocked the challenger."""
    if store.is_unwanted(tx, challenged_id, challenger_id):
        raise NotWantedError(player_id=challenged_id)


def require_patience(
    tx: Transaction,
    challenger_id: int,
    challenged_id: int,
    now: datetime,
    *,
    is_rematch: bool = False,
) -> None:
    """Limit how often a player may invite one other player, and how often all players together.

    An accepted invitation between the two, whoever made it, resets the first count. A rematch does
    not count towards the second limit. Declining a rematch is no decline in this sense.

    Raises:
        AskedTooSoonError: the challenged player has declined an invitation of the challenger within
            the hour, or has got three that are not accepted.
        AskedTooOftenError: the challenger has made ten invitations within the hour that are not
            accepted.
    """
    rows = store.between(tx, challenger_id, challenged_id, now - _LONGEST)
    since = max([now - RESPITE, *(row.accepted_at for row in rows if row.accepted_at)])
    own = [row for row in rows if row.challenger_id == challenger_id and row.accepted_at is None]
    # *Not now* on a rematch does not count.
    declined = [row.declined_at for row in own if row.declined_at and not row.is_rematch]
    if declined and max(declined) > since:
        again_at = max(declined) + RESPITE
        raise AskedTooSoonError(player_id=challenged_id, again_at=again_at, has_declined=True)
    asked = sorted(row.opened_at for row in own if row.opened_at > since)
    if len(asked) >= MOST_ASKED:
        again_at = asked[-MOST_ASKED] + RESPITE
        raise AskedTooSoonError(player_id=challenged_id, again_at=again_at, has_declined=False)
    made = [] if is_rematch else store.made_by(tx, challenger_id, now - RESPITE)
    if len(made) >= MOST_MADE:
        raise AskedTooOftenError(again_at=made[-MOST_MADE] + RESPITE)


def is_called(
    tx: Transaction,
    challenger_id: int,
    challenged_id: int,
    now: datetime,
    *,
    besides: int = 0,
    is_rematch: bool = False,
) -> bool:
    """Return true if an invitation pings the challenged player.

    It does not if the player has three invitations to answer. Those of the last hour count even if
    they were withdrawn or have lapsed. Nor does it if the challenger has made five invitations
    within the hour that are not accepted. A rematch skips this second limit. `besides` is the
    invitation's own duel, if it is already stored.
    """
    if not is_rematch:
        made = store.made_by(tx, challenger_id, now - RESPITE, besides=besides)
        if len(made) >= MOST_CALLING:
            return False
    unanswered = store.count_unanswered(
        tx, challenged_id, since=now - _LONGEST, of_late=now - RESPITE, now=now, besides=besides
    )
    return unanswered < MOST_CALLS
