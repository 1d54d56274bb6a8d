"""The database as features see it, SQLite or PostgreSQL: `read`, `write`, and its migration."""

import asyncio
import logging
import time
from collections.abc import (
    AsyncGenerator,
    Callable,
    Collection,
    Coroutine,
    Generator,
    Iterable,
    Sequence,
)
from concurrent.futures import ThreadPoolExecutor
from contextlib import (
    AbstractContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
    nullcontext,
    suppress,
)
from contextvars import copy_context
from functools import partial
from importlib import import_module
from pathlib import Path
from secrets import token_hex
from time import perf_counter
from typing import Any, ClassVar, Final, Protocol, Self, TypeVar

from sqlalchemy import Connection, make_url, text
from sqlalchemy.exc import DBAPIError

from bot.clock import MOST_SECONDS, patience
from bot.db.keys import EVERYTHING, PLAYER, Key
from bot.db.revisions import known_revisions, revision_of
from bot.db.sqlite import Sqlite, file_of
from bot.db.transaction import Body, MustWriteError, Transaction
from bot.errors import (
    ClosingError,
    LostDatabaseError,
    NewerDatabaseError,
    NoDriverError,
    StorageBusyError,
    StorageError,
    UnusableDatabaseError,
)
from bot.gauges import Gauges

log = logging.getLogger(__name__)
T = TypeVar("T")
Hear = Callable[[str | None], None]
"""A callback that gets what was told, or None if some of it may have been missed."""

_MOST_TOLD: Final = 100
"""How many names one text has at most: PostgreSQL sends 8,000 bytes at once."""
_WRITE: Final = "write"
_READ: Final = "read"
# A reader waits at least this long for others: one who waited in vain for a write may still read.
_FOR_READERS_SECONDS: Final = 0.25


class Backend(Protocol):
    """A kind of database. All methods block, so `Database` calls them in threads.

    Attributes:
        has_locks: whether transactions with different keys may write at once.
    """

    writers: ClassVar[int]
    readers: ClassVar[int]
    has_locks: ClassVar[bool]

    def test(self) -> str:
        """See `Database.test`."""
        ...

    def writing(self, keys: Collection[Key], until: float) -> AbstractContextManager[Transaction]:
        """Run a block as a transaction, which commits at its end, or rolls back on errors.

        `keys` are sorted; without any, everything is locked. Waiting for locks ends at `until`, an
        instant of the monotonic clock, with `StorageBusyError`.
        """
        ...

    def reading(self, until: float) -> AbstractContextManager[Transaction]:
        """Run a block as a read-only transaction, which sees one snapshot.

        If it must wait for a lock, it does so until `until`.
        """
        ...

    def hear(self, hear: Hear) -> None:
        """Call `hear`, in a thread, with each text that any process's commit sends.

        It gets None when listening begins, also after a lost connection: earlier texts may have
        been missed. SQLite sends nothing.
        """
        ...

    def checkpoint(self) -> bool:
        """See `Database.checkpoint`."""
        ...

    def close(self) -> None: ...


class Copies(Protocol):
    """An object that makes backups before migrations."""

    def make(self, file: Path | None, revision: str) -> Coroutine[Any, Any, None]:
        """Copy the database's file before a migration; `file` is None if it has none.

        `revision` is the last migration that the database has had.
        """
        ...

    def to_go_back_to(self) -> Path | None:
        """Return the newest of these backups that this version can use; None if there is none."""
        ...


class Database:
    """The bot's database: features reach it only by `read` and `write`.

    The body of a transaction is a function that runs from end to end in one of the database's
    threads. A writing body holds the locks of its keys, so what it has read about them is still
    true when it writes. Reading bodies never wait for writing ones.
    """

    def __init__(self, backend: Backend, patience: float) -> None:
        self._backend = backend
        self._patience = patience
        self._locks = KeyLocks()
        self._writers = Threads(backend.writers, "database")
        self._readers = Threads(backend.readers, "database reader")
        self._gauges: Gauges | None = None
        self._watcher = _Watcher()
        self._closing = asyncio.Lock()

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        patience: float = MOST_SECONDS,
        must_exist: bool = False,
        copies: Copies | None = None,
        waits: bool = False,
    ) -> Self:
        """Connect, and make the tables, or migrate them to this version.

        Args:
            url: an SQLAlchemy URL of an SQLite file or a PostgreSQL database.
            patience: the most seconds to wait for other transactions, here or in other processes.
            must_exist: whether a missing file is an error; else it is made.
            copies: makes a backup before a migration; None for no backup.
            waits: keep waiting while another process holds the database, for example to migrate it.

        Raises:
            DamagedDatabaseError: the file is damaged, or is no SQLite database.
            NewerDatabaseError: a later version of this program has written it.
            NoDatabaseError: the file does not exist, and `must_exist` is set.
            NoDriverError: the driver is not installed.
            StorageBusyError: another process holds it.
            TrialDatabaseError: a version before 1.0 has made it.
            UnfitDatabaseError: the bot cannot work with it.
            UnusableDatabaseError: it cannot be opened or written to, or is no database.
        """
        database = cls(_backend(url, must_exist=must_exist), patience)
        try:
            await database.test()
            await database._bring_up_to_date(url, copies, waits=waits)
        except NewerDatabaseError as error:
            await database.close()
            raise NewerDatabaseError(None if copies is None else copies.to_go_back_to()) from error
        except DBAPIError as error:
            await database.close()
            raise UnusableDatabaseError(str(error.orig)) from error
        except BaseException:
            await database.close()
            raise
        return database

    async def _bring_up_to_date(self, url: str, copies: Copies | None, *, waits: bool) -> None:
        loop, is_told = asyncio.get_running_loop(), False

        def copy(revision: str) -> None:
            """Make a backup while the transaction keeps others from writing."""
            if copies is not None:
                making = copies.make(file_at(url), revision)
                asyncio.run_coroutine_threadsafe(making, loop).result()

        while True:
            try:
                return await self.write(lambda tx: _migrate(tx.connection, copy))
            except StorageBusyError:
                if not waits:
                    raise
                if not is_told:
                    log.info("waiting for the process that brings the database up to date")
                is_told = True

    @classmethod
    def unmigrated(cls, url: str, *, patience: float = MOST_SECONDS) -> Self:
        """Return an existing database as it is, not migrated; it connects on first use.

        A file of SQLite's is opened read-only: nothing in it or beside it is changed. Raise
        `NoDatabaseError` if the file is missing.
        """
        return cls(_backend(url, must_exist=True, read_only=True), patience)

    async def test(self) -> str:
        """Check that the bot can work with the server; return its version, empty for SQLite."""
        return await self._readers.do(self._backend.test, self._until())

    async def write(self, body: Body[T], *keys: Key) -> T:
        """Run a body in a transaction, which commits at its end or rolls back on errors.

        Args:
            keys: locks that the transaction holds; without any, it locks everything.

        Raises:
            StorageBusyError: no thread was free in time, or a lock was not.
            ClosingError: the database is being closed.
            UnusableDatabaseError: it cannot be read or written any more.
            Exception: any that the body raises.
        """
        until, about = self._until(), sorted(set(keys))
        begin = partial(self._backend.writing, about, until)
        alone = partial(self._locks.held, about or [EVERYTHING], until)
        with self._timed(_WRITE) as times:
            self._writers.require_open()
            async with alone() if self._backend.has_locks else nullcontext():
                work = partial(_carry_out, begin, body, times, self._watcher)
                return await self._writers.do(work, until)

    async def read(self, body: Body[T], *keys: Key) -> T:
        """Run a body on a snapshot; if it tries to write, run it again by `write`.

        Args:
            body: may run up to three times, as it also runs again if the connection is lost.
            keys: the keys for `write`.
        """
        until = max(self._until(), time.monotonic() + _FOR_READERS_SECONDS)
        try:
            with suppress(LostDatabaseError):  # the server may have closed an idle connection
                return await self._read(body, until)
            return await self._read(body, until)
        except MustWriteError:
            return await self.write(body, *keys)

    async def _read(self, body: Body[T], until: float) -> T:
        begin = partial(self._backend.reading, until)
        with self._timed(_READ) as times:
            return await self._readers.do(partial(_carry_out, begin, body, times), until)

    def measure(self, gauges: Gauges) -> None:
        """Report transactions' waiting and running times, and failures, to gauges from now on."""
        self._gauges = gauges

    @contextmanager
    def _timed(self, kind: str) -> Generator["_Times"]:
        times = _Times()
        try:
            yield times
        except StorageError as error:
            if self._gauges is not None:
                self._gauges.failed(kind, type(error))
            raise
        finally:
            if self._gauges is not None:
                self._gauges.carried_out(kind, *times.waited_and_took())

    async def watch(self, watching: Hear) -> None:
        """After each commit that wrote, call `watching` with each name that it is about.

        These are what `Transaction.changed` names, and the keys of players. With PostgreSQL,
        other processes' commits are reported as well, and `watching` gets None when it may have
        missed some.
        """
        loop = asyncio.get_running_loop()

        def tell(name: str | None) -> None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(watching, name)

        self._watcher.watching.append(tell)
        if len(self._watcher.watching) == 1:
            await asyncio.to_thread(self._backend.hear, self._watcher.hear)

    async def checkpoint(self) -> bool:
        """Checkpoint and empty SQLite's write-ahead log, in which deleted data still are.

        Returns false if another connection kept it from being emptied; true for PostgreSQL.
        """
        return await self._writers.do(self._backend.checkpoint, self._until())

    async def close(self, last: Body[None] | None = None) -> None:
        """Finish running transactions, refuse new ones, disconnect; may be called twice.

        At the first call `last` runs in a transaction of its own, after all running ones that
        write; its error is raised after disconnecting.
        """
        async with self._closing:
            is_first = not self._writers.is_closing
            self._readers.is_closing = self._writers.is_closing = True
            try:
                if is_first and last is not None:
                    await self._do_last(last)
            finally:
                # In one thread, which goes on to the end even if the caller is cancelled.
                await asyncio.to_thread(self._disconnect)

    def _disconnect(self) -> None:
        self._readers.close()
        self._writers.close()
        self._backend.close()

    async def _do_last(self, last: Body[None]) -> None:
        await self._writers.finish()  # without a deadline
        until = time.monotonic() + self._patience
        begin = partial(self._backend.writing, (), until)
        with self._timed(_WRITE) as times:
            work = partial(_carry_out, begin, last, times)
            await self._writers.do(work, until, is_last=True)

    def _until(self) -> float:
        return time.monotonic() + patience(self._patience)


class _Times:
    """When a transaction was asked for, and when it began."""

    def __init__(self) -> None:
        self._asked_at = perf_counter()
        self._begun_at: float | None = None

    def begin(self) -> None:
        self._begun_at = perf_counter()

    def waited_and_took(self) -> tuple[float, float | None]:
        """Return the seconds that the transaction waited and ran; ran is None if it never began."""
        now, begun_at = perf_counter(), self._begun_at
        waited = (now if begun_at is None else begun_at) - self._asked_at
        return waited, None if begun_at is None else now - begun_at


class _Watcher:
    """Tells this process and the others what each commit is about; it is called in threads."""

    def __init__(self) -> None:
        self.watching: list[Hear] = []
        self._us = token_hex(4)

    def announce(self, tx: Transaction) -> list[str]:
        """Return the names that a transaction is about; tell the others with its commit."""
        if not tx.has_written:
            return []
        players = (key.name for key in tx.keys or () if key.name.startswith(PLAYER))
        names = sorted(tx.news.union(players))
        for first in range(0, len(names), _MOST_TOLD):
            tx.tell(" ".join([self._us, *names[first : first + _MOST_TOLD]]))
        return names

    def tell(self, names: Iterable[str | None]) -> None:
        """Tell this process, after the commit."""
        for name in names:
            for tell in self.watching:
                tell(name)

    def hear(self, told: str | None) -> None:
        """Tell this process what another has told."""
        if told is None:
            self.tell([None])
            return
        whose, *names = told.split(" ")
        if whose != self._us:
            self.tell(names)


def _carry_out(
    begin: Callable[[], AbstractContextManager[Transaction]],
    body: Body[T],
    times: _Times,
    watcher: _Watcher | None = None,
) -> T:
    with begin() as tx:
        times.begin()
        done = body(tx)
        names = [] if watcher is None else watcher.announce(tx)
    if watcher is not None:
        watcher.tell(names)
    return done


def file_at(url: str) -> Path | None:
    """Return the file of a database URL; None for a server, memory or a `file:` URI."""
    return file_of(make_url(url))


def are_same(url: str, other: str) -> bool:
    """Return true if two URLs name the same file, or are the same apart from their drivers."""
    file, other_file = file_at(url), file_at(other)
    if file is not None and other_file is not None:
        return file.resolve() == other_file.resolve()
    first, second = make_url(url), make_url(other)
    kinds = {first.get_backend_name(), second.get_backend_name()}
    return len(kinds) == 1 and first.set(drivername="x") == second.set(drivername="x")


def _backend(url: str, *, must_exist: bool, read_only: bool = False) -> Backend:
    made = make_url(url)
    if made.get_backend_name() == "sqlite":
        return Sqlite(made, must_exist=must_exist, read_only=read_only)
    # Only PostgreSQL needs its driver; other hosts do not wait for the import.
    try:
        postgres = import_module("bot.db.postgres")
    except ModuleNotFoundError as error:
        raise NoDriverError from error
    opened: Backend = postgres.Postgres(made)
    return opened


def _migrate(connection: Connection, copy: Callable[[str], None]) -> None:
    revision = revision_of(connection)
    if revision != known_revisions()[-1]:
        if revision is not None:
            copy(revision)
        # Alembic is seldom needed: loading it would slow every start.
        migrations = import_module("bot.db.migrations")
        (migrations.make if revision is None else migrations.upgrade)(connection)
    # A read-only file, say another user's, fails here and not at the first guess.
    connection.execute(text("UPDATE alembic_version SET version_num = version_num"))


class KeyLocks:
    """A lock for each key; this process's transactions wait here, before they take a connection."""

    def __init__(self) -> None:
        self._locks: dict[Key, asyncio.Lock] = {}
        self._users: dict[Key, int] = {}

    @asynccontextmanager
    async def held(self, keys: Sequence[Key], until: float) -> AsyncGenerator[None]:
        """Hold locks of sorted keys for a block; `StorageBusyError` if one is not free in time."""
        async with AsyncExitStack() as stack:
            async with in_time(until):
                for key in keys:
                    await stack.enter_async_context(self._lock(key))
            yield

    @asynccontextmanager
    async def _lock(self, key: Key) -> AsyncGenerator[None]:
        lock = self._locks.setdefault(key, asyncio.Lock())
        self._users[key] = self._users.get(key, 0) + 1
        try:
            async with lock:
                yield
        finally:
            self._users[key] -= 1
            if not self._users[key]:
                del self._users[key], self._locks[key]


class Threads:
    """A pool of threads that begins jobs in the order in which they were added."""

    def __init__(self, count: int, name: str) -> None:
        self._executor = ThreadPoolExecutor(count, thread_name_prefix=name)
        self._count = count
        self._free = asyncio.Semaphore(count)
        self.is_closing = False

    async def do(self, work: Callable[[], T], until: float, *, is_last: bool = False) -> T:
        """Run a job in a thread and return its result.

        A job that has begun runs to its end even if its caller is cancelled; its thread is free
        only then.

        Args:
            until: the instant of the monotonic clock up to which it waits, if no thread is free.
            is_last: run the job even if new jobs are refused.

        Raises:
            ClosingError: new jobs are refused.
            StorageBusyError: no thread was free in time.
        """
        if not is_last:
            self.require_open()
        if self._free.locked():
            async with in_time(until):
                await self._free.acquire()
        else:  # a free thread is taken even after the deadline
            await self._free.acquire()
        if self.is_closing and not is_last:
            self._free.release()
            raise ClosingError
        loop = asyncio.get_running_loop()
        doing = loop.run_in_executor(self._executor, copy_context().run, work)
        doing.add_done_callback(self._is_done)
        await asyncio.wait({doing})  # `wait` does not cancel the job with its caller
        return doing.result()

    def _is_done(self, doing: asyncio.Future[Any]) -> None:
        self._free.release()
        if not doing.cancelled():
            doing.exception()  # an exception that nobody retrieves would be logged

    def require_open(self) -> None:
        if self.is_closing:
            raise ClosingError

    async def finish(self) -> None:
        """Wait until no thread runs a job."""
        async with AsyncExitStack() as stack:
            for _ in range(self._count):
                await stack.enter_async_context(self._free)

    def close(self) -> None:
        """Wait for running jobs, and end the threads; blocks."""
        self._executor.shutdown()


@asynccontextmanager
async def in_time(until: float) -> AsyncGenerator[None]:
    """Stop a block at an instant of the monotonic clock, and raise `StorageBusyError`."""
    try:
        async with asyncio.timeout_at(until):
            yield
    except TimeoutError:
        raise StorageBusyError from None
