"""SQL of pulses and logins of shards, past outages, and the last change of a duel."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Select, bindparam, delete, func, insert, select, type_coerce, update

from bot.db import keyed
from bot.db.database import Transaction
from bot.db.keyed import is_served
from bot.db.tables.bookkeeping import login_slots, outages, pulses
from bot.db.tables.games import duels
from bot.db.tables.kinds import UtcDateTime
from bot.outages import Outage, Pulse, Shard, ShardRange

_NOW: Final[Select[datetime]] = select(type_coerce(func.now(), UtcDateTime))
# A slot further away means that the clock was set back.
_FURTHEST: Final = timedelta(minutes=5)


def take(tx: Transaction, bucket: int, lasts: timedelta) -> timedelta:
    """Take a bucket's next turn to log in; return the time until it begins.

    A bucket is a group of shards that log in one after the other. The turn ends after `lasts`. The
    clock is the database's.
    """
    now: datetime = tx.execute(_NOW).scalar_one()
    free_at = tx.scalar(select(login_slots.c.free_at).where(login_slots.c.bucket == bucket))
    is_taken = free_at is not None and now < free_at < now + _FURTHEST
    begins = free_at if is_taken and free_at is not None else now
    keyed.put(tx, login_slots, {"bucket": bucket}, {"free_at": begins + lasts})
    return begins - now


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


def get_outages(
    tx: Transaction, since: datetime, until: datetime, *, with_brief: bool
) -> list[Outage]:
    """List the outages that overlap a period, the earliest first.

    Without `with_brief`, brief ones are left out.
    """
    values = {"since": since, "until": until, "kinds": _BOTH if with_brief else _BOTH[:1]}
    rows = tx.execute(_BETWEEN, values)
    return [Outage(began_at, ended_at, Shard(*shard)) for began_at, ended_at, *shard in rows]


def put(tx: Transaction, outage: Outage) -> None:
    """Store an outage; delete those of the same shard that began within it."""
    within = (
        (outages.c.began_at >= outage.began_at)
        & (outages.c.began_at <= outage.ended_at)
        & (outages.c.shard == outage.shard.number)
        & (outages.c.shard_count == outage.shard.count)
    )
    tx.execute(delete(outages).where(within))
    values = {
        "began_at": outage.began_at,
        "ended_at": outage.ended_at,
        "is_brief": outage.is_brief,
        "shard": outage.shard.number,
        "shard_count": outage.shard.count,
    }
    tx.execute(insert(outages).values(values))


def forget_brief(tx: Transaction, before: datetime) -> None:
    old = outages.c.is_brief.is_(True) & (outages.c.ended_at < before)
    tx.execute(delete(outages).where(old))


_ALL: Final = select(
    pulses.c.shard, pulses.c.shard_count, pulses.c.beat_at, pulses.c.process, pulses.c.silent_since
).order_by(pulses.c.shard)
_CHANGE: Final = update(pulses).where(
    pulses.c.shard == bindparam("of_shard"), pulses.c.shard_count == bindparam("of_count")
)


def get_pulses(tx: Transaction) -> list[Pulse]:
    rows = tx.execute(_ALL)
    return [Pulse(Shard(number, count), *others) for number, count, *others in rows]


def change(tx: Transaction, changed: Iterable[Pulse]) -> None:
    if rows := [
        {"of_shard": pulse.shard.number, "of_count": pulse.shard.count, **_values(pulse)}
        for pulse in changed
    ]:
        tx.execute(_CHANGE, rows)


def begin(tx: Transaction, beginning: Iterable[Pulse]) -> None:
    """Delete all pulses and store these: the number of shards has changed."""
    tx.execute(delete(pulses))
    rows = [
        {"shard": pulse.shard.number, "shard_count": pulse.shard.count, **_values(pulse)}
        for pulse in beginning
    ]
    tx.execute(insert(pulses), rows)


def _values(pulse: Pulse) -> dict[str, Any]:
    return {
        "beat_at": pulse.beat_at,
        "process": pulse.process,
        "silent_since": pulse.silent_since,
    }


def last_change_in_duels(tx: Transaction, shards: ShardRange) -> datetime | None:
    """Find when a duel on these shards last changed: somebody acted in it, or it ended.

    None if there is no such duel.
    """
    query = select(func.max(duels.c.moved_at), func.max(duels.c.finished_at))
    query = query.where(is_served(duels.c.guild_id, shards))
    found: tuple[datetime | None, datetime | None] = tuple(tx.execute(query).one())
    return max((at for at in found if at is not None), default=None)
