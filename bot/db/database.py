"""The ways to the database, whatever kind it is: to write, to read; and its migrations."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable, Collection, Coroutine, Generator, Sequence
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
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar, Final, Protocol, Self, TypeVar

from sqlalchemy import Connection, inspect, make_url, text
from sqlalchemy.exc import DBAPIError

from bot.clock import MOST_SECONDS, patience
from bot.db.keys import EVERYTHING, Key
from bot.db.sqlite import Sqlite, file_of
from bot.db.transaction import Body, MustWriteError, Transaction
from bot.errors import (
    ClosingError,
    LostDatabaseError,
    NewerDatabaseError,
    NoDriverError,
    OlderDatabaseError,
    StorageBusyError,
    StorageError,
    UnfinishedDatabaseError,
    UnusableDatabaseError,
)
from bot.gauges import Gauges

log = logging.getLogger(__name__)
T = TypeVar("T")
Hear = Callable[[str | None], None]
"""Is called with what a process tells; with None if something may have been missed."""

_WRITE: Final = "write"
_READ: Final = "read"
_VERSIONS: Final = Path(__file__).parent / "migrations" / "versions"
# So long a reader waits for others in any case: none takes long, and who has waited in vain to
# write something down first may still be shown what they asked for.
_FOR_READERS_SECONDS: Final = 0.25
# Revisions from before the first one there is, which this version had. It works all ratings out
# anew, too, and notes that it is at it.
_GONE: Final = frozenset(f"{number:04}" for number in range(1, 45))
_OLDEST: Final = "0.2.0"
_IS_RATING: Final = (
    "SELECT EXISTS (SELECT 1 FROM facts"
    " WHERE name = 'ratings are worked out anew' AND value = 'folding')"
)


class Backend(Protocol):
    """A kind of database. All of it blocks.

    Attributes:
        writers: how many transactions may write at once.
        readers: how many may read at once.
        has_locks: whether transactions about different things may write beside each other.
    """

    writers: ClassVar[int]
    readers: ClassVar[int]
    has_locks: ClassVar[bool]

    def test(self) -> str:
        """As `Database.test`."""
        ...

    def writing(self, keys: Collection[Key], until: float) -> AbstractContextManager[Transaction]:
        """A transaction that commits at the end, and rolls back on errors.

        Args:
            keys: what it is about, in order; none for everything.
            until: an instant of the monotonic clock, after which nobody waits.
        """
        ...

    def reading(self, until: float) -> AbstractContextManager[Transaction]:
        """A transaction that sees what was committed at one moment, and writes nothing."""
        ...

    def hear(self, hear: Hear) -> None:
        """As `Database.hear`; called in a thread."""
        ...

    def empty_log(self) -> bool:
        """As `Database.empty_log`."""
        ...

    def close(self) -> None:
        """Disconnect."""
        ...


class Copies(Protocol):
    """Copies that are made before migrations."""

    def make(self, file: Path | None, revision: str) -> Coroutine[Any, Any, None]:
        """Copy a database, which has had this migration last; None where it is no file."""
        ...

    def to_go_back_to(self) -> Path | None:
        """A copy that this version can use, if there is any."""
        ...


class Database:
    """Owns the connections. Nothing else opens, commits or rolls back.

    What is done in a transaction is a function of it, and runs in a thread of the database's from
    end to end. What writes is alone with what it is about, so that what it reads is still true
    when it writes. What only reads waits for nobody who writes.
    """

    def __init__(self, backend: Backend, patience: float) -> None:
        self._backend = backend
        self._patience = patience
        self._locks = KeyLocks()
        self._writers = Threads(backend.writers, "database")
        self._readers = Threads(backend.readers, "database reader")
        self._gauges: Gauges | None = None
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
        """Connect, and bring the schema up to date.

        Args:
            url: a file of SQLite, or a database of PostgreSQL's, as an SQLAlchemy URL.
            patience: seconds to wait at most, for others within the process and without.
            must_exist: refuse to make the file.
            copies: makes one before a migration; None where nobody wants any.
            waits: while another process holds it, as one that brings it up to date does.

        Raises:
            DamagedDatabaseError: its file is damaged, or none of SQLite's.
            NewerDatabaseError: a later version of this program has written it.
            NoDatabaseError: it is not there and must be.
            NoDriverError: what speaks with such a database is not installed.
            OlderDatabaseError: only an earlier version can bring it up to date.
            StorageBusyError: another process holds it.
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
            """Wait for it in the transaction: nobody writes between this and the migration."""
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
    def as_it_is(cls, url: str, *, patience: float = MOST_SECONDS) -> Self:
        """A database that is there, to be looked at as it is: it is not brought up to date.

        It connects when it is first used. A file can only be read, and nothing beside it changes.

        Args:
            url: as for `open`.
            patience: as for `open`.

        Raises:
            NoDatabaseError: it is not there.
            NoDriverError: what speaks with such a database is not installed.
        """
        return cls(_backend(url, must_exist=True, as_it_is=True), patience)

    async def test(self) -> str:
        """Make sure that the bot can work with it; the version of its server, if it has one.

        Raises:
            UnfitDatabaseError: it cannot.
            UnusableDatabaseError: nor can anybody.
        """
        return await self._readers.do(self._backend.test, self._until())

    async def write(self, body: Body[T], *keys: Key) -> T:
        """What comes of a body in a transaction, which commits at its end, or rolls back on errors.

        Args:
            body: what is done.
            keys: what it is about: it is alone with that. None for everything.

        Raises:
            StorageBusyError: others were there for too long.
            ClosingError: the database is being closed.
            UnusableDatabaseError: it cannot be read or written any more.
            Exception: what the body raises.
        """
        until, about = self._until(), sorted(set(keys))
        begin = partial(self._backend.writing, about, until)
        alone = partial(self._locks.held, about or [EVERYTHING], until)
        with self._timed(_WRITE) as times:
            self._writers.refuse_at_end()
            async with alone() if self._backend.has_locks else nullcontext():
                return await self._writers.do(partial(_carry_out, begin, body, times), until)

    async def read(self, body: Body[T], *keys: Key) -> T:
        """What comes of a body in a transaction that sees all that was committed when it began.

        Where the body finds that it must write, it begins anew with a transaction that may.

        Args:
            body: reads, and seldom writes; may be called twice.
            keys: what it is about if it writes.

        Raises:
            As `write`.
        """
        until = max(self._until(), time.monotonic() + _FOR_READERS_SECONDS)
        try:
            with suppress(LostDatabaseError):  # while nobody used the connection, perhaps
                return await self._read(body, until)
            return await self._read(body, until)
        except MustWriteError:
            return await self.write(body, *keys)

    async def _read(self, body: Body[T], until: float) -> T:
        begin = partial(self._backend.reading, until)
        with self._timed(_READ) as times:
            return await self._readers.do(partial(_carry_out, begin, body, times), until)

    def measure(self, gauges: Gauges) -> None:
        """From now on, tell gauges how long transactions wait and take."""
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

    async def hear(self, hear: Hear) -> None:
        """From now on, hear what transactions `tell`, also those of other processes.

        Several may; each hears everything. Where processes cannot tell each other anything,
        nothing is heard.

        Args:
            hear: is called with what was told; with None where something may have been missed,
                as when the connection is lost.
        """
        loop = asyncio.get_running_loop()

        def heard(told: str | None) -> None:
            with suppress(RuntimeError):  # the loop is closed, and nobody is to hear any more
                loop.call_soon_threadsafe(hear, told)

        await asyncio.to_thread(self._backend.hear, heard)

    async def empty_log(self) -> bool:
        """Write the log of the last changes into the database itself, and empty it.

        Else it has for a while what was deleted from there.

        Returns:
            Whether it is empty now, as far as that can be done from here.

        Raises:
            As `write`.
        """
        return await self._writers.do(self._backend.empty_log, self._until())

    async def close(self, last: Body[None] | None = None) -> None:
        """Let transactions that have begun finish, refuse others, disconnect. May be called twice.

        Args:
            last: what is to be done before that, the first time, in a transaction of its own;
                what it raises is raised when the database is closed.
        """
        async with self._closing:
            is_first = not self._writers.is_closing
            self._readers.is_closing = self._writers.is_closing = True
            try:
                if is_first and last is not None:
                    await self._do_last(last)
            finally:
                await self._readers.close()
                await self._writers.close()
                await asyncio.to_thread(self._backend.close)

    async def _do_last(self, last: Body[None]) -> None:
        await self._writers.finish()  # however long that takes
        until = time.monotonic() + self._patience
        begin = partial(self._backend.writing, (), until)
        with self._timed(_WRITE) as times:
            work = partial(_carry_out, begin, last, times)
            await self._writers.do(work, until, is_last=True)

    def _until(self) -> float:
        return time.monotonic() + patience(self._patience)


class _Times:
    """When a transaction was asked for, and when it had begun."""

    def __init__(self) -> None:
        self._asked_at = perf_counter()
        self._begun_at: float | None = None

    def begin(self) -> None:
        """Know that it has begun."""
        self._begun_at = perf_counter()

    def waited_and_took(self) -> tuple[float, float | None]:
        """For how many seconds it waited and then took; None if it has not begun."""
        now, begun_at = perf_counter(), self._begun_at
        waited = (now if begun_at is None else begun_at) - self._asked_at
        return waited, None if begun_at is None else now - begun_at


def _carry_out(
    begin: Callable[[], AbstractContextManager[Transaction]], body: Body[T], times: _Times
) -> T:
    with begin() as tx:
        times.begin()
        return body(tx)


def file_at(url: str) -> Path | None:
    """The file of a database; None where it is none, or the URL does not say so in many words."""
    return file_of(make_url(url))


def are_same(url: str, other: str) -> bool:
    """Whether two URLs name one database, as far as they tell."""
    first, second = make_url(url), make_url(other)
    kinds = {first.get_backend_name(), second.get_backend_name()}
    return len(kinds) == 1 and first.set(drivername="x") == second.set(drivername="x")


def _backend(url: str, *, must_exist: bool, as_it_is: bool = False) -> Backend:
    made = make_url(url)
    if made.get_backend_name() == "sqlite":
        return Sqlite(made, must_exist=must_exist, as_it_is=as_it_is)
    # Only who has such a database has what it needs; others start no later for it.
    try:
        postgres = import_module("bot.db.postgres")
    except ModuleNotFoundError as error:
        raise NoDriverError from error
    opened: Backend = postgres.Postgres(made)
    return opened


@cache
def known_revisions() -> tuple[str, ...]:
    """All migrations there are, in order: their files' names begin with four digits each."""
    return tuple(sorted(path.name[:4] for path in _VERSIONS.glob("[0-9]*.py")))


def revision_of(connection: Connection) -> str | None:
    """The last migration that the database has had; None if it is new.

    Raises:
        OlderDatabaseError: only an earlier version of this program can bring it up to date.
    """
    is_old = inspect(connection).has_table("alembic_version")
    query = text("SELECT version_num FROM alembic_version")
    revision: str | None = connection.scalar(query) if is_old else None
    if revision in _GONE:
        raise OlderDatabaseError(_OLDEST)
    if revision in known_revisions()[:-1] and connection.scalar(text(_IS_RATING)):
        raise UnfinishedDatabaseError(_OLDEST)
    return revision


def _migrate(connection: Connection, copy: Callable[[str], None]) -> None:
    revision = revision_of(connection)
    if revision != known_revisions()[-1]:
        if revision in known_revisions():
            copy(revision)
        # At nearly every start there is nothing to do, and its tools need not be loaded.
        migrations = import_module("bot.db.migrations")
        (migrations.make if revision is None else migrations.upgrade)(connection)
    # What may only be read, another user's file say, fails here and not at the first guess.
    connection.execute(text("UPDATE alembic_version SET version_num = version_num"))


class KeyLocks:
    """A lock for each key, so that those who want the same do not each wait with a connection."""

    def __init__(self) -> None:
        self._locks: dict[Key, asyncio.Lock] = {}
        self._users: dict[Key, int] = {}

    @asynccontextmanager
    async def held(self, keys: Sequence[Key], until: float) -> AsyncGenerator[None]:
        """The locks of keys, which are in order, until the end of the block.

        Raises:
            StorageBusyError: others had them until then, an instant of the monotonic clock.
        """
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
    """A few threads; each does one thing after the other, in the order of asking.

    Args:
        count: how many.
        name: what they are called.

    Attributes:
        is_closing: whether nothing is begun any more.
    """

    def __init__(self, count: int, name: str) -> None:
        self._executor = ThreadPoolExecutor(count, thread_name_prefix=name)
        self._count = count
        self._free = asyncio.Semaphore(count)
        self.is_closing = False

    async def do(self, work: Callable[[], T], until: float, *, is_last: bool = False) -> T:
        """What comes of something, done in a thread. Once begun, it is done to its end.

        Who is cancelled meanwhile does not learn of that; the thread is free when it is done.

        Args:
            work: what is done.
            until: an instant of the monotonic clock, after which nobody waits for a thread.
            is_last: whether it is done although nothing else is begun any more.

        Raises:
            ClosingError: nothing is begun any more.
            StorageBusyError: there was none until then.
        """
        if not is_last:
            self.refuse_at_end()
        if self._free.locked():
            async with in_time(until):
                await self._free.acquire()
        else:  # at once, whatever the time
            await self._free.acquire()
        if self.is_closing and not is_last:
            self._free.release()
            raise ClosingError
        loop = asyncio.get_running_loop()
        doing = loop.run_in_executor(self._executor, copy_context().run, work)
        doing.add_done_callback(self._is_done)
        await asyncio.wait({doing})  # which leaves it alone if who asked is cancelled
        return doing.result()

    def _is_done(self, doing: asyncio.Future[Any]) -> None:
        self._free.release()
        doing.exception()  # which would be logged where nobody waits for it any more

    def refuse_at_end(self) -> None:
        """Do nothing if it may still be begun.

        Raises:
            ClosingError: nothing is begun any more.
        """
        if self.is_closing:
            raise ClosingError

    async def finish(self) -> None:
        """Wait until all that has begun is done, when nothing is begun any more."""
        async with AsyncExitStack() as stack:
            for _ in range(self._count):
                await stack.enter_async_context(self._free)

    async def close(self) -> None:
        """Begin nothing any more, wait until all that has begun is done, and end."""
        self.is_closing = True
        await asyncio.to_thread(self._executor.shutdown)


@asynccontextmanager
async def in_time(until: float) -> AsyncGenerator[None]:
    """Something that is done until an instant of the monotonic clock, or others are in the way."""
    try:
        async with asyncio.timeout_at(until):
            yield
    except TimeoutError:
        raise StorageBusyError from None
