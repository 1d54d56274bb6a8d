"""When the bot was not connected."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, delete, insert, select

from bot.storage.database import Transaction
from bot.storage.schema import outages


@dataclass(frozen=True, slots=True)
class OutageRow:
    """A time in which the bot was not connected; a brief one matters to live deadlines only."""

    began_at: datetime
    ended_at: datetime
    is_brief: bool


_BETWEEN: Final = (
    select(outages.c.began_at, outages.c.ended_at, outages.c.is_brief)
    .where(
        outages.c.is_brief.in_(bindparam("kinds", expanding=True)),
        outages.c.ended_at >= bindparam("since"),
        outages.c.began_at <= bindparam("until"),
    )
    .order_by(outages.c.began_at)
)
_BOTH: Final = (False, True)


async def get(
    tx: Transaction, since: datetime, until: datetime, *, with_brief: bool
) -> list[OutageRow]:
    """The outages that touch the time between two instants, in order."""
    values = {"since": since, "until": until, "kinds": _BOTH if with_brief else _BOTH[:1]}
    return [OutageRow(*row) for row in await tx.execute(_BETWEEN, values)]


async def put(tx: Transaction, outage: OutageRow) -> None:
    """Note an outage, in place of those that began while it lasted."""
    within = (outages.c.began_at >= outage.began_at) & (outages.c.began_at <= outage.ended_at)
    await tx.execute(delete(outages).where(within))
    await tx.execute(insert(outages).values(asdict(outage)))


async def forget_brief(tx: Transaction, before: datetime) -> None:
    """Forget the brief ones that ended before an instant."""
    old = outages.c.is_brief.is_(True) & (outages.c.ended_at < before)
    await tx.execute(delete(outages).where(old))
