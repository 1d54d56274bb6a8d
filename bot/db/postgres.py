"""PostgreSQL: a server that many processes share, reached by a pool of connections."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Generator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import Any, Final, TypeVar

from asyncpg import InterfaceError, PostgresError  # pyright: ignore[reportMissingTypeStubs]
from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.db.doors import Doors, in_time
from bot.db.keys import EVERYTHING, Key
from bot.db.postgres_url import CONNECT_SECONDS, split
from bot.db.transaction import Body, Transaction
from bot.errors import (
    ClosingError,
    LostDatabaseError,
    StorageBusyError,
    StorageError,
    UnfitDatabaseError,
    UnusableDatabaseError,
)

log = logging.getLogger(__name__)

CHANNEL: Final = "focdle"
TELL: Final = f"SELECT pg_notify('{CHANNEL}', $1)"
_LISTEN_AGAIN_SECONDS: Final = 1.0
# Where a connection is gone and nobody has said so, it is noticed after this time.
_STILL_THERE_SECONDS: Final = 30.0
_ANSWER_SECONDS: Final = 5.0
_LOST: Final = (DBAPIError, PostgresError, InterfaceError, OSError)  # a timeout is one of these

Hear = Callable[[str | None], None]
"""Is called with what a process tells; with None if something may have been missed."""


class Listener:
    """Listens on a connection of its own, and on another one when that is lost.

    Args:
        engine: what connects.
        hear: what is called.
    """

    def __init__(self, engine: AsyncEngine, hear: Hear) -> None:
        self._engine = engine
        self._hear = hear
        self._is_heard = asyncio.Event()
        self._task = asyncio.create_task(self._listen(), name="listening to other processes")

    async def until_begun(self) -> None:
        """Wait until nothing is missed any more."""
        await self._is_heard.wait()

    async def close(self) -> None:
        """Listen no more. May be called twice."""
        self._task.cancel()
        await asyncio.wait({self._task})

    async def _listen(self) -> None:
        while True:
            try:
                async with self._connected() as driver:
                    await self._until_lost(driver)
            except _LOST as error:
                if self._is_heard.is_set():  # else it was said
                    log.info("what other processes tell is not heard: %s", type(error).__name__)
            self._is_heard.clear()
            await asyncio.sleep(_LISTEN_AGAIN_SECONDS)

    @asynccontextmanager
    async def _connected(self) -> AsyncGenerator[Any]:
        async with self._engine.connect() as connection:
            try:
                yield (await connection.get_raw_connection()).driver_connection
            finally:
                await connection.invalidate()  # nobody else is to listen on it

    async def _until_lost(self, driver: Any) -> None:
        lost = asyncio.Event()

        def end(_driver: object) -> None:
            lost.set()

        def hear(_driver: object, _pid: int, _channel: str, text: str) -> None:
            self._hear(text)

        driver.add_termination_listener(end)
        await driver.add_listener(CHANNEL, hear)
        self._hear(None)  # from here on nothing is missed; until now, something may have been
        self._is_heard.set()
        while not await _is_set(lost, _STILL_THERE_SECONDS):
            async with asyncio.timeout(_ANSWER_SECONDS):
                await driver.execute("SELECT 1")


async def _is_set(event: asyncio.Event, seconds: float) -> bool:
    """Whether something happens within so many seconds."""
    try:
        async with asyncio.timeout(seconds):
            return await event.wait()
    except TimeoutError:
        return False


# PostgreSQL: a server that many processes share, reached by a pool of connections. Nothing locks
# the whole database as SQLite does. So a transaction takes an advisory lock for each key, in their
# order, and everything else shared; one without keys takes everything alone. Locks end with their
# transaction, also where the process is gone. `FOR UPDATE` could not do this: it locks no row that
# is not there yet.

T = TypeVar("T")

DRIVER: Final = "postgresql+asyncpg"

_MOST_WRITING: Final = 6
_MOST_READING: Final = 4
_LISTENING: Final = 1
_MOST_PREPARED: Final = 500
"""How many statements a connection keeps prepared; there are fewer."""
_BEGIN: Final = "BEGIN ISOLATION LEVEL READ COMMITTED"
# All that is read is of one moment.
_BEGIN_READING: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_TRANSACTION: Final = "SELECT pg_current_xact_id_if_assigned()::text"
# The first is different after every start of the server, the other also after every crash of one of
# its processes: it forgets its statistics then.
_LIFE: Final = (
    "SELECT concat(pg_postmaster_start_time(), (SELECT stats_reset FROM pg_stat_bgwriter))"
)
_OUTCOME: Final = f"SELECT pg_xact_status($1::text::xid8), ({_LIFE})"
_IN_LIFE: Final = "life"
_OLDEST: Final = 13
_ENCODING: Final = "UTF8"
_PID: Final = "SELECT pg_backend_pid()"
# How often the server is asked anew what has become of a commit whose answer is lost.
_ASK_AGAIN_SECONDS: Final = 0.1
_NO_POOLER: Final = (
    "DATABASE_URL leads to a pooler in transaction mode, where a connection loses what it has "
    "prepared and hears nothing of other processes. Name the server itself there, or a pool in "
    "session mode."
)

# https://www.postgresql.org/docs/current/errcodes-appendix.html
_BUSY: Final = (
    "40001",  # serialization_failure
    "40P01",  # deadlock_detected
    "53300",  # too_many_connections
    "55P03",  # lock_not_available
)
# What one connection has prepared is not there, or is another's.
_POOLED: Final = (
    "26000",  # invalid_sql_statement_name
    "42P05",  # duplicate_prepared_statement
)
_LOST_POSTGRES: Final = (
    "08",  # connection_exception
    "57P",  # the server is told to stop, has crashed, or is about to start
)
_UNUSABLE: Final = (
    "25006",  # read_only_sql_transaction: a standby
    "28",  # invalid_authorization_specification
    "3D",  # invalid_catalog_name: there is no such database
    "42501",  # insufficient_privilege
    "53",  # insufficient_resources: the disk is full
    "58",  # system_error
    "XX",  # internal_error: what is stored is damaged
)


class PostgresBackend:
    """Lets transactions run beside each other that are about different things.

    Args:
        url: the database.
    """

    def __init__(self, url: URL) -> None:
        address, arguments = split(url)
        self._connect_seconds: float = arguments["timeout"]
        self._engine = create_async_engine(
            address.set(drivername=DRIVER),
            # Transactions begin where we say, not where the driver supposes.
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
            pool_size=_MOST_WRITING + _MOST_READING + _LISTENING,
            max_overflow=0,
            pool_reset_on_return=None,
            connect_args={"prepared_statement_cache_size": _MOST_PREPARED, **arguments},
        )
        self._doors = Doors()
        self._writers = asyncio.Semaphore(_MOST_WRITING)
        self._readers = asyncio.Semaphore(_MOST_READING)
        self._info: dict[object, Any] = {}
        self._listener: Listener | None = None
        self._hearers: list[Hear] = []
        self._users = 0
        self._all_gone = asyncio.Event()
        self._all_gone.set()
        self._closing = False

    @asynccontextmanager
    async def writing(self, keys: Collection[Key], until: float) -> AsyncGenerator[Transaction]:
        """A transaction that took the locks of its keys first."""
        with self._used():
            async with self._begun(sorted(set(keys)), until) as tx:
                yield tx

    @asynccontextmanager
    async def reading(self, until: float) -> AsyncGenerator[Transaction]:
        """A transaction that sees what was committed when it first looked."""
        with self._used(), _as_we_say_it():
            async with self._connected(self._readers, until) as (connection, driver):
                if self._closing:
                    raise ClosingError
                tx = Transaction(connection.run_sync, self._info, is_read_only=True)
                async with _ended_by_itself(connection, driver, tx):
                    await driver.execute(_BEGIN_READING)
                    yield tx

    async def test(self) -> str:
        """Its version, if the server is new enough, knows all signs, and keeps what is prepared."""
        with _as_we_say_it():
            async with (
                asyncio.timeout(2 * self._connect_seconds),
                self._engine.connect() as first,
                self._engine.connect() as second,
            ):
                one: Any = (await first.get_raw_connection()).driver_connection
                other: Any = (await second.get_raw_connection()).driver_connection
                version: str = await one.fetchval("SHOW server_version")
                number = int(await one.fetchval("SHOW server_version_num"))
                encoding: str = await one.fetchval("SHOW server_encoding")
                is_pooled = await _is_pooled(one, other)
        if number // 10_000 < _OLDEST:
            raise UnfitDatabaseError(
                f"PostgreSQL {version} is too old. The bot needs version {_OLDEST} or newer."
            )
        if encoding != _ENCODING:
            raise UnfitDatabaseError(
                f"The database's encoding is {encoding}, which lacks signs that players type. Make "
                f"one in {_ENCODING}, and name it in DATABASE_URL: createdb "
                f"--encoding={_ENCODING} --template=template0 NAME"
            )
        if is_pooled:
            raise UnfitDatabaseError(_NO_POOLER)
        return version

    async def write(self, body: Body[T], keys: Collection[Key], until: float) -> T:
        """Statement by statement: each goes to the server and back."""
        async with self.writing(keys, until) as tx:
            return await body(tx)

    async def read(self, body: Body[T], until: float) -> T:
        """Statement by statement."""
        async with self.reading(until) as tx:
            return await body(tx)

    async def hear(self, hear: Hear) -> None:
        """By `LISTEN`."""
        self._hearers.append(hear)
        if self._listener is None:
            self._listener = Listener(self._engine, self._heard)
        with suppress(TimeoutError):
            async with asyncio.timeout(CONNECT_SECONDS):
                await self._listener.until_begun()

    def _heard(self, text: str | None) -> None:
        for hear in self._hearers:
            hear(text)

    async def empty_log(self, until: float) -> bool:
        """Nothing: the server keeps its log as its host has chosen."""
        return True

    async def close(
        self, last: Callable[[Transaction], Awaitable[None]] | None, patience: float
    ) -> None:
        """Let open transactions finish, and disconnect."""
        is_first, self._closing = not self._closing, True
        await self._all_gone.wait()
        try:
            if is_first and last is not None:
                async with self._begun([], time.monotonic() + patience, is_last=True) as tx:
                    await last(tx)
        finally:
            if self._listener is not None:
                await self._listener.close()
            await self._engine.dispose()

    @contextmanager
    def _used(self) -> Generator[None]:
        """In use: it is not disconnected meanwhile."""
        if self._closing:
            raise ClosingError
        self._users += 1
        self._all_gone.clear()
        try:
            yield
        finally:
            self._users -= 1
            if not self._users:
                self._all_gone.set()

    @asynccontextmanager
    async def _begun(
        self, keys: Sequence[Key], until: float, *, is_last: bool = False
    ) -> AsyncGenerator[Transaction]:
        with _as_we_say_it():
            async with (
                self._doors.passed(keys or [EVERYTHING], until),
                self._connected(self._writers, until) as (connection, driver),
            ):
                if self._closing and not is_last:
                    raise ClosingError
                take = partial(_take, driver, until)
                tell = partial(driver.execute, TELL)
                tx = Transaction(connection.run_sync, self._info, keys=keys, take=take, tell=tell)
                async with _ended_by_itself(connection, driver, tx):
                    locks = _locks(keys, until, _first_locks(keys))
                    await driver.execute(f"{_BEGIN}; {locks}")
                    yield tx
                    await self._commit(driver, tx, connection.info[_IN_LIFE], until)

    @asynccontextmanager
    async def _connected(
        self, some: asyncio.Semaphore, until: float
    ) -> AsyncGenerator[tuple[AsyncConnection, Any]]:
        """A connection of the pool, and the driver's own, for one of so many at a time."""
        async with AsyncExitStack() as stack:
            async with in_time(until):
                await stack.enter_async_context(some)
                connection = await stack.enter_async_context(self._engine.connect())
            driver: Any = (await connection.get_raw_connection()).driver_connection
            if driver.is_closed():  # the server has hung up while nobody used it
                await connection.invalidate()
                driver = (await connection.get_raw_connection()).driver_connection
            if _IN_LIFE not in connection.info:  # which ends with the connection at the latest
                connection.info[_IN_LIFE] = await driver.fetchval(_LIFE)
            yield connection, driver

    async def _commit(self, driver: Any, tx: Transaction, life: str, until: float) -> None:
        """Commit; where the answer is lost, find out what has become of it.

        Raises:
            LostDatabaseError: it cannot be found out, or it is known not to be committed.
        """
        number = await driver.fetchval(_TRANSACTION) if tx.has_written else None
        try:
            await driver.execute("COMMIT")
        except (PostgresError, InterfaceError, OSError) as error:
            if number is None or not _is_lost(error):
                raise
            if not await self._is_committed(number, life, until):
                raise

    async def _is_committed(self, number: str, life: str, until: float) -> bool:
        """Whether a transaction is known to be committed, as another connection tells.

        After a crash the server gives those numbers again that nothing on the disk has: what is
        committed under the number then may be another one.

        Args:
            number: the transaction's.
            life: the server's, from its last start or crash on, when it was given.
            until: how long to go on asking.
        """
        while True:
            with suppress(PostgresError, InterfaceError, OSError, DBAPIError):
                async with self._engine.connect() as connection:
                    driver: Any = (await connection.get_raw_connection()).driver_connection
                    outcome, now = await driver.fetchrow(_OUTCOME, number)
                if outcome != "in progress":
                    return bool(outcome == "committed" and now == life)
            if time.monotonic() > until:
                return False
            await asyncio.sleep(_ASK_AGAIN_SECONDS)


async def _is_pooled(one: Any, other: Any) -> bool:
    """Whether a pooler gives connections to others between two transactions."""
    process = await one.fetchval(_PID)
    await other.execute("BEGIN")
    try:
        if await other.fetchval(_PID) == process:
            return True
        return bool(await one.fetchval(_PID) != process)
    finally:
        await other.execute("ROLLBACK")


@asynccontextmanager
async def _ended_by_itself(
    connection: AsyncConnection, driver: Any, tx: Transaction
) -> AsyncGenerator[None]:
    """Roll back what is not committed at the end; a connection that cannot be told is given up."""
    is_broken_off = False
    try:
        yield
    except asyncio.CancelledError:
        is_broken_off = True  # the driver does not know yet what the server has begun
        raise
    except Exception as error:
        if driver.is_closed() and not isinstance(error, StorageError):
            raise LostDatabaseError(_words(error)) from error
        raise
    finally:
        tx.end()
        try:
            if is_broken_off or driver.is_in_transaction():
                await driver.execute("ROLLBACK")
        except (PostgresError, InterfaceError, OSError):
            await connection.invalidate()
        if driver.is_closed():
            await connection.invalidate()


async def _take(driver: Any, until: float, waits_for: Sequence[Key], tries: Sequence[Key]) -> None:
    for key in tries:
        if not await driver.fetchval("SELECT pg_try_advisory_xact_lock($1)", key.number):
            raise StorageBusyError
    if waits_for:
        with _as_we_say_it():
            await driver.execute(_locks(waits_for, until))


def _first_locks(keys: Sequence[Key]) -> list[str]:
    shared = "_shared" if keys else ""
    return [f"SELECT pg_advisory_xact_lock{shared}({EVERYTHING.number})"]


def _locks(keys: Sequence[Key], until: float, before: Sequence[str] = ()) -> str:
    """What takes the locks of keys, one after the other, and waits no longer than until then."""
    left = max(1, round((until - time.monotonic()) * 1000))
    taken = [f"SELECT pg_advisory_xact_lock({key.number})" for key in keys]
    return "; ".join([f"SET LOCAL lock_timeout = {left}", *before, *taken])


@contextmanager
def _as_we_say_it() -> Generator[None]:
    """Raise what PostgreSQL, the network or the driver say as we say it."""
    try:
        yield
    except (DBAPIError, PostgresError, InterfaceError, OSError) as error:
        said = _said(error)
        if said is None:
            raise
        raise said from error


def _said(error: Exception) -> Exception | None:
    """What is to be raised in place of an error; None for the error itself."""
    if _is_lost(error):
        return LostDatabaseError(_words(error))
    code = _code_of(error)
    if code in _BUSY:
        return StorageBusyError()
    if code in _POOLED:
        return UnfitDatabaseError(_NO_POOLER)
    return UnusableDatabaseError(_words(error)) if code.startswith(_UNUSABLE) else None


def _words(error: Exception) -> str:
    """What the server or the network says, without the statement."""
    return str(error.orig if isinstance(error, DBAPIError) else error) or "no answer in time"


def _is_lost(error: Exception) -> bool:
    """Whether there is no server, or no longer."""
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    return isinstance(error, OSError | InterfaceError) or _code_of(error).startswith(_LOST_POSTGRES)


def _code_of(error: Exception) -> str:
    """SQLSTATE; empty where the server has said nothing."""
    original = error.orig if isinstance(error, DBAPIError) else error
    return getattr(original, "sqlstate", None) or ""
