"""A way into the database: one connection, in a thread of its own, behind a door."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager
from contextvars import copy_context
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, PoolProxiedConnection

from bot.db.keys import Key
from bot.db.sqlite_thread import SqliteThread
from bot.db.transaction import Body, Doing, Transaction
from bot.errors import StorageBusyError

T = TypeVar("T")


class Gate:
    """Lets one transaction at a time use its connection.

    Args:
        engine: connects.
    """

    begins = "BEGIN IMMEDIATE"
    """The statement that begins a transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._thread = SqliteThread()
        self._door = asyncio.Lock()
        self._connection: Connection | None = None  # this and the next are used in its thread alone
        self._has_begun = False
        self._info: dict[object, Any] = {}
        self.users = 0
        """How many use it or wait for it."""

    async def enter(self, until: float) -> None:
        """Come behind the door, and be alone there until `leave`.

        Args:
            until: an instant of the monotonic clock, after which nobody waits.

        Raises:
            StorageBusyError: others were there until then.
        """
        self.users += 1
        try:
            if self.users == 1:  # nobody is before: at once, whatever the time
                await self._door.acquire()
                return
            async with asyncio.timeout_at(until):
                await self._door.acquire()
        except TimeoutError:
            self.users -= 1
            raise StorageBusyError from None
        except BaseException:
            self.users -= 1
            raise

    def leave(self) -> None:
        """Let the next one come."""
        self._door.release()
        self.users -= 1

    @asynccontextmanager
    async def begun(self, until: float, keys: Iterable[Key] = ()) -> AsyncGenerator[Transaction]:
        """Committed at the end; rolled back on errors, and where who asked is cancelled.

        Args:
            until: as in `enter`, which comes before.
            keys: what it is about.
        """
        tx, begin = self._transaction(until, keys, is_read_only=False)
        try:
            await self._thread.do(begin)  # before anybody looks at the clock
            yield tx
            await self._thread.do(self._commit)
        except BaseException:
            # It comes after all that was asked for, also what nobody waits for any more.
            await self._thread.do(self._roll_back)
            raise
        finally:
            tx.end()

    async def carry_out(self, body: Body[T], until: float, keys: Iterable[Key] = ()) -> T:
        """A whole transaction in one trip to the thread, where its body runs from end to end.

        It awaits nothing but its statements, and these are executed where they are met. So there
        is no way there and back for each, which would cost about as much as a small statement.

        Args:
            body: what is done in it.
            until: as in `enter`, which comes before.
            keys: what it is about.

        Raises:
            RuntimeError: the body awaits something else.
        """
        context = copy_context()
        try:
            return await self._thread.do(lambda: context.run(self._carry_out, body, until, keys))
        except asyncio.CancelledError:
            # Nobody else comes before it has been carried out, although nobody waits for it.
            await self._thread.do(self._roll_back)
            raise

    def _carry_out(self, body: Body[T], until: float, keys: Iterable[Key]) -> T:
        """`carry_out`, in the thread."""
        begin = partial(self._begin, until)
        tx = Transaction(_at_once(begin), self._info, keys=keys)
        try:
            begin()  # before anybody looks at the clock
            found = _driven(body, tx)
            self._commit()
        except BaseException:
            self._roll_back()
            raise
        finally:
            tx.end()
        return found

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

    def _transaction(
        self, until: float, keys: Iterable[Key], *, is_read_only: bool
    ) -> tuple[Transaction, Callable[[], Connection]]:
        """A transaction, and what begins it in the thread if nothing that it executes has."""
        begin = partial(self._begin, until)

        async def do(work: Callable[[Connection], T]) -> T:
            return await self._thread.do(lambda: work(begin()))

        return Transaction(do, self._info, is_read_only=is_read_only, keys=keys), begin

    def _connected(self) -> Connection:
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    def _begin(self, until: float) -> Connection:
        """The connection, on which a transaction has begun, now or before."""
        connection = self._connected()
        if not self._has_begun:
            self._thread.wait_at_most(until - time.monotonic(), connection.connection)
            connection.connection.cursor().execute(self.begins)
            self._has_begun = True
        return connection

    def _commit(self) -> None:
        connection = self._connected()
        self._has_begun = False
        if connection.in_transaction():  # SQLAlchemy has executed something, and is to know
            connection.commit()
        else:
            connection.connection.commit()

    def _roll_back(self) -> None:
        self._has_begun = False
        if self._connection is not None:
            self._connection.rollback()
            self._connection.connection.rollback()  # nothing, where nothing has begun

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


class ReadingGate(Gate):
    """Lets one transaction at a time read, and see all that was committed before its first look.

    It begins with that look, and nobody waits for its end: so a look is one trip to the thread.
    """

    begins = "BEGIN"

    @asynccontextmanager
    async def begun(self, until: float, keys: Iterable[Key] = ()) -> AsyncGenerator[Transaction]:
        """Over at the end.

        Args:
            until: as in `enter`, which comes before.
            keys: none are needed.
        """
        tx, _ = self._transaction(until, keys, is_read_only=True)
        try:
            yield tx
        finally:
            tx.end()
            self._thread.tell(self._roll_back)

    def _carry_out(self, body: Body[T], until: float, keys: Iterable[Key]) -> T:
        tx = Transaction(_at_once(partial(self._begin, until)), self._info, is_read_only=True)
        try:
            return _driven(body, tx)
        finally:
            tx.end()
            self._roll_back()


def _at_once(begin: Callable[[], Connection]) -> Doing:
    """Does things with a connection in the thread that asks for them, which is the gate's."""

    async def do(work: Callable[[Connection], T]) -> T:
        return work(begin())

    return do


def _driven(body: Body[T], tx: Transaction) -> T:
    """What comes of a body that never waits."""
    steps = body(tx)
    try:
        steps.send(None)
    except StopIteration as end:
        found: T = end.value
        return found
    finally:
        steps.close()
    raise RuntimeError("a transaction that is carried out at once can wait for nothing")
