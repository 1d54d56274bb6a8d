"""Pulses: when each shard was last heard, by which process, and which are silent."""

from collections.abc import Iterable
from typing import Any, Final

from sqlalchemy import bindparam, delete, insert, select, update

from bot.db.database import Transaction
from bot.db.tables import pulses
from bot.outages import Pulse, Shard

_ALL: Final = select(
    pulses.c.shard, pulses.c.shard_count, pulses.c.beat_at, pulses.c.process, pulses.c.silent_since
).order_by(pulses.c.shard)
_CHANGE: Final = update(pulses).where(
    pulses.c.shard == bindparam("of_shard"), pulses.c.shard_count == bindparam("of_count")
)


async def get(tx: Transaction) -> list[Pulse]:
    """Those of all shards."""
    rows = await tx.execute(_ALL)
    return [Pulse(Shard(number, count), *others) for number, count, *others in rows]


async def change(tx: Transaction, changed: Iterable[Pulse]) -> None:
    """Note what has become of pulses that are there."""
    if rows := [
        {"of_shard": pulse.shard.number, "of_count": pulse.shard.count, **_told(pulse)}
        for pulse in changed
    ]:
        await tx.execute(_CHANGE, rows)


async def begin(tx: Transaction, beginning: Iterable[Pulse]) -> None:
    """Note pulses of shards in place of all that are there, of which there were more or fewer."""
    await tx.execute(delete(pulses))
    rows = [
        {"shard": pulse.shard.number, "shard_count": pulse.shard.count, **_told(pulse)}
        for pulse in beginning
    ]
    await tx.execute(insert(pulses), rows)


def _told(pulse: Pulse) -> dict[str, Any]:
    return {
        "beat_at": pulse.beat_at,
        "process": pulse.process,
        "silent_since": pulse.silent_since,
    }
