"""Outages that are over."""

from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, delete, insert, select

from bot.db.database import Transaction
from bot.db.tables import outages
from bot.outages import Outage, Shard

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
