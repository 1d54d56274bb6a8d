"""Outages: times in which the bot was away, each of one connection.

A large bot has many connections to Discord, its shards; each brings the events of some servers.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

BRIEF: Final = timedelta(minutes=1)
"""An outage that is shorter keeps nobody from solving a daily."""

ID_BITS: Final = 22
"""Below a server's time of birth in its id, by which Discord deals servers out."""

_NONE: Final = timedelta()


def shard_of(guild_id: int | None, count: int) -> int:
    """The number of the shard that a server's events come by; None for direct messages.

    Args:
        guild_id: the server.
        count: how many shards there are.
    """
    return ((guild_id or 0) >> ID_BITS) % count


@dataclass(frozen=True, slots=True)
class Shard:
    """One of so many connections.

    How many there are, Discord says at each start: a number alone says nothing about servers.

    Attributes:
        number: which it is, from 0.
        count: how many there are.
    """

    number: int = 0
    count: int = 1

    def serves(self, guild_id: int | None) -> bool:
        """Whether a server's events come by it; None for direct messages, which the first has."""
        return shard_of(guild_id, self.count) == self.number


EVERY: Shard = Shard()
"""What serves everybody: the only shard of a small bot, or all of a large one."""


@dataclass(frozen=True, slots=True)
class ShardRange:
    """The shards of one process, where several share the work: some that follow each other.

    Attributes:
        first: the number of the first.
        last: the number of the last.
        count: how many shards there are in all processes.
    """

    first: int = 0
    last: int = 0
    count: int = 1

    def __str__(self) -> str:
        return f"{self.first}-{self.last}/{self.count}"

    @property
    def numbers(self) -> range:
        """Which they are."""
        return range(self.first, self.last + 1)

    @property
    def is_all(self) -> bool:
        """Whether no other process has any."""
        return len(self.numbers) == self.count

    def serves(self, guild_id: int | None) -> bool:
        """Whether a server's events come by one of them; None for direct messages."""
        return shard_of(guild_id, self.count) in self.numbers


ALL: ShardRange = ShardRange()
"""All that there are, however many: one process has them."""


@dataclass(frozen=True, slots=True)
class Outage:
    """A time in which the bot was not connected.

    Attributes:
        began_at: when that began.
        ended_at: when it ended, or the present instant if it goes on.
        shard: by which shard nothing came.
    """

    began_at: datetime
    ended_at: datetime
    shard: Shard = EVERY

    @property
    def is_brief(self) -> bool:
        """Whether it matters to live deadlines only."""
        return self.ended_at - self.began_at < BRIEF

    def within(self, start: datetime, end: datetime) -> timedelta:
        """How much of it lies in an interval."""
        return max(min(self.ended_at, end) - max(self.began_at, start), timedelta())


@dataclass(frozen=True, slots=True)
class Pulse:
    """When the bot was last connected by a shard.

    Attributes:
        shard: which one.
        beat_at: when.
        process: which process has it; empty for none so far.
        silent_since: since when nothing comes by it; None while nobody has said so.
    """

    shard: Shard
    beat_at: datetime
    process: str
    silent_since: datetime | None = None


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
