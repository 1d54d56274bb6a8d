"""When shards may log in, by the clock of the database: processes' own may differ."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Select, func, select, type_coerce

from bot.db import keyed
from bot.db.database import Transaction
from bot.db.once import once
from bot.db.tables import UtcDateTime, login_slots

_NOW: Final[Select[datetime]] = select(type_coerce(func.now(), UtcDateTime))
# Nobody waits for so long: the clock has been set back.
_FURTHEST: Final = timedelta(minutes=5)


async def take(tx: Transaction, bucket: int, lasts: timedelta) -> timedelta:
    """Take a bucket's next slot; how long until it begins."""
    now: datetime = (await tx.execute(_NOW)).scalar_one()
    free_at = await tx.scalar(*_free_at(bucket))
    is_taken = free_at is not None and now < free_at < now + _FURTHEST
    begins = free_at if is_taken and free_at is not None else now
    await keyed.put(tx, login_slots, {"bucket": bucket}, {"free_at": begins + lasts})
    return begins - now


@once
def _free_at(bucket: int) -> Select[datetime]:
    return select(login_slots.c.free_at).where(login_slots.c.bucket == bucket)
