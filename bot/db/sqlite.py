"""SQLite: a file, one connection to write and a few to read."""

import errno
import os
import sqlite3
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import QueuePool

from bot.db.backing_up import address_to_read, code_of, is_damage, require_file
from bot.db.keys import Key
from bot.db.transaction import Transaction
from bot.errors import DamagedDatabaseError, StorageBusyError, UnusableDatabaseError

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
_UNTIL: Final = "until"


class Sqlite:
    """Lets one transaction at a time write, whatever it is about, and a few read beside it.

    `BEGIN IMMEDIATE` keeps other processes from writing meanwhile. All of it blocks.

    Args:
        url: the file.
        must_exist: refuse to make it.
        as_it_is: change nothing, not even the files beside it; nothing can be written then.

    Raises:
        NoDatabaseError: it is not there and must be.
    """

    writers: ClassVar[int] = 1
    # Reading holds nobody up; but each connection takes memory, and the interpreter one thread a
    # time.
    readers: ClassVar[int] = 2
    has_locks: ClassVar[bool] = False

    def __init__(self, url: URL, *, must_exist: bool, as_it_is: bool = False) -> None:
        _find_file(url, must_exist=must_exist)
        self._writes = _engine(url, "BEGIN IMMEDIATE", self.writers, as_it_is=as_it_is)
        self._reads = _engine(url, "BEGIN", self.readers, as_it_is=as_it_is)

    def test(self) -> str:
        """Nothing: it is the library's own version, and was there when this was made."""
        return ""

    @contextmanager
    def writing(self, keys: Iterable[Key], until: float) -> Generator[Transaction]:
        """A transaction that took the write lock first, whatever it is about."""
        with as_we_say_it(), self._writes.connect() as connection:
            connection.execution_options(**{_UNTIL: until})
            with connection.begin():
                yield Transaction(connection, keys)

    @contextmanager
    def reading(self, until: float) -> Generator[Transaction]:
        """A transaction that sees what was committed when it first looked."""
        with as_we_say_it(), self._reads.connect() as connection:
            connection.execution_options(**{_UNTIL: until})
            yield Transaction(connection, is_read_only=True)

    def hear(self, hear: Callable[[str | None], None]) -> None:
        """Nothing: other processes on a file are the host's own, and seldom there."""

    def empty_log(self) -> bool:
        """Write the log into the file; not while somebody still reads what was before."""
        # With a transaction, which SQLAlchemy begins before any statement, the log is locked.
        with as_we_say_it(), closing(self._writes.raw_connection()) as connection:
            cursor = connection.cursor()
            cursor.execute(f"PRAGMA busy_timeout = {_BRIEFLY_MS}")
            cursor.execute(_EMPTY_LOG)
            is_busy: int = cursor.fetchall()[0][0]
            return not is_busy

    def close(self) -> None:
        """Disconnect."""
        self._reads.dispose()
        self._writes.dispose()


def _engine(url: URL, begin: str, most: int, *, as_it_is: bool) -> Engine:
    """What connects; each of its transactions begins with this statement."""
    file = file_of(url) if as_it_is else None
    # Hosts may have named another driver, which the bot had before.
    address = url.set(drivername="sqlite", database=None if file else url.database)
    engine = create_engine(
        address,
        # An error's text must not quote the secret that a statement was about to write.
        hide_parameters=True,
        poolclass=QueuePool,
        pool_size=most,
        max_overflow=0,
        **({} if file is None else {"creator": partial(_connect_to_read, file)}),
    )

    # https://docs.sqlalchemy.org/en/20/dialects/sqlite.html#pysqlite-serializable
    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: object) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.isolation_level = None  # the driver is not to begin where it supposes
        try:
            for pragma in _PRAGMAS if file is None else ():
                connection.execute(pragma)
        except BaseException:
            connection.close()
            raise

    @event.listens_for(engine, "begin")
    def wait_and_begin(connection: Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        seconds = connection.get_execution_options()[_UNTIL] - time.monotonic()
        connection.exec_driver_sql(f"PRAGMA busy_timeout = {max(0, round(seconds * 1000))}")
        connection.exec_driver_sql(begin)

    return engine


def _connect_to_read(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(address_to_read(file), uri=True, check_same_thread=False)


@contextmanager
def as_we_say_it() -> Generator[None]:
    """Raise what SQLite says as we say it; what is no fault of the file or the disk as it is."""
    try:
        yield
    except (DatabaseError, sqlite3.Error) as error:
        original = error.orig if isinstance(error, DatabaseError) else error
        code = code_of(original)
        if code == sqlite3.SQLITE_BUSY:
            raise StorageBusyError from error
        if is_damage(original):
            raise DamagedDatabaseError(str(original)) from error
        if code in _UNUSABLE:
            raise UnusableDatabaseError(str(original)) from error
        raise


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
