"""A way into the database: one connection, in a thread of its own, behind a door."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Final, TypeVar

from sqlalchemy import Connection, Engine, PoolProxiedConnection

from bot.errors import StorageBusyError
from bot.storage.sqlite_thread import SqliteThread
from bot.storage.transaction import Transaction

T = TypeVar("T")

BEGINS: Final = "begins"
"""The option of a connection that says by which statement its transactions begin."""


class Gate:
    """Lets one transaction at a time use its connection.

    Args:
        engine: connects.
        begins: the statement that begins a transaction.
        is_read_only: whether its transactions refuse to write.
    """

    def __init__(self, engine: Engine, begins: str, *, is_read_only: bool = False) -> None:
        self._engine = engine
        self._begins = begins
        self._is_read_only = is_read_only
        self._thread = SqliteThread()
        self._door = asyncio.Lock()
        self._connection: Connection | None = None  # used in its thread alone
        self.users = 0
        """How many use it or wait for it."""

    @asynccontextmanager
    async def alone(self, until: float) -> AsyncGenerator[None]:
        """Behind the door.

        Args:
            until: an instant of the monotonic clock, after which nobody waits.

        Raises:
            StorageBusyError: others were there until then.
        """
        self.users += 1
        try:
            await self._enter(until)
            try:
                yield
            finally:
                self._door.release()
        finally:
            self.users -= 1

    async def _enter(self, until: float) -> None:
        try:
            async with asyncio.timeout_at(until):
                await self._door.acquire()  # at once, whatever the time, if nobody is before
        except TimeoutError:
            raise StorageBusyError from None

    @asynccontextmanager
    async def begun(self, until: float) -> AsyncGenerator[Transaction]:
        """Committed at the end; rolled back on errors, and where who asked is cancelled.

        Args:
            until: as in `alone`, which comes before.
        """
        tx: Transaction | None = None
        try:
            connection = await self._thread.do(lambda: self._begin(until))
            tx = Transaction(connection, self._thread, is_read_only=self._is_read_only)
            yield tx
            await self._thread.do(self._commit)
        except BaseException:
            # It comes after all that was asked for, also what nobody waits for any more.
            await self._thread.do(self._roll_back)
            raise
        finally:
            if tx is not None:
                tx.end()

    async def do(self, work: Callable[[PoolProxiedConnection], T]) -> T:
        """Do something with the driver's connection, outside of any transaction."""
        return await self._thread.do(lambda: work(self._connected().connection))

    async def close(self) -> None:
        """Disconnect, and end the thread. May be called twice."""
        if self._thread.is_alive:
            try:
                await self._thread.do(self._disconnect)
            finally:
                self._thread.end()

    def _connected(self) -> Connection:
        if self._connection is None:
            connection = self._engine.connect().execution_options(**{BEGINS: self._begins})
            self._connection = connection
        return self._connection

    def _begin(self, until: float) -> Connection:
        connection = self._connected()
        self._thread.wait_at_most(until - time.monotonic(), connection.connection)
        connection.begin()
        return connection

    def _commit(self) -> None:
        self._connected().commit()

    def _roll_back(self) -> None:
        if self._connection is not None:
            self._connection.rollback()  # nothing, where nothing has begun

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
