"""Leases of work that one process does for all, and clicks on buttons that work once."""

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
from bot.db.tables.bookkeeping import leases, spent_clicks
from bot.errors import StorageError

log = logging.getLogger(__name__)


def take(tx: Transaction, name: str, holder: str, now: datetime, until: datetime) -> bool:
    """Take or renew a lease until `until`; return true if the holder has it now.

    A lease that has ended by `now` is free.
    """
    it, is_free = leases.c.name == name, leases.c.until <= now
    free = update(leases).where(it, or_(leases.c.holder == holder, is_free))
    if tx.execute(free.values(holder=holder, until=until)).rowcount:
        return True
    if tx.scalar(select(leases.c.name).where(it)) is not None:
        return False
    tx.execute(insert(leases).values(name=name, holder=holder, until=until))
    return True


def held(tx: Transaction, now: datetime) -> list[str]:
    """List the names of the leases that any process holds now."""
    query = select(leases.c.name).where(leases.c.until > now).order_by(leases.c.name)
    return list(tx.scalars(query).all())


_LASTS: Final = timedelta(minutes=1)
"""The time after which a lease ends unless it is renewed."""


class Leases:
    """The leases of this process.

    A lease lasts a minute unless it is renewed, so another process can take over after a kill. A
    process that stops releases its leases.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._holder = secrets.token_hex(8)
        # When each lease of this process expires.
        self._until: dict[str, datetime] = {}

    async def claim(self, name: str) -> bool:
        """Take or renew a lease; return true if this process has it."""
        now = self._clock.now()
        is_ours = await self._database.write(
            lambda tx: take(tx, name, self._holder, now, now + _LASTS), keys.lease(name)
        )
        self._until[name] = now + _LASTS if is_ours else now
        return is_ours

    async def renew(self, name: str) -> bool:
        """Take a lease, or renew it after half its time; return true if this process has it."""
        until = self._until.get(name)
        is_fresh = until is not None and self._clock.now() < until - _LASTS / 2
        return is_fresh or await self.claim(name)

    async def release(self, name: str) -> None:
        """Release a lease; if the database cannot be written now, it ends within a minute."""
        self._until.pop(name, None)
        mine = leases.c.name == name, leases.c.holder == self._holder
        try:
            await self._database.write(
                lambda tx: tx.execute(delete(leases).where(*mine)), keys.lease(name)
            )
        except StorageError as error:
            log.info("%s: left to others in a minute, %s", name, type(error).__name__)

    @asynccontextmanager
    async def held(self, name: str) -> AsyncGenerator[bool]:
        """Take a lease for a block, if no other process has it; yield true if it was taken."""
        is_ours = await self.claim(name)
        try:
            yield is_ours
        finally:
            if is_ours:
                await self.release(name)

    def end(self, tx: Transaction) -> None:
        """Release all leases of this process, which is about to end."""
        tx.execute(delete(leases).where(leases.c.holder == self._holder))


class SpentClicks:
    """The clicks on buttons that work once.

    The first click removes the button. A second click that comes before the removal, in this
    process or another, is recognised here.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def spend(self, number: int) -> bool:
        """Note a click on a button, by its message's id or its own; return true for the first."""

        def body(tx: Transaction) -> bool:
            mine = spent_clicks.c.message_id == number
            if tx.scalar(select(spent_clicks.c.message_id).where(mine)) is not None:
                return False
            values = {"message_id": number, "spent_at": self._clock.now()}
            tx.execute(insert(spent_clicks).values(values))
            return True

        return await self._database.write(body, keys.message(number))
