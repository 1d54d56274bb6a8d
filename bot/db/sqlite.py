"""SQLite: a file, one connection to write and a few to read."""

import errno
import mmap
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import QueuePool

from bot.db.keys import Key
from bot.db.transaction import Transaction
from bot.errors import (
    DamagedDatabaseError,
    NoDatabaseError,
    StorageBusyError,
    UnfitDatabaseError,
    UnusableDatabaseError,
)

if sys.platform == "win32":

    def _lock(number: int) -> None:
        """Do nothing: Windows locks files of a network's, too."""
else:
    import fcntl

    def _lock(number: int) -> None:
        fcntl.lockf(number, fcntl.LOCK_EX | fcntl.LOCK_NB)


_PRAGMAS: Final = (
    "PRAGMA journal_mode = WAL",
    # A guess that was answered survives a power cut, not only a crash.
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    # Deleted data is overwritten in the file.
    "PRAGMA secure_delete = ON",
)
# Checkpointing holds up all writers: it gives up quickly and is repeated later.
_BRIEFLY_MS: Final = 50
# Codes that blame the disk or the file, not the statement.
_UNUSABLE: Final = frozenset(
    {
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_READONLY,
    }
)
_CODES: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_UNTIL: Final = "until"


class Sqlite:
    """SQLite as a `Backend`: one writer at a time, whatever its keys, and a few readers.

    `BEGIN IMMEDIATE` keeps other processes from writing meanwhile.

    Args:
        read_only: change neither the file nor anything beside it.
    """

    writers: ClassVar[int] = 1
    # Each reader costs memory, and Python runs one thread at a time: more gain nothing.
    readers: ClassVar[int] = 2
    has_locks: ClassVar[bool] = False

    def __init__(self, url: URL, *, must_exist: bool, read_only: bool) -> None:
        _require_or_create(url, must_exist=must_exist)
        if (file := file_of(url)) is not None:
            require_locks(file.resolve().parent)
        self._writes = _engine(url, "BEGIN IMMEDIATE", self.writers, read_only=read_only)
        self._reads = _engine(url, "BEGIN", self.readers, read_only=read_only)

    def test(self) -> str:
        """Do nothing: SQLite has no server, and its version comes with Python."""
        return ""

    @contextmanager
    def writing(self, keys: Iterable[Key], until: float) -> Generator[Transaction]:
        with translated_errors(), self._writes.connect() as connection:
            connection.execution_options(**{_UNTIL: until})
            with connection.begin():
                yield Transaction(connection, keys)

    @contextmanager
    def reading(self, until: float) -> Generator[Transaction]:
        with translated_errors(), self._reads.connect() as connection:
            connection.execution_options(**{_UNTIL: until})
            yield Transaction(connection, is_read_only=True)

    def hear(self, hear: Callable[[str | None], None]) -> None:
        """Do nothing: no other process of the bot uses the file, only the host's commands do."""

    def checkpoint(self) -> bool:
        """Checkpoint and truncate the log; false if another connection still needs it."""
        # A transaction locks the log, and SQLAlchemy would begin one: hence the raw connection.
        with translated_errors(), closing(self._writes.raw_connection()) as connection:
            cursor = connection.cursor()
            cursor.execute(f"PRAGMA busy_timeout = {_BRIEFLY_MS}")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            is_busy: int = cursor.fetchall()[0][0]
            return not is_busy

    def close(self) -> None:
        self._reads.dispose()
        self._writes.dispose()


def _engine(url: URL, begin: str, most: int, *, read_only: bool) -> Engine:
    """Make an engine of at most `most` connections; its transactions begin with `begin`."""
    file = file_of(url) if read_only else None
    options: dict[str, Any] = {}
    if file is not None:
        options["creator"] = lambda: sqlite3.connect(
            address_to_read(file), uri=True, check_same_thread=False
        )
    address = url.set(database=None if file else url.database)
    engine = create_engine(
        address,
        # Errors must not quote secrets from a statement's parameters.
        hide_parameters=True,
        poolclass=QueuePool,
        pool_size=most,
        max_overflow=0,
        **options,
    )

    # https://docs.sqlalchemy.org/en/20/dialects/sqlite.html#pysqlite-serializable
    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: object) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.isolation_level = None  # the driver must not begin by itself
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


@contextmanager
def translated_errors() -> Generator[None]:
    """Translate SQLite's errors about the file or the disk into ours."""
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
    """Return the file of a URL; None for a server, memory or a `file:` URI."""
    path = url.database or ":memory:"
    is_file = url.get_backend_name() == "sqlite" and not path.startswith((":", "file:"))
    return Path(path) if is_file else None


def _require_or_create(url: URL, *, must_exist: bool) -> None:
    """Make a missing file, readable only for this user: it will hold the puzzle key and secrets.

    SQLite gives the files beside it the same mode. With `must_exist`, no file is made, and a
    missing one is a `NoDatabaseError`.
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


def code_of(error: BaseException | None) -> int:
    """Return SQLite's primary error code; 0 for other errors."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF


def is_damage(error: BaseException | None) -> bool:
    """Return true if the error says that the file is damaged or not SQLite's."""
    return code_of(error) in _CODES


def require_file(path: Path) -> None:
    """Raise `NoDatabaseError` for a missing file, `UnusableDatabaseError` for a folder."""
    if path.is_dir():
        raise UnusableDatabaseError(os.strerror(errno.EISDIR))
    if not path.is_file():
        raise NoDatabaseError(str(path))


def require_locks(folder: Path) -> None:
    """Raise `UnfitDatabaseError` where files cannot be locked or shared: on many network disks.

    SQLite would say that another program has the database, or that the disk fails.
    """
    with suppress(OSError), tempfile.TemporaryFile(dir=folder) as file:  # others tell what fails
        file.truncate(mmap.PAGESIZE)
        try:
            _lock(file.fileno())
            mmap.mmap(file.fileno(), mmap.PAGESIZE).close()
        except OSError as error:
            raise UnfitDatabaseError(
                f"Files in {folder} cannot be locked ({reason(error)}), as on many network disks. "
                "Put the database on a disk of this machine's, or take PostgreSQL."
            ) from error


def address_to_read(file: Path) -> str:
    """Build a URI by which SQLite reads a database without changing it or leaving a log beside it.

    A write-ahead log means that a bot runs or was killed: it is read, too. Without one nobody
    writes, so the file is opened as `immutable`, which keeps SQLite from making an empty log.
    """
    has_log = file.with_name(file.name + "-wal").exists()
    return address_of(file, "ro" if has_log else "ro&immutable=1")


def address_of(file: Path, mode: str = "rw") -> str:
    return f"{file.resolve().as_uri()}?mode={mode}"


def reason(error: Exception) -> str:
    """Return an error's message; for an error of the operating system, without file names."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
