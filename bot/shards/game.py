"""The heartbeat of shards, and their logins one after the other."""

import secrets
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bot.clock import Clock
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.outages import ALL, BRIEF, Outage, Pulse, Shard, ShardRange
from bot.shards import store

LASTS: Final = timedelta(seconds=5.25)
"""The time between two logins of one bucket of shards: Discord's five seconds, and the network."""


class Logins:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def take(self, shard: int, at_once: int) -> timedelta:
        """Take the next turn to log in for a shard; return the time until it begins.

        `at_once` is Discord's limit of simultaneous logins; shards with the same remainder modulo
        `at_once` share a bucket, in which they log in one after the other.
        """
        bucket = shard % at_once
        return await self._database.write(
            lambda tx: store.take(tx, bucket, LASTS), keys.login(bucket)
        )


# The heartbeat. It finds outages, for which no streak and no deadline has to pay. While the bot
# runs, a long gap between two beats is an outage. A process that starts, stops or loses a shard
# notes that at once: the shard is silent until the next beat that hears it, of this process or of
# one that takes its place. Each process beats for its own shards. Outages of a shard with less than
# a minute between them count as one. An outage shorter than a minute extends races only, since it
# keeps nobody from solving a daily.

BEAT_SECONDS: Final = 60

# A beat may be late; only a gap of one and a half is an outage.
_SHORTEST_OUTAGE: Final = timedelta(seconds=1.5 * BEAT_SECONDS)
_KEPT: Final = timedelta(days=30)
"""The time for which brief outages are kept: no race has run for longer."""


class Heartbeat:
    """Notes that this process hears Discord: every minute, and whenever a shard comes or goes.

    `shards` are this process's own.
    """

    def __init__(self, database: Database, clock: Clock, shards: ShardRange = ALL) -> None:
        self._database = database
        self._clock = clock
        self._shards = shards
        self._process = secrets.token_hex(8)
        self._has_beaten = self._has_met_another = False

    async def wake(self) -> None:
        """Note that a process has started: its shards are silent until its first beat.

        A former process that did not note its stop counts as connected until its last beat or, if
        a duel was changed in the 90 seconds after that, until the last change.
        """

        def body(tx: Transaction) -> None:
            known = store.get_pulses(tx)
            if not known:
                return
            own, numbers = known, self._shards.numbers
            # All are its own if their number has changed.
            if same := [pulse for pulse in known if pulse.shard.count == self._shards.count]:
                own = [pulse for pulse in same if pulse.shard.number in numbers]
            changed_at = store.last_change_in_duels(tx, self._shards)
            seen = [max(filter(None, [pulse.beat_at, changed_at])) for pulse in own]
            store.change(tx, map(_fallen_silent, own, seen))

        await self._database.write(body, keys.PULSES)

    def stop(self, tx: Transaction) -> None:
        """Note that this process's shards are silent from now on: it ends, or none is connected."""
        now = self._clock.now()
        own = (pulse for pulse in store.get_pulses(tx) if pulse.process == self._process)
        store.change(tx, [_fallen_silent(pulse, now) for pulse in own])

    async def pause(self) -> None:
        """Note that this process cannot hear Discord from now on."""
        await self._database.write(self.stop, keys.PULSES)

    async def beat(self, heard: Collection[int] = (0,), shards: int = 1) -> bool:
        """Note which of its shards this process hears: outages of those in `heard` end.

        Its other shards are silent from now on. `shards` is the number of all shards.

        Returns:
            True, once, if another process has one of these shards, too.
        """
        numbers = range(shards) if self._shards.is_all else self._shards.numbers

        def body(tx: Transaction) -> bool:
            now = self._clock.now()
            known = store.get_pulses(tx)
            is_same = {pulse.shard.count for pulse in known} == {shards}
            there = known if is_same else _begin_anew(tx, known, shards, now)
            own = [pulse for pulse in there if pulse.shard.number in numbers]
            is_alone = all(pulse.process == self._process for pulse in own)
            gone = _gone(own, now)
            changed: list[Pulse] = []
            for pulse in own:
                shard, since = pulse.shard, gone.get(pulse.shard)
                if shard.number not in heard:
                    changed.append(Pulse(shard, pulse.beat_at, self._process, since or now))
                    continue
                if since is not None:
                    note_outage(tx, Outage(since, now, shard))
                changed.append(Pulse(shard, now, self._process))
            store.change(tx, changed)
            return bool(known) and not is_alone

        is_another = await self._database.write(body, keys.PULSES)
        # A first beat may follow one of a former process, which need not run any more.
        is_met = self._has_beaten and is_another
        is_news = is_met and not self._has_met_another
        self._has_beaten, self._has_met_another = True, self._has_met_another or is_met
        return is_news


def note_loss(tx: Transaction, now: datetime) -> datetime | None:
    """Note an outage of each shard from its last sign of life until now, as after a restore.

    Returns the last sign of life of all; None if there is none. The pulses do not change: the next
    process that starts goes on from them.
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
    """Find the outages of all shards in a period, including outages that still go on.

    Brief outages, which matter where seconds count, are left out unless `with_brief` is set.
    """
    # Pulses first: an outage that ends in between is found twice, and not missed.
    gone = _gone(store.get_pulses(tx), now).items()
    found = store.get_outages(tx, since, until, with_brief=with_brief)
    running = [Outage(since, now, shard) for shard, since in gone if since < now]
    for outage in _with_neighbours(tx, running):
        found = [o for o in found if o.shard != outage.shard or o.began_at < outage.began_at]
        if with_brief or not outage.is_brief:
            found.append(outage)
    return sorted(found, key=lambda outage: outage.began_at)


_LIVE: Final = timedelta(seconds=2 * BEAT_SECONDS)


def live_pulses(tx: Transaction, now: datetime) -> list[Pulse]:
    """List the pulses of bots that answer now: not silent, and beaten within two minutes."""
    known = store.get_pulses(tx)
    return [p for p in known if p.silent_since is None and abs(now - p.beat_at) < _LIVE]


def is_away(tx: Transaction, guild_id: int | None, now: datetime) -> bool:
    """Return true while a server's shard is silent; `guild_id` is None for direct messages."""
    gone = _gone(store.get_pulses(tx), now).items()
    return any(since < now and shard.serves(guild_id) for shard, since in gone)


def note_outage(tx: Transaction, outage: Outage) -> None:
    """Store an outage that is over, merged with near ones of its shard; delete old brief ones."""
    if outage.began_at >= outage.ended_at:
        return
    (whole,) = _with_neighbours(tx, [outage])
    store.put(tx, whole)
    store.forget_brief(tx, before=outage.ended_at - _KEPT)


def _with_neighbours(tx: Transaction, found: Sequence[Outage]) -> list[Outage]:
    """Extend outages back over those of their shard that ended less than a minute before them."""
    if not found:
        return []
    began = [outage.began_at for outage in found]
    before = store.get_outages(tx, min(began) - BRIEF, max(began), with_brief=True)

    def whole(outage: Outage) -> Outage:
        earliest = outage.began_at - BRIEF
        near = [o for o in before if o.shard == outage.shard and o.ended_at > earliest]
        return replace(outage, began_at=min(o.began_at for o in (*near, outage)))

    return [whole(outage) for outage in found]


def _gone(known: Iterable[Pulse], now: datetime) -> dict[Shard, datetime]:
    since = {pulse.shard: _gone_since(pulse, now) for pulse in known}
    return {shard: at for shard, at in since.items() if at is not None}


def _gone_since(pulse: Pulse, now: datetime) -> datetime | None:
    """Return when a shard fell silent, as noted or at its last beat; None if it is heard."""
    if pulse.silent_since is None and now - pulse.beat_at > _SHORTEST_OUTAGE:
        return pulse.beat_at
    return pulse.silent_since


def _fallen_silent(pulse: Pulse, seen: datetime) -> Pulse:
    """Mark a shard as silent since an instant, unless it is silent for longer already."""
    since = _gone_since(pulse, seen)
    return replace(pulse, silent_since=seen if since is None else since)


def _begin_anew(tx: Transaction, known: Sequence[Pulse], shards: int, now: datetime) -> list[Pulse]:
    """Replace all pulses, since the number of shards has changed.

    Outages of silent shards end now, since nobody can tell which of the new shards have their
    servers.
    """
    for shard, since in _gone(known, now).items():
        note_outage(tx, Outage(since, now, shard))
    anew = [Pulse(Shard(number, shards), now, "", now) for number in range(shards)]
    store.begin(tx, anew)
    return anew
