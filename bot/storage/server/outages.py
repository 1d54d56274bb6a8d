"""Outages, silences that go on, and the last heartbeat."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, delete, insert, literal, select

from bot.model.outages import Outage, Pulse, Shard
from bot.storage import facts
from bot.storage.database import Transaction
from bot.storage.schema import facts as fact
from bot.storage.schema import outages, silences

_LAST_BEAT: Final = "last_beat"


_BETWEEN: Final = (
    select(
        outages.c.began_at,
        outages.c.ended_at,
        outages.c.shard,
        outages.c.shard_count,
    )
    .where(
        outages.c.is_brief.in_(bindparam("kinds", expanding=True)),
        outages.c.ended_at >= bindparam("since"),
        outages.c.began_at <= bindparam("until"),
    )
    .order_by(outages.c.began_at)
)
_BOTH: Final = [False, True]
_PULSE: Final = (
    select(fact.c.value, silences.c.since, silences.c.shard, silences.c.shard_count)
    .select_from(fact.outerjoin(silences, literal(1) == 1))
    .where(fact.c.name == _LAST_BEAT)
)


async def get(
    tx: Transaction, since: datetime, until: datetime, *, with_brief: bool
) -> list[Outage]:
    """The outages that touch the time between two instants, in order."""
    values = {"since": since, "until": until, "kinds": _BOTH if with_brief else _BOTH[:1]}
    rows = await tx.execute(_BETWEEN, values)
    return [Outage(began_at, ended_at, Shard(*shard)) for began_at, ended_at, *shard in rows]


async def put(tx: Transaction, outage: Outage) -> None:
    """Note an outage, in place of those of the same shard that began while it lasted."""
    within = (
        (outages.c.began_at >= outage.began_at)
        & (outages.c.began_at <= outage.ended_at)
        & (outages.c.shard == outage.shard.number)
        & (outages.c.shard_count == outage.shard.count)
    )
    await tx.execute(delete(outages).where(within))
    values = {
        "began_at": outage.began_at,
        "ended_at": outage.ended_at,
        "is_brief": outage.is_brief,
        "shard": outage.shard.number,
        "shard_count": outage.shard.count,
    }
    await tx.execute(insert(outages).values(values))


async def forget_brief(tx: Transaction, before: datetime) -> None:
    """Forget the brief ones that ended before an instant."""
    old = outages.c.is_brief.is_(True) & (outages.c.ended_at < before)
    await tx.execute(delete(outages).where(old))


async def get_pulse(tx: Transaction) -> Pulse | None:
    """When the bot was last connected, and what is silent since; None before the first time."""
    rows = (await tx.execute(_PULSE)).all()
    if not rows:
        return None
    silent = {Shard(*shard): since for _, since, *shard in rows if since is not None}
    return Pulse(datetime.fromisoformat(rows[0].value), silent)


async def put_beat(tx: Transaction, at: datetime) -> None:
    """Note that the bot is connected."""
    await facts.put(tx, _LAST_BEAT, at.isoformat())


async def put_silences(tx: Transaction, silences_since: Mapping[Shard, datetime]) -> None:
    """Note which shards are silent and since when, and that no others are."""
    await tx.execute(delete(silences))
    rows = [
        {"shard": shard.number, "shard_count": shard.count, "since": since}
        for shard, since in silences_since.items()
    ]
    if rows:
        await tx.execute(insert(silences), rows)
