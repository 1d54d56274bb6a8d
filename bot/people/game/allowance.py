"""A limit to how much one player asks of the bot at once, so that nobody slows the others."""

import asyncio
from collections import OrderedDict
from datetime import datetime, timedelta
from enum import Enum
from functools import partial
from typing import Final

from bot.clock import Clock
from bot.pool.rounds import Rounds


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
