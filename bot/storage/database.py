"""The one connection to the database, its one door, and its migrations."""

import asyncio
import os
import sqlite3
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, Self

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import DatabaseError

from bot.errors import (
    ClosingError,
    NewerDatabaseError,
    NoDatabaseError,
    OlderDatabaseError,
    StorageBusyError,
    UnusableDatabaseError,
)
from bot.storage.sqlite_thread import ReadingConnection, SqliteThread
from bot.storage.transaction import Transaction

# Discord waits three seconds for an answer; what has not begun by then would be too late.
PATIENCE_SECONDS: Final = 2.0

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
_BARE: Final = "without_transaction"
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
_MIGRATIONS: Final = Path(__file__).parent / "migrations"
# Revisions that came before the first migration there is, and who had them last.
_GONE: Final = frozenset(f"{number:04}" for number in range(1, 25))
_HAD_THEM_LAST: Final = "0.1.0"


class Database:
    """Owns the connection. Nothing else opens, commits or rolls back.

    Every use goes through `transaction`: one at a time within the process, and
    `BEGIN IMMEDIATE` against other processes, so that what a transaction reads
    is still true when it writes.
    """

    def __init__(self, engine: Engine, patience: float) -> None:
        self._engine = engine
        self._patience = patience
        self._thread = SqliteThread()
        self._open: Connection | None = None  # while a transaction is
        self._door = asyncio.Lock()
        self._closing = False

    @classmethod
    async def open(
        cls, url: str, *, patience: float = PATIENCE_SECONDS, must_exist: bool = False
    ) -> Self:
        """Connect, and bring the schema up to date.

        Args:
            url: a file of SQLite, as an SQLAlchemy URL.
            patience: seconds to wait for the write lock.
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
        database = cls(_create_engine(url, patience), patience)
        try:
            async with database.transaction() as tx:
                await tx.run_sync(_migrate)
        except DatabaseError as error:
            await database.close()
            raise UnusableDatabaseError(str(error.orig)) from error
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
        async with self._alone(), self._begun() as tx:
            yield tx

    async def empty_log(self) -> bool:
        """Write the log of the last changes into the database's file, and empty it.

        Else it has for a while what was deleted from there.

        Returns:
            Whether it is empty now: not while another program still reads what was before.

        Raises:
            As `transaction`.
        """
        async with self._alone():
            return await self._thread.do(self._empty_log)

    def _empty_log(self) -> bool:
        with self._engine.connect() as connection:
            bare = connection.execution_options(**{_BARE: True})
            bare.exec_driver_sql(f"PRAGMA busy_timeout = {_BRIEFLY_MS}")
            try:
                is_busy, *_ = bare.exec_driver_sql(_EMPTY_LOG).one()
            finally:
                patience_ms = round(self._patience * 1000)
                bare.exec_driver_sql(f"PRAGMA busy_timeout = {patience_ms}")
        return not is_busy

    @asynccontextmanager
    async def _begun(self) -> AsyncGenerator[Transaction]:
        """Committed at the end; rolled back on errors, and where who asked is cancelled."""
        try:
            yield Transaction(await self._thread.do(self._begin), self._thread)
            await self._thread.do(self._commit)
        except BaseException:
            # It comes after all that was asked for, also what nobody waits for any more.
            await self._thread.do(self._leave)
            raise

    def _begin(self) -> Connection:
        connection = self._engine.connect()
        try:
            connection.begin()
        except BaseException:
            connection.close()
            raise
        self._open = connection
        return connection

    def _commit(self) -> None:
        if self._open is not None:
            self._open.commit()
        self._leave()

    def _leave(self) -> None:
        connection, self._open = self._open, None
        if connection is not None:
            connection.close()  # what is not committed is undone

    @asynccontextmanager
    async def _alone(self) -> AsyncGenerator[None]:
        """Behind the door; what SQLite says of the file is said as we say it."""
        await self._enter()
        try:
            yield
        except DatabaseError as error:
            code = _code_of(error)
            if code == sqlite3.SQLITE_BUSY:
                raise StorageBusyError from error
            if code in _UNUSABLE:
                raise UnusableDatabaseError(str(error.orig)) from error
            raise
        finally:
            self._door.release()

    async def _enter(self) -> None:
        if self._closing:
            raise ClosingError
        try:
            async with asyncio.timeout(self._patience):
                await self._door.acquire()
        except TimeoutError:
            raise StorageBusyError from None
        if self._closing:
            self._door.release()
            raise ClosingError

    async def close(self, last: Callable[[Transaction], Awaitable[None]] | None = None) -> None:
        """Let the open transaction finish, refuse new ones, disconnect. May be called twice.

        Args:
            last: what is to be done before that, the first time, in a transaction of its own;
                what it raises is raised when the database is closed.
        """
        is_first, self._closing = not self._closing, True
        async with self._door:
            try:
                if is_first and last is not None:
                    async with self._begun() as tx:
                        await last(tx)
            finally:
                await self._disconnect()

    async def _disconnect(self) -> None:
        if self._thread.is_alive:
            try:
                await self._thread.do(self._engine.dispose)
            finally:
                self._thread.end()


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


def _create_engine(url: str, patience: float) -> Engine:
    options = {"timeout": patience, "factory": ReadingConnection}
    # Hosts may have named another driver, which the bot had before.
    plain = make_url(url).set(drivername="sqlite")
    # An error's text must not quote the secret that a statement was about to write.
    engine = create_engine(plain, connect_args=options, hide_parameters=True)

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

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        if not connection.get_execution_options().get(_BARE):
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _code_of(error: DatabaseError) -> int | None:
    """SQLite's own word for what went wrong, without its finer distinctions."""
    code: int | None = getattr(error.orig, "sqlite_errorcode", None)
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
