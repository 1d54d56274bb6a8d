"""Outages, silences that go on, and the last heartbeat."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, delete, insert, literal, select

from bot.storage import facts
from bot.storage.database import Transaction
from bot.storage.schema import facts as fact
from bot.storage.schema import outages, silences

_LAST_BEAT: Final = "last_beat"


@dataclass(frozen=True, slots=True)
class OutageRow:
    """A time in which a shard was not connected; a brief one matters to live deadlines only."""

    began_at: datetime
    ended_at: datetime
    is_brief: bool
    shard: int = 0
    shard_count: int = 1


@dataclass(frozen=True, slots=True)
class SilenceRow:
    """A shard by which nothing comes now, and since when."""

    since: datetime
    shard: int = 0
    shard_count: int = 1


@dataclass(frozen=True, slots=True)
class PulseRow:
    """When the bot was last connected, by whichever shard, and which of them are silent."""

    last_beat: datetime
    silences: Sequence[SilenceRow]


_BETWEEN: Final = (
    select(
        outages.c.began_at,
        outages.c.ended_at,
        outages.c.is_brief,
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
_BOTH: Final = (False, True)
_PULSE: Final = (
    select(fact.c.value, silences.c.since, silences.c.shard, silences.c.shard_count)
    .select_from(fact.outerjoin(silences, literal(1) == 1))
    .where(fact.c.name == _LAST_BEAT)
)


async def get(
    tx: Transaction, since: datetime, until: datetime, *, with_brief: bool
) -> list[OutageRow]:
    """The outages that touch the time between two instants, in order."""
    values = {"since": since, "until": until, "kinds": _BOTH if with_brief else _BOTH[:1]}
    return [OutageRow(*row) for row in await tx.execute(_BETWEEN, values)]


async def put(tx: Transaction, outage: OutageRow) -> None:
    """Note an outage, in place of those of the same shard that began while it lasted."""
    within = (
        (outages.c.began_at >= outage.began_at)
        & (outages.c.began_at <= outage.ended_at)
        & (outages.c.shard == outage.shard)
        & (outages.c.shard_count == outage.shard_count)
    )
    await tx.execute(delete(outages).where(within))
    await tx.execute(insert(outages).values(asdict(outage)))


async def forget_brief(tx: Transaction, before: datetime) -> None:
    """Forget the brief ones that ended before an instant."""
    old = outages.c.is_brief.is_(True) & (outages.c.ended_at < before)
    await tx.execute(delete(outages).where(old))


async def get_pulse(tx: Transaction) -> PulseRow | None:
    """When the bot was last connected, and what is silent since; None before the first time."""
    rows = (await tx.execute(_PULSE)).all()
    if not rows:
        return None
    silent = [SilenceRow(since, *shard) for _, since, *shard in rows if since is not None]
    return PulseRow(datetime.fromisoformat(rows[0].value), silent)


async def put_beat(tx: Transaction, at: datetime) -> None:
    """Note that the bot is connected."""
    await facts.put(tx, _LAST_BEAT, at.isoformat())


async def put_silences(tx: Transaction, rows: Collection[SilenceRow]) -> None:
    """Note which shards are silent, and that no others are."""
    await tx.execute(delete(silences))
    if rows:
        await tx.execute(insert(silences), [asdict(row) for row in rows])
