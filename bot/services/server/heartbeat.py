"""The heartbeat: it finds the outages for which no streak and no deadline has to pay.

While the bot runs, a long gap between two beats is an outage. A process that starts or stops, or
loses a shard, notes it at once: that shard is silent, however briefly, until the next beat that
hears it. Outages of a shard with less than a minute between them count as one. An outage of less
than a minute extends live deadlines only, since it keeps nobody from solving a daily.
"""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bot.model.outages import BRIEF, EVERY, Outage, Shard
from bot.services.base.clock import Clock
from bot.storage import facts
from bot.storage.database import Database, Transaction
from bot.storage.duels import duels
from bot.storage.server import outages

BEAT_SECONDS: Final = 60

_LAST_PROCESS: Final = "last_process"
# A beat may be late; what is longer than one and a half was an outage.
_SHORTEST_OUTAGE: Final = timedelta(seconds=1.5 * BEAT_SECONDS)
_KEPT: Final = timedelta(days=30)
"""How long brief outages are remembered: no live deadline is so old."""


class Heartbeat:
    """Written once a minute while the bot is connected, and when a shard comes or goes."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._process = secrets.token_hex(8)
        self._has_beaten = self._has_met_another = False

    async def wake(self) -> None:
        """Note that a process has started: until its first beat, nobody can play.

        Unless the one before has said when it stopped, it was there until its last beat or, if
        that is later, until something last happened in a duel, where seconds count.
        """
        async with self._database.transaction() as tx:
            pulse = await outages.get_pulse(tx)
            if pulse is not None:
                seen = [pulse.last_beat, await duels.last_change(tx)]
                await _fall_silent(tx, max(filter(None, seen)))

    async def stop(self, tx: Transaction) -> None:
        """Note that the bot stops now; nothing else is written after it."""
        await _fall_silent(tx, self._clock.now())

    async def pause(self) -> None:
        """Note that Discord cannot be heard at all from now on, until the next beat."""
        async with self._database.transaction() as tx:
            await _fall_silent(tx, self._clock.now())

    async def beat(self, heard: Collection[int] = (0,), shards: int = 1) -> bool:
        """Note that the bot is connected now, and since when it was not.

        Args:
            heard: by which of its shards.
            shards: how many it has.

        Returns:
            Whether another process beats, too; only said once.
        """
        async with self._database.transaction() as tx:
            now = self._clock.now()
            is_alone = await facts.get(tx, _LAST_PROCESS) == self._process
            if not is_alone:
                await facts.put(tx, _LAST_PROCESS, self._process)
            await _hear(tx, [Shard(n, shards) for n in range(shards)], heard, now)
            await outages.put_beat(tx, now)
        # Who beats for the first time finds the process before it, which need not live any more.
        is_met = self._has_beaten and not is_alone
        is_news = is_met and not self._has_met_another
        self._has_beaten, self._has_met_another = True, self._has_met_another or is_met
        return is_news


async def find_outages(
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
    found = await outages.get(tx, since, until, with_brief=with_brief)
    gone = (await _gone(tx, now)).items()
    running = [Outage(since, now, shard) for shard, since in gone if since < now]
    for outage in await _with_neighbours(tx, running):
        found = [o for o in found if o.shard != outage.shard or o.began_at < outage.began_at]
        if with_brief or not outage.is_brief:
            found.append(outage)
    return sorted(found, key=lambda outage: outage.began_at)


async def is_away(tx: Transaction, guild_id: int | None, now: datetime) -> bool:
    """Whether nothing comes from a server now; None for direct messages."""
    gone = (await _gone(tx, now)).items()
    return any(since < now and shard.serves(guild_id) for shard, since in gone)


async def note_outage(tx: Transaction, outage: Outage) -> None:
    """Note an outage that is over, as one with its neighbours; forget brief ones of long ago."""
    if outage.began_at >= outage.ended_at:
        return
    (whole,) = await _with_neighbours(tx, [outage])
    await outages.put(tx, whole)
    await outages.forget_brief(tx, before=outage.ended_at - _KEPT)


async def _with_neighbours(tx: Transaction, found: Sequence[Outage]) -> list[Outage]:
    """Outages, with those before them that are less than a minute away."""
    if not found:
        return []
    began = [outage.began_at for outage in found]
    before = await outages.get(tx, min(began) - BRIEF, max(began), with_brief=True)

    def whole(outage: Outage) -> Outage:
        earliest = outage.began_at - BRIEF
        near = [o for o in before if o.shard == outage.shard and o.ended_at >= earliest]
        return replace(outage, began_at=min(o.began_at for o in (*near, outage)))

    return [whole(outage) for outage in found]


async def _gone(tx: Transaction, now: datetime) -> dict[Shard, datetime]:
    """The silent shards, and since when each is silent."""
    pulse = await outages.get_pulse(tx)
    if pulse is None:
        return {}
    gone = dict(pulse.silences)
    if EVERY not in gone and now - pulse.last_beat > _SHORTEST_OUTAGE:
        gone[EVERY] = pulse.last_beat
    return gone


async def _hear(
    tx: Transaction, shards: Sequence[Shard], heard: Collection[int], now: datetime
) -> None:
    """Note which shards are heard from now on, and that the others are not."""
    gone, silent = await _gone(tx, now), dict[Shard, datetime]()
    everywhere = gone.pop(EVERY, None)
    for shard in shards:
        since = min(filter(None, (gone.pop(shard, None), everywhere)), default=now)
        if shard.number in heard:
            await note_outage(tx, Outage(since, now, shard))
        else:
            silent[shard] = since
    # Their number has changed with a new start. Until now every server was away, as since before
    # the start are those of shards that were silent then.
    for shard, since in gone.items():
        await note_outage(tx, Outage(since, now, shard))
    await outages.put_silences(tx, silent)


async def _fall_silent(tx: Transaction, seen: datetime) -> None:
    """Note that the bot was there last at an instant, unless it was silent or away by then."""
    await outages.put_silences(tx, {EVERY: seen} | await _gone(tx, seen))
