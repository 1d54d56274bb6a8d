"""The heartbeat, and logins of shards one after the other."""

import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bot.clock import Clock
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.outages import ALL, BRIEF, Outage, Pulse, Shard, ShardRange
from bot.shards import store

LASTS: Final = timedelta(seconds=5.25)
"""How long after a login the next of its bucket may come: Discord's five, and the way there."""


class Logins:
    """The slots in which shards log in; each use is one short transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def take(self, shard: int, at_once: int) -> timedelta:
        """Take the next slot for a shard; how long until it begins.

        Args:
            shard: its number.
            at_once: how many Discord lets log in at once; those with one remainder share a bucket.
        """
        bucket = shard % at_once
        return await self._database.write(
            lambda tx: store.take(tx, bucket, LASTS), keys.login(bucket)
        )


# The heartbeat: it finds the outages for which no streak and no deadline has to pay. While the bot
# runs, a long gap between two beats is an outage. A process that starts or stops, or loses a shard,
# notes it at once: that shard is silent, however briefly, until the next beat that hears it, of
# this process or of one that takes its place. Where several share the work, each beats for its own
# shards. Outages of a shard with less than a minute between them count as one. An outage of less
# than a minute extends live deadlines only, since it keeps nobody from solving a daily.

BEAT_SECONDS: Final = 60

# A beat may be late; what is longer than one and a half was an outage.
_SHORTEST_OUTAGE: Final = timedelta(seconds=1.5 * BEAT_SECONDS)
_KEPT: Final = timedelta(days=30)
"""How long brief outages are remembered: no live deadline is so old."""


class Heartbeat:
    """Written once a minute while the bot is connected, and when a shard comes or goes.

    Args:
        database: where it is written.
        clock: what tells the time.
        shards: which shards this process has; of the others it says nothing.
    """

    def __init__(self, database: Database, clock: Clock, shards: ShardRange = ALL) -> None:
        self._database = database
        self._clock = clock
        self._shards = shards
        self._process = secrets.token_hex(8)
        self._has_beaten = self._has_met_another = False

    async def wake(self) -> None:
        """Note that a process has started: until its first beat, nobody can play by its shards.

        Unless the one before has said when it stopped, it was there until its last beat or, if
        that is later, until something last happened in a duel, where seconds count.
        """

        def body(tx: Transaction) -> None:
            known = store.get_pulses(tx)
            if known:
                changed_at = store.last_change_in_duels(tx, self._shards)
                store.change(
                    tx,
                    [
                        _fallen_silent(pulse, max(filter(None, [pulse.beat_at, changed_at])))
                        for pulse in self._to_have(known)
                    ],
                )

        await self._database.write(body, keys.PULSES)

    def _to_have(self, known: Sequence[Pulse]) -> list[Pulse]:
        """The shards that this process has, or all if their number has changed."""
        same = [pulse for pulse in known if pulse.shard.count == self._shards.count]
        return [p for p in same if p.shard.number in self._shards.numbers] if same else [*known]

    def stop(self, tx: Transaction) -> None:
        """Note that the process stops now; nothing else is written after it."""
        now = self._clock.now()
        own = (pulse for pulse in store.get_pulses(tx) if pulse.process == self._process)
        store.change(tx, [_fallen_silent(pulse, now) for pulse in own])

    async def pause(self) -> None:
        """Note that this process cannot hear Discord at all from now on, until the next beat."""
        await self._database.write(self.stop, keys.PULSES)

    async def beat(self, heard: Collection[int] = (0,), shards: int = 1) -> bool:
        """Note that the bot is connected now, and since when it was not.

        Args:
            heard: by which of this process's shards.
            shards: how many there are in all.

        Returns:
            Whether another process has one of them, too; only said once.
        """
        numbers = range(shards) if self._shards.is_all else self._shards.numbers

        def body(tx: Transaction) -> bool:
            now = self._clock.now()
            known = store.get_pulses(tx)
            if {pulse.shard.count for pulse in known} != {shards}:
                there = _begin_anew(tx, known, shards, now)
            else:
                there = known
            own = [pulse for pulse in there if pulse.shard.number in numbers]
            is_alone = all(pulse.process == self._process for pulse in own)
            gone = _gone(own, now)
            for pulse in own:
                since = gone.get(pulse.shard)
                if since is not None and pulse.shard.number in heard:
                    note_outage(tx, Outage(since, now, pulse.shard))
            store.change(tx, [self._heard(pulse, gone, heard, now) for pulse in own])
            return bool(known) and not is_alone

        is_another = await self._database.write(body, keys.PULSES)
        # Who beats for the first time finds the process before it, which need not live any more.
        is_met = self._has_beaten and is_another
        is_news = is_met and not self._has_met_another
        self._has_beaten, self._has_met_another = True, self._has_met_another or is_met
        return is_news

    def _heard(
        self, pulse: Pulse, gone: Mapping[Shard, datetime], heard: Collection[int], now: datetime
    ) -> Pulse:
        if pulse.shard.number in heard:
            return Pulse(pulse.shard, now, self._process)
        since = gone.get(pulse.shard, now)
        return Pulse(pulse.shard, pulse.beat_at, self._process, since)


def note_loss(tx: Transaction, now: datetime) -> datetime | None:
    """Note that all is lost that came after the last beat, as in a backup that is restored.

    Whoever played then is excused as if the bot had been away until now, by all shards. Who starts
    next finds the same beats, and goes on from there.

    Args:
        tx: a transaction on what is left.
        now: the present instant.

    Returns:
        When the bot was last there; None if it never was.
    """
    known = store.get_pulses(tx)
    changed_at = store.last_change_in_duels(tx, ALL)
    seen = [max(filter(None, [pulse.beat_at, changed_at])) for pulse in known]
    for pulse, at in zip(known, seen, strict=True):
        note_outage(tx, Outage(_gone_since(pulse, at) or at, now, pulse.shard))
    return max(seen, default=None)


def find_outages(
    tx: Transaction, since: datetime, until: datetime, now: datetime, *, with_brief: bool
) -> list[Outage]:
    """The outages of all shards that touch a time, in order, with those that still go on.

    Args:
        tx: the transaction.
        since: when that time begins.
        until: when it ends.
        now: the present instant.
        with_brief: whether also those that matter to live deadlines only.
    """
    # In this order: what has ended in between is found twice, and not missed.
    gone = _gone(store.get_pulses(tx), now).items()
    found = store.get_outages(tx, since, until, with_brief=with_brief)
    running = [Outage(since, now, shard) for shard, since in gone if since < now]
    for outage in _with_neighbours(tx, running):
        found = [o for o in found if o.shard != outage.shard or o.began_at < outage.began_at]
        if with_brief or not outage.is_brief:
            found.append(outage)
    return sorted(found, key=lambda outage: outage.began_at)


def is_away(tx: Transaction, guild_id: int | None, now: datetime) -> bool:
    """Whether nothing comes from a server now; None for direct messages."""
    gone = _gone(store.get_pulses(tx), now).items()
    return any(since < now and shard.serves(guild_id) for shard, since in gone)


def note_outage(tx: Transaction, outage: Outage) -> None:
    """Note an outage that is over, as one with its neighbours; forget brief ones of long ago."""
    if outage.began_at >= outage.ended_at:
        return
    (whole,) = _with_neighbours(tx, [outage])
    store.put(tx, whole)
    store.forget_brief(tx, before=outage.ended_at - _KEPT)


def _with_neighbours(tx: Transaction, found: Sequence[Outage]) -> list[Outage]:
    """Outages, with those before them that are less than a minute away."""
    if not found:
        return []
    began = [outage.began_at for outage in found]
    before = store.get_outages(tx, min(began) - BRIEF, max(began), with_brief=True)

    def whole(outage: Outage) -> Outage:
        earliest = outage.began_at - BRIEF
        near = [o for o in before if o.shard == outage.shard and o.ended_at >= earliest]
        return replace(outage, began_at=min(o.began_at for o in (*near, outage)))

    return [whole(outage) for outage in found]


def _gone(known: Iterable[Pulse], now: datetime) -> dict[Shard, datetime]:
    """The silent shards, and since when each is silent."""
    since = {pulse.shard: _gone_since(pulse, now) for pulse in known}
    return {shard: at for shard, at in since.items() if at is not None}


def _gone_since(pulse: Pulse, now: datetime) -> datetime | None:
    """Since when a shard is silent; nobody has to have said so."""
    if pulse.silent_since is None and now - pulse.beat_at > _SHORTEST_OUTAGE:
        return pulse.beat_at
    return pulse.silent_since


def _fallen_silent(pulse: Pulse, seen: datetime) -> Pulse:
    """A shard that was there last at an instant, unless it was silent by then."""
    since = _gone_since(pulse, seen)
    return replace(pulse, silent_since=seen if since is None else since)


def _begin_anew(tx: Transaction, known: Sequence[Pulse], shards: int, now: datetime) -> list[Pulse]:
    """The shards after a start with another number of them: all silent, from now on.

    Until now every server was away, as since before the start are those of shards that were
    silent then: where the same server is afterwards, nobody has to tell.
    """
    for shard, since in _gone(known, now).items():
        note_outage(tx, Outage(since, now, shard))
    anew = [Pulse(Shard(number, shards), now, "", now) for number in range(shards)]
    store.begin(tx, anew)
    return anew
