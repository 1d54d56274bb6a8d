"""Leases: what one process does, so that others do not, until it says so or a time has passed."""

from datetime import datetime

from sqlalchemy import delete, insert, or_, select, update

from bot.db.database import Transaction
from bot.db.tables import leases


async def take(tx: Transaction, name: str, holder: str, now: datetime, until: datetime) -> bool:
    """Take a lease, or keep it longer; whether it is the holder's now.

    Args:
        tx: the transaction, which is about the lease.
        name: what it is for.
        holder: which process asks.
        now: the present instant; a lease that ends by then is nobody's.
        until: when it ends, if its holder says nothing.
    """
    it, is_free = leases.c.name == name, leases.c.until <= now
    free = update(leases).where(it, or_(leases.c.holder == holder, is_free))
    if (await tx.execute(free.values(holder=holder, until=until))).rowcount:
        return True
    if await tx.scalar(select(leases.c.name).where(it)) is not None:
        return False
    await tx.execute(insert(leases).values(name=name, holder=holder, until=until))
    return True


async def drop(tx: Transaction, name: str, holder: str) -> None:
    """Give a lease back, if it is the holder's."""
    mine = leases.c.name == name, leases.c.holder == holder
    await tx.execute(delete(leases).where(*mine))


async def drop_all(tx: Transaction, holder: str) -> None:
    """Give back whatever a process holds."""
    await tx.execute(delete(leases).where(leases.c.holder == holder))


async def held(tx: Transaction, now: datetime) -> list[str]:
    """What some process does now, by name."""
    query = select(leases.c.name).where(leases.c.until > now).order_by(leases.c.name)
    return list((await tx.scalars(query)).all())


async def purge(tx: Transaction, now: datetime) -> None:
    """Forget leases that have ended."""
    await tx.execute(delete(leases).where(leases.c.until <= now))
