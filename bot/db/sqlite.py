"""SQLite: a file, one connection to write and a few to read, each in a thread of its own."""

import errno
import math
import os
import sqlite3
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

from sqlalchemy import URL, Engine, PoolProxiedConnection, create_engine, event
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import NullPool

from bot.db.backing_up import address_to_read, code_of, is_damage, require_file
from bot.db.gate import Gate, ReadingGate
from bot.db.keys import Key
from bot.db.sqlite_thread import ReadingConnection
from bot.db.transaction import Body, Transaction
from bot.errors import (
    ClosingError,
    DamagedDatabaseError,
    StorageBusyError,
    UnusableDatabaseError,
)

T = TypeVar("T")
G = TypeVar("G", bound=Gate)

_PRAGMAS: Final = (
    "PRAGMA journal_mode = WAL",
    # An acknowledged guess survives a power cut, not only a crash.
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    # What a player deletes is gone from the file, too.
    "PRAGMA secure_delete = ON",
)
_EMPTY_LOG: Final = "PRAGMA wal_checkpoint(TRUNCATE)"
# Everybody waits meanwhile, and nothing is lost if it is done later.
_BRIEFLY_MS: Final = 50
# The disk or the file is to blame, not the statement.
_UNUSABLE: Final = frozenset(
    {
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_READONLY,
    }
)
# Reading holds nobody up; but each connection takes memory, and the interpreter one thread a time.
_MOST_READING: Final = 2


class SqliteBackend:
    """Lets one transaction at a time write, whatever it is about, and a few read beside it.

    `BEGIN IMMEDIATE` keeps other processes from writing meanwhile.

    Args:
        url: the file.
        must_exist: refuse to make it.
        as_it_is: change nothing, not even the files beside it; nothing can be written then.

    Raises:
        NoDatabaseError: it is not there and must be.
    """

    def __init__(self, url: URL, *, must_exist: bool, as_it_is: bool = False) -> None:
        _find_file(url, must_exist=must_exist)
        self._engine = _create_reading_engine(url) if as_it_is else _create_engine(url)
        self._writing = Gate(self._engine)
        self._reading: list[ReadingGate] = []
        self._closing = False

    async def test(self) -> str:
        """Nothing: it is the library's own version, and was there when this was made."""
        return ""

    @asynccontextmanager
    async def writing(self, keys: Collection[Key], until: float) -> AsyncGenerator[Transaction]:
        """A transaction that took the write lock first, whatever it is about."""
        gate = await self._entered(self._writing, until)
        try:
            async with gate.begun(until, keys) as tx:
                yield tx
        except (DatabaseError, sqlite3.Error) as error:
            _raise_as_we_say(error)
        finally:
            gate.leave()

    @asynccontextmanager
    async def reading(self, until: float) -> AsyncGenerator[Transaction]:
        """A transaction that sees what was committed when it began."""
        gate = await self._entered(self._idlest(), until)
        try:
            async with gate.begun(until) as tx:
                yield tx
        except (DatabaseError, sqlite3.Error) as error:
            _raise_as_we_say(error)
        finally:
            gate.leave()

    async def write(self, body: Body[T], keys: Collection[Key], until: float) -> T:
        """All of it in one trip to the thread that writes."""
        gate = await self._entered(self._writing, until)
        try:
            return await gate.carry_out(body, until, keys)
        except (DatabaseError, sqlite3.Error) as error:
            _raise_as_we_say(error)
        finally:
            gate.leave()

    async def read(self, body: Body[T], until: float) -> T:
        """All of it in one trip to a thread that reads."""
        gate = await self._entered(self._idlest(), until)
        try:
            return await gate.carry_out(body, until)
        except (DatabaseError, sqlite3.Error) as error:
            _raise_as_we_say(error)
        finally:
            gate.leave()

    async def hear(self, hear: Callable[[str | None], None]) -> None:
        """Nothing: other processes on a file are the host's own, and seldom there."""

    async def empty_log(self, until: float) -> bool:
        """Write the log into the file; not while somebody still reads what was before."""
        gate = await self._entered(self._writing, until)
        try:
            return await gate.do(_empty_log)
        except (DatabaseError, sqlite3.Error) as error:
            _raise_as_we_say(error)
        finally:
            gate.leave()

    async def close(
        self, last: Callable[[Transaction], Awaitable[None]] | None, patience: float
    ) -> None:
        """Let open transactions finish, and disconnect."""
        is_first, self._closing = not self._closing, True
        async with AsyncExitStack() as doors:
            for gate in (self._writing, *self._reading):
                await gate.enter(math.inf)
                doors.callback(gate.leave)
                doors.push_async_callback(gate.close)
            if is_first and last is not None:
                async with self._writing.begun(time.monotonic() + patience) as tx:
                    await last(tx)

    def _idlest(self) -> ReadingGate:
        """The gate for reading that the fewest use; a new one if that is somebody, up to a few."""
        found = min(self._reading, key=lambda gate: gate.users, default=None)
        if found is None or (found.users and len(self._reading) < _MOST_READING):
            found = ReadingGate(self._engine)
            self._reading.append(found)
        return found

    async def _entered(self, gate: G, until: float) -> G:
        """A gate, behind whose door nobody else is now."""
        if self._closing:
            raise ClosingError
        await gate.enter(until)
        if self._closing:
            gate.leave()
            raise ClosingError
        return gate


def file_of(url: URL) -> Path | None:
    """The file of a database; None where the URL names none in so many words."""
    path = url.database or ":memory:"
    is_file = url.get_backend_name() == "sqlite" and not path.startswith((":", "file:"))
    return Path(path) if is_file else None


def _find_file(url: URL, *, must_exist: bool) -> None:
    """Make the file of a new database for its owner alone: it has the key, and all secrets.

    SQLite gives the files beside it the same mode.
    """
    path = file_of(url)
    if path is None:
        return
    if must_exist:
        require_file(path)
        return
    try:
        if path.is_dir():
            raise UnusableDatabaseError(os.strerror(errno.EISDIR))
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise UnusableDatabaseError(error.strerror or str(error)) from error


def _create_engine(url: URL) -> Engine:
    engine = create_engine(
        url.set(drivername="sqlite"),  # hosts may have named another, which the bot had before
        connect_args={"factory": ReadingConnection},
        # An error's text must not quote the secret that a statement was about to write.
        hide_parameters=True,
        poolclass=NullPool,  # gates keep theirs
    )

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: object) -> None:  # pyright: ignore[reportUnusedFunction]
        # Transactions begin where we say, not where the driver supposes.
        connection.isolation_level = None
        try:
            for pragma in _PRAGMAS:
                connection.execute(pragma)
        except Exception:
            connection.close()
            raise

    return engine


def _create_reading_engine(url: URL) -> Engine:
    file = file_of(url)
    if file is None:
        return _create_engine(url)

    def connect() -> sqlite3.Connection:
        address = address_to_read(file)
        return sqlite3.connect(address, uri=True, isolation_level=None, factory=ReadingConnection)

    return create_engine("sqlite://", creator=connect, hide_parameters=True, poolclass=NullPool)


def try_to_write(file: Path, statements: Collection[str], seconds: float) -> None:
    """Execute statements in a transaction that is rolled back; nothing stays.

    Args:
        file: the database.
        statements: what is tried.
        seconds: how long to wait for other programs.

    Raises:
        StorageBusyError: others write for longer.
        UnusableDatabaseError: the file cannot be written.
    """
    try:
        # The last one that writes would write out a log that a killed bot has left.
        with closing(sqlite3.connect(address_to_read(file), uri=True)) as reads:
            reads.execute("SELECT count(*) FROM sqlite_master").fetchone()
            address = f"{file.resolve().as_uri()}?mode=rw"
            with closing(sqlite3.connect(address, uri=True, timeout=seconds)) as writes:
                writes.isolation_level = None
                writes.execute("BEGIN IMMEDIATE")
                for statement in statements:
                    writes.execute(statement)
                writes.execute("ROLLBACK")
    except sqlite3.Error as error:
        _raise_as_we_say(error)


def _raise_as_we_say(error: DatabaseError | sqlite3.Error) -> NoReturn:
    """Raise what SQLite says as we say it; what is no fault of the file or the disk as it is."""
    original = error.orig if isinstance(error, DatabaseError) else error
    code = code_of(original)
    if code == sqlite3.SQLITE_BUSY:
        raise StorageBusyError from error
    if is_damage(original):
        raise DamagedDatabaseError(str(original)) from error
    if code in _UNUSABLE:
        raise UnusableDatabaseError(str(original)) from error
    raise error


def _empty_log(connection: PoolProxiedConnection) -> bool:
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {_BRIEFLY_MS}")
    cursor.execute(_EMPTY_LOG)
    is_busy: int = cursor.fetchall()[0][0]
    return not is_busy
