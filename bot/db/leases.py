"""What is done by one alone: leases of processes, and clicks on buttons that work once."""

import logging
import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, insert, or_, select, update

from bot.clock import Clock
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.db.tables import leases, spent_clicks
from bot.errors import StorageError


def take(tx: Transaction, name: str, holder: str, now: datetime, until: datetime) -> bool:
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
    if tx.execute(free.values(holder=holder, until=until)).rowcount:
        return True
    if tx.scalar(select(leases.c.name).where(it)) is not None:
        return False
    tx.execute(insert(leases).values(name=name, holder=holder, until=until))
    return True


def drop(tx: Transaction, name: str, holder: str) -> None:
    """Give a lease back, if it is the holder's."""
    mine = leases.c.name == name, leases.c.holder == holder
    tx.execute(delete(leases).where(*mine))


def drop_all(tx: Transaction, holder: str) -> None:
    """Give back whatever a process holds."""
    tx.execute(delete(leases).where(leases.c.holder == holder))


def held(tx: Transaction, now: datetime) -> list[str]:
    """What some process does now, by name."""
    query = select(leases.c.name).where(leases.c.until > now).order_by(leases.c.name)
    return list(tx.scalars(query).all())


def purge(tx: Transaction, now: datetime) -> None:
    """Forget leases that have ended."""
    tx.execute(delete(leases).where(leases.c.until <= now))


log = logging.getLogger(__name__)

_LASTS: Final = timedelta(minutes=1)
"""How long others leave it to a process that says nothing more."""


class Leases:
    """The leases of this process.

    Each lasts a minute, unless it is claimed anew: where a process is killed, another one goes on.
    A process that stops gives its leases back.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._holder = secrets.token_hex(8)
        # Until when this process holds each of its own, as it knows.
        self._until: dict[str, datetime] = {}

    async def claim(self, name: str) -> bool:
        """Claim something for this process, or go on claiming it; whether it is this one's.

        Args:
            name: what is to be done, in few words.
        """
        now = self._clock.now()
        is_ours = await self._database.write(
            lambda tx: take(tx, name, self._holder, now, now + _LASTS), keys.lease(name)
        )
        self._until[name] = now + _LASTS if is_ours else now
        return is_ours

    async def keep(self, name: str) -> bool:
        """Claim it anew once half of its time is over: to be asked as often as one likes."""
        until = self._until.get(name)
        is_fresh = until is not None and self._clock.now() < until - _LASTS / 2
        return is_fresh or await self.claim(name)

    async def release(self, name: str) -> None:
        """Leave it to others; if that cannot be now, they have it in a minute."""
        self._until.pop(name, None)
        try:
            await self._database.write(lambda tx: drop(tx, name, self._holder), keys.lease(name))
        except StorageError as error:
            log.info("%s: left to others in a minute, %s", name, type(error).__name__)

    @asynccontextmanager
    async def held(self, name: str) -> AsyncGenerator[bool]:
        """Something to be done now, if no other process is at it; whether it is to be done."""
        is_ours = await self.claim(name)
        try:
            yield is_ours
        finally:
            if is_ours:
                await self.release(name)

    def end(self, tx: Transaction) -> None:
        """Leave everything to others: this process stops."""
        drop_all(tx, self._holder)


def note_click(tx: Transaction, message_id: int, spent_at: datetime) -> bool:
    """Note a click; whether it is the first on its message, which the transaction is about."""
    mine = spent_clicks.c.message_id == message_id
    if tx.scalar(select(spent_clicks.c.message_id).where(mine)) is not None:
        return False
    values = {"message_id": message_id, "spent_at": spent_at}
    tx.execute(insert(spent_clicks).values(values))
    return True


def purge_clicks(tx: Transaction, *, before: datetime) -> None:
    """Forget clicks of before an instant."""
    tx.execute(delete(spent_clicks).where(spent_clicks.c.spent_at < before))


class SpentClicks:
    """Remembers the messages whose one-time button was pressed.

    The first click takes the button off its message. A second click that comes before that, to
    this process or another one, is told apart here.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def spend(self, message_id: int) -> bool:
        """Note a click on a message's button; returns whether it is the first."""
        return await self._database.write(
            lambda tx: note_click(tx, message_id, self._clock.now()), keys.message(message_id)
        )
