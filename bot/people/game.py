"""Places, invitations, and how much one player may ask for at once."""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import Enum
from functools import partial
from typing import Final

from bot.clock import Clock, date_in
from bot.db import facts
from bot.db.database import Transaction
from bot.people import store
from bot.people.model import LengthChange, ZoneChange
from bot.people.store import InvitationRow, Subject
from bot.people.zones import zone_at
from bot.pool.pool import Rounds
from bot.refused import AskedTooOftenError, AskedTooSoonError, NotWantedError

DEFAULT_LENGTH: Final = 10

ZONE_REST: Final = timedelta(days=7)
_FAIR_SINCE: Final = "fair_since"


@dataclass(frozen=True, slots=True)
class Place:
    """A server, or a player's own conversations where the bot is no member.

    Attributes:
        guild_id: the Discord server; None where the bot is no member of one.
        zone: the IANA zone that says what today is.
        length: the length of the daily there, in symbols.
    """

    guild_id: int | None
    zone: str
    length: int


def find_place(tx: Transaction, *, player_id: int, guild_id: int | None, now: datetime) -> Place:
    """The place as it is at an instant: the server's, or else the player's own."""
    if guild_id is None:
        zone = zone_at(store.get_zones(tx, "player", player_id), now)
        return Place(None, zone, DEFAULT_LENGTH)
    zone = zone_at(store.get_zones(tx, "guild", guild_id), now)
    length = length_on(store.get_lengths(tx, guild_id), date_in(zone, now))
    return Place(guild_id, zone, length)


def length_on(rows: Sequence[LengthChange], day: date) -> int:
    """The length of the daily on a date."""
    held = [row.length for row in rows if row.from_day <= day]
    return held[-1] if held else DEFAULT_LENGTH


def fair_since(tx: Transaction) -> date:
    """The first date for which the rules against winning without playing hold.

    A database that was played on before there were such rules keeps the date of its upgrade, so
    that no earlier streak or board changes. In any other they hold for all dates.
    """
    if _FAIR_SINCE not in tx.connection.info:  # of the connection, since no transaction changes it
        tx.connection.info[_FAIR_SINCE] = facts.get(tx, _FAIR_SINCE)
    stored: str | None = tx.connection.info[_FAIR_SINCE]
    return date.min if stored is None else date.fromisoformat(stored)


def take_back(
    tx: Transaction, subject: Subject, subject_id: int, rows: Sequence[ZoneChange], now: datetime
) -> None:
    """Forget the zones that were to follow the one that holds."""
    coming = [row.effective_at for row in rows if row.effective_at > now]
    if coming:
        store.drop_zones(tx, subject, subject_id, since=coming[0])


class Cost(Enum):
    """How much work a click, a command or a form makes."""

    FREE = "free"
    """A move, an answer that somebody waits for, one's own data handed out or deleted: never
    refused."""
    LIGHT = "light"
    """Something is looked up, changed, or asked."""
    TYPING = "typing"
    """Discord asks for proposals while an option is typed."""
    HEAVY = "heavy"
    """Something is computed or drawn; a player's second waits for the first."""
    COACH = "coach"
    """Likewise, but the coach has a line of its own."""


class Verdict(Enum):
    """Whether something is done for a player now."""

    GRANTED = "granted"
    REFUSED = "refused"
    """The player is to be told so."""
    REFUSED_AGAIN = "refused again"
    """The player was told of late."""


class _Bucket:
    """Holds so many tokens, and gets so many a second."""

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
    """What one player, who was active a moment ago, has left in each bucket."""

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
"""How long a player is not told the same again; by then all buckets are full."""


class Allowances:
    """What each player may still ask for; in memory only, and forgotten within seconds.

    Args:
        clock: what tells the time.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._paces: OrderedDict[int, _Pace] = OrderedDict()
        self._last: dict[int, asyncio.Task[object]] = {}
        self._rounds = Rounds()

    def __len__(self) -> int:
        """How many players have asked for something of late; all others' buckets are full."""
        return len(self._paces)

    def take(self, player_id: int, cost: Cost) -> Verdict:
        """Take what something costs from a player's buckets; returns whether they may do it now."""
        if cost is Cost.FREE:
            return Verdict.GRANTED
        now = self._clock.now()
        self._forget(now)
        pace = self._paces.setdefault(player_id, _Pace(now))
        self._paces.move_to_end(player_id)
        return pace.take(cost, now)

    def _forget(self, now: datetime) -> None:
        """Forget players whose buckets are full again."""
        while self._paces:
            player_id, pace = next(iter(self._paces.items()))
            if pace.seen_at + _QUIET > now:
                return
            del self._paces[player_id]

    async def begin(self) -> None:
        """Wait until something heavy may begin beside what others have just asked for."""
        await self._rounds.turn()

    async def turn(self, player_id: int, task: asyncio.Task[object]) -> None:
        """Wait for the player's earlier heavy work; then it is this task's turn.

        Args:
            player_id: the player.
            task: does what is asked for now; whoever comes next waits for its end.
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
# duels, rematches and challenges at Mastermind are all invitations, and count together.

MOST_ASKED: Final = 3
"""How often a player may ask another within an hour without being accepted."""
MOST_CALLS: Final = 3
"""With how many unanswered invitations a player is pinged by no further one."""
MOST_MADE: Final = 10
"""How many invitations a player may make within an hour that nobody accepts, whomever they ask."""
MOST_CALLING: Final = 5
"""How many of these ping whom they are for."""

RESPITE: Final = timedelta(hours=1)
"""How long whoever has declined, or was asked too often, is asked no more by the same player."""
# Nothing waits for an answer longer than a day, but for hours in which the bot was away.
_LONGEST: Final = timedelta(hours=26)


def require_wanted(tx: Transaction, challenger_id: int, challenged_id: int) -> None:
    """Make sure that a player takes challenges, also from this challenger.

    Raises:
        NotWantedError: that is not so; which of the two, nobody is told.
    """
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
    """Make sure that a player has not asked another too often, or after being declined, nor all.

    An accepted invitation, whoever of the two made it, clears all before it. A rematch is between
    the two, and does not count among those to everybody.

    Raises:
        AskedTooSoonError: within the hour the other has declined, or was asked three times and
            accepted none.
        AskedTooOftenError: within the hour ten were made, to whomever, that nobody has accepted.
    """
    rows = store.between(tx, challenger_id, challenged_id, now - _LONGEST)
    since = max([now - RESPITE, *(row.accepted_at for row in rows if row.accepted_at)])
    own = [row for row in rows if row.challenger_id == challenger_id and row.accepted_at is None]
    if declined := sorted(_declines(own, since)):
        raise AskedTooSoonError(
            player_id=challenged_id, again_at=declined[-1] + RESPITE, has_declined=True
        )
    asked = sorted(row.opened_at for row in own if row.opened_at > since)
    if len(asked) >= MOST_ASKED:
        again_at = asked[-MOST_ASKED] + RESPITE
        raise AskedTooSoonError(player_id=challenged_id, again_at=again_at, has_declined=False)
    made = [] if is_rematch else store.made_by(tx, challenger_id, now - RESPITE)
    if len(made) >= MOST_MADE:
        raise AskedTooOftenError(again_at=made[-MOST_MADE] + RESPITE)


def _declines(rows: Iterable[InvitationRow], since: datetime) -> Iterable[datetime]:
    """When invitations were declined; *Not now* on a rematch does not count."""
    for row in rows:
        if row.declined_at is not None and row.declined_at > since and not row.is_rematch:
            yield row.declined_at


def is_called(
    tx: Transaction,
    challenger_id: int,
    challenged_id: int,
    now: datetime,
    *,
    besides: int = 0,
    is_rematch: bool = False,
) -> bool:
    """Whether an invitation pings the challenged player.

    Not if that one has three to answer, where those that were taken back or lapsed within the hour
    count, too; nor if the challenger has made five within the hour that nobody has accepted.

    Args:
        tx: the transaction.
        challenger_id: who makes it.
        challenged_id: whom it is for.
        now: the present instant.
        besides: the duel that it is itself, if that is stored already.
        is_rematch: whether it is for a rematch, of a duel that was played.
    """
    if not is_rematch:
        made = store.made_by(tx, challenger_id, now - RESPITE, besides=besides)
        if len(made) >= MOST_CALLING:
            return False
    unanswered = store.count_unanswered(
        tx, challenged_id, since=now - _LONGEST, of_late=now - RESPITE, now=now, besides=besides
    )
    return unanswered < MOST_CALLS
