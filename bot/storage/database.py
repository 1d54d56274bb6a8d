"""The ways to the database: one to write, a few to read; and its migrations."""

import math
import os
import sqlite3
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import (
    Connection,
    Engine,
    PoolProxiedConnection,
    create_engine,
    event,
    make_url,
    text,
)
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import NullPool

from bot.errors import (
    ClosingError,
    NewerDatabaseError,
    NoDatabaseError,
    OlderDatabaseError,
    StorageBusyError,
    UnusableDatabaseError,
)
from bot.patience import MOST_SECONDS, patience
from bot.storage.gate import Gate, ReadingGate
from bot.storage.sqlite_thread import ReadingConnection
from bot.storage.transaction import MustWriteError, Transaction

T = TypeVar("T")

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
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_READONLY,
    }
)
# Reading holds nobody up; but each connection takes memory, and the interpreter one thread a time.
_MOST_READING: Final = 2
# So long a reader waits for others in any case: none takes long, and who has waited in vain to
# write something down first may still be shown what they asked for.
_FOR_READERS_SECONDS: Final = 0.25
_MIGRATIONS: Final = Path(__file__).parent / "migrations"
# Revisions that came before the first migration there is, and who had them last.
_GONE: Final = frozenset(f"{number:04}" for number in range(1, 25))
_HAD_THEM_LAST: Final = "0.1.0"


class Database:
    """Owns the connections. Nothing else opens, commits or rolls back.

    What writes goes through `transaction`: one at a time within the process, and `BEGIN IMMEDIATE`
    against other processes, so that what a transaction reads is still true when it writes. What
    only reads goes through `reading`, and waits for nobody who writes.
    """

    def __init__(self, engine: Engine, patience: float) -> None:
        self._engine = engine
        self._patience = patience
        self._writing = Gate(engine)
        self._reading: list[ReadingGate] = []
        self._closing = False

    @classmethod
    async def open(
        cls, url: str, *, patience: float = MOST_SECONDS, must_exist: bool = False
    ) -> Self:
        """Connect, and bring the schema up to date.

        Args:
            url: a file of SQLite, as an SQLAlchemy URL.
            patience: seconds to wait at most, for others within the process and without.
            must_exist: refuse to make the file.

        Raises:
            NewerDatabaseError: a later version of this program has written it.
            NoDatabaseError: it is not there and must be.
            OlderDatabaseError: only an earlier version can bring it up to date.
            StorageBusyError: another process holds it.
            UnusableDatabaseError: it cannot be opened or written to, or is no database.
        """
        if must_exist:
            _require_file(url)
        else:
            _make_file(url)
        database = cls(_create_engine(url), patience)
        try:
            async with database.transaction() as tx:
                await tx.run_sync(_migrate)
        except (DatabaseError, sqlite3.DatabaseError) as error:
            await database.close()
            raise UnusableDatabaseError(_words(error)) from error
        except BaseException:
            await database.close()
            raise
        return database

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Transaction]:
        """A transaction that took the write lock first; commits at the end, rolls back on errors.

        Raises:
            StorageBusyError: the lock was not free in time.
            ClosingError: the database is being closed.
            UnusableDatabaseError: the file cannot be read or written any more.
        """
        until = self._until()
        async with self._alone(self._writing, until), self._writing.begun(until) as tx:
            yield tx

    @asynccontextmanager
    async def reading(self) -> AsyncGenerator[Transaction]:
        """A transaction that sees all that was committed when it began, and writes nothing.

        Raises:
            MustWriteError: it would have written.
            StorageBusyError: too many read already, for too long.
            ClosingError, UnusableDatabaseError: as `transaction`.
        """
        if self._closing:
            raise ClosingError
        until, gate = max(self._until(), time.monotonic() + _FOR_READERS_SECONDS), self._idlest()
        async with self._alone(gate, until), gate.begun(until) as tx:
            yield tx

    async def look(self, use: Callable[[Transaction], Awaitable[T]]) -> T:
        """Read; what finds that it must write begins anew, with the write lock.

        Args:
            use: reads, and seldom writes; may be called twice.

        Raises:
            StorageBusyError, ClosingError, UnusableDatabaseError: as `transaction`.
        """
        with suppress(MustWriteError):
            async with self.reading() as tx:
                return await use(tx)
        async with self.transaction() as tx:
            return await use(tx)

    async def empty_log(self) -> bool:
        """Write the log of the last changes into the database's file, and empty it.

        Else it has for a while what was deleted from there.

        Returns:
            Whether it is empty now: not while somebody still reads what was before.

        Raises:
            As `transaction`.
        """
        async with self._alone(self._writing, self._until()):
            return await self._writing.do(_empty_log)

    def _until(self) -> float:
        return time.monotonic() + patience(self._patience)

    def _idlest(self) -> ReadingGate:
        """The gate for reading that the fewest use; a new one if that is somebody, up to a few."""
        found = min(self._reading, key=lambda gate: gate.users, default=None)
        if found is None or (found.users and len(self._reading) < _MOST_READING):
            found = ReadingGate(self._engine)
            self._reading.append(found)
        return found

    @asynccontextmanager
    async def _alone(self, gate: Gate, until: float) -> AsyncGenerator[None]:
        """Behind a gate's door; what SQLite says of the file is said as we say it."""
        if self._closing:
            raise ClosingError
        async with gate.alone(until):
            if self._closing:
                raise ClosingError
            try:
                yield
            except (DatabaseError, sqlite3.Error) as error:
                said = _as_we_say_it(error)
                if said is None:
                    raise
                raise said from error

    async def close(self, last: Callable[[Transaction], Awaitable[None]] | None = None) -> None:
        """Let open transactions finish, refuse new ones, disconnect. May be called twice.

        Args:
            last: what is to be done before that, the first time, in a transaction of its own;
                what it raises is raised when the database is closed.
        """
        is_first, self._closing = not self._closing, True
        async with AsyncExitStack() as doors:
            for gate in (self._writing, *self._reading):
                doors.push_async_callback(gate.close)
                await doors.enter_async_context(gate.alone(math.inf))
            if is_first and last is not None:
                async with self._writing.begun(time.monotonic() + self._patience) as tx:
                    await last(tx)


def file_of(url: str) -> Path | None:
    """The file of a database; None where the URL names none in so many words."""
    path = make_url(url).database or ":memory:"
    return None if path.startswith((":", "file:")) else Path(path)


def _require_file(url: str) -> None:
    path = file_of(url)
    if path is not None and not path.is_file():
        raise NoDatabaseError(str(path))


def _make_file(url: str) -> None:
    """Make the file of a new database for its owner alone: it has the key, and all secrets.

    SQLite gives the files beside it the same mode.
    """
    path = file_of(url)
    if path is not None:
        with suppress(OSError):  # it is there, or SQLite says why it cannot be
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def _create_engine(url: str) -> Engine:
    # Hosts may have named another driver, which the bot had before.
    plain = make_url(url).set(drivername="sqlite")
    # An error's text must not quote the secret that a statement was about to write.
    factory = {"factory": ReadingConnection}
    engine = create_engine(
        plain,
        connect_args=factory,
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


def _as_we_say_it(error: DatabaseError | sqlite3.Error) -> Exception | None:
    """What is to be raised in place of an error of SQLite's; None for the error itself."""
    code = _code_of(error)
    if code == sqlite3.SQLITE_BUSY:
        return StorageBusyError()
    if code in _UNUSABLE:
        return UnusableDatabaseError(_words(error))
    return None


def _words(error: DatabaseError | sqlite3.Error) -> str:
    """What SQLite says."""
    return str(error.orig if isinstance(error, DatabaseError) else error)


def _empty_log(connection: PoolProxiedConnection) -> bool:
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {_BRIEFLY_MS}")
    cursor.execute(_EMPTY_LOG)
    is_busy: int = cursor.fetchall()[0][0]
    return not is_busy


def _code_of(error: DatabaseError | sqlite3.Error) -> int | None:
    """SQLite's own word for what went wrong, without its finer distinctions."""
    original = error.orig if isinstance(error, DatabaseError) else error
    code: int | None = getattr(original, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


@cache
def _newest() -> str | None:
    return ScriptDirectory(str(_MIGRATIONS)).get_current_head()


def _migrate(connection: Connection) -> None:
    revision = _revision(connection)
    if revision in _GONE:
        raise OlderDatabaseError(_HAD_THEM_LAST)
    # At nearly every start there is nothing to do.
    if revision != _newest():
        _upgrade(connection)
    # What may only be read, another user's file say, fails here and not at the first guess.
    connection.execute(text("UPDATE alembic_version SET version_num = version_num"))


def _revision(connection: Connection) -> str | None:
    """The last migration that the database has had; None if it is new."""
    # Alembic would tell, too: that took a third of the time of opening.
    is_old = connection.scalar(text("SELECT 1 FROM sqlite_schema WHERE name = 'alembic_version'"))
    query = text("SELECT version_num FROM alembic_version")
    return connection.scalar(query) if is_old else None


def _upgrade(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise NewerDatabaseError from error
