"""Outages: times in which the bot was away, each of one shard.

A shard is one of the bot's connections to Discord, which brings the events of some servers.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

BRIEF: Final = timedelta(minutes=1)
"""The length from which an outage can excuse a date of a streak; shorter ones are brief."""

ID_BITS: Final = 22
"""The bits of an id below its timestamp; Discord assigns a server to a shard by those above."""

_NONE: Final = timedelta()


def shard_of(guild_id: int | None, count: int) -> int:
    """Return the number of a server's shard, of `count`; direct messages, None, are on shard 0."""
    return ((guild_id or 0) >> ID_BITS) % count


@dataclass(frozen=True, slots=True)
class Shard:
    """A shard, by its number and the number of all shards.

    Discord recommends a `count` at each start. It may change, so `number` means nothing without it.
    """

    number: int = 0
    count: int = 1

    def serves(self, guild_id: int | None) -> bool:
        """Return true if this shard brings the events of a server or, for None, direct messages."""
        return shard_of(guild_id, self.count) == self.number


EVERY: Shard = Shard()
"""Shard 0 of 1, which serves every server: what an outage of the whole bot names."""


@dataclass(frozen=True, slots=True)
class ShardRange:
    """The consecutive shards of one process."""

    first: int = 0
    last: int = 0
    count: int = 1

    def __str__(self) -> str:
        return f"{self.first}-{self.last}/{self.count}"

    @property
    def numbers(self) -> range:
        return range(self.first, self.last + 1)

    @property
    def is_all(self) -> bool:
        return len(self.numbers) == self.count

    def serves(self, guild_id: int | None) -> bool:
        return shard_of(guild_id, self.count) in self.numbers


ALL: ShardRange = ShardRange()
"""All shards, however many there are: one process has them."""


@dataclass(frozen=True, slots=True)
class Outage:
    """A time in which a shard was not connected; `ended_at` is the present if it still goes on."""

    began_at: datetime
    ended_at: datetime
    shard: Shard = EVERY

    @property
    def is_brief(self) -> bool:
        """True if the outage puts off only races: it keeps nobody from solving a daily."""
        return self.ended_at - self.began_at < BRIEF

    def within(self, start: datetime, end: datetime) -> timedelta:
        return max(min(self.ended_at, end) - max(self.began_at, start), timedelta())


@dataclass(frozen=True, slots=True)
class Pulse:
    """The last sign of life of a shard.

    Attributes:
        process: the process that last had the shard; empty for none so far.
        silent_since: when the shard fell silent; None if it is not known to be silent.
    """

    shard: Shard
    beat_at: datetime
    process: str
    silent_since: datetime | None = None


class Downtime:
    """A set of outages, which may overlap."""

    def __init__(self, outages: Iterable[Outage] = ()) -> None:
        self._outages = sorted(outages, key=lambda outage: outage.began_at)

    def end_of(self, since: datetime, limit: timedelta) -> datetime:
        """Compute when a time limit that runs from `since` ends, if outages do not count."""
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
        """Compute for how long there was an outage between two instants; overlaps count once."""
        away, counted = _NONE, since
        for outage in self._outages:
            began_at = max(outage.began_at, counted)
            counted = max(counted, min(outage.ended_at, until))
            away += max(counted - began_at, _NONE)
        return away
