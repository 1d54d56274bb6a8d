"""The driver of SQLite, with one trip to the database's thread for each statement.

As SQLAlchemy uses it, `aiosqlite` goes there and back four times to make a cursor, execute,
fetch and close; that is most of what a small statement takes.
"""

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import partial
from typing import Any, Final

import aiosqlite
from aiosqlite.context import contextmanager

# What `aiosqlite` does; rows are never fetched in chunks here.
_CHUNK: Final = 64


class OneTripConnection(aiosqlite.Connection):
    """A connection to SQLite, not yet opened: await it.

    Args:
        database: the file, as `sqlite3` names it.
        options: what else `sqlite3.connect` takes.
    """

    def __init__(self, database: str, **options: Any) -> None:
        super().__init__(partial(sqlite3.connect, database, **options), _CHUNK)
        # The program can end without it, as with connections that SQLAlchemy makes.
        self._thread.daemon = True

    async def _connect(self) -> aiosqlite.Connection:
        try:
            return await super()._connect()
        except BaseException:
            # Its thread was told to stop, and tells the event loop when it has: not one that is
            # closed by then, or there is a traceback beside what the host is told.
            self._thread.join()
            raise

    @contextmanager
    async def cursor(self) -> aiosqlite.Cursor:
        """A cursor for one statement."""
        return _OneTripCursor(self, self._conn)


class _OneTripCursor(aiosqlite.Cursor):
    """Executes one statement, and reads all of its result at once."""

    def __init__(self, connection: OneTripConnection, database: sqlite3.Connection) -> None:
        # The cursor itself is made, used and closed in the connection's thread.
        self._conn = connection
        self._database = database
        self._rows: Iterable[sqlite3.Row] = ()

    async def execute(self, sql: str, parameters: Iterable[Any] | None = None) -> aiosqlite.Cursor:
        """Execute a statement, and fetch its rows."""
        return await self._at_once(sqlite3.Cursor.execute, sql, parameters or ())

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> aiosqlite.Cursor:
        """Execute a statement for each of these parameters."""
        return await self._at_once(sqlite3.Cursor.executemany, sql, parameters)

    async def fetchall(self) -> Iterable[sqlite3.Row]:
        """The rows of the statement."""
        return self._rows

    async def close(self) -> None:
        """Nothing is left to be closed."""

    async def _at_once(
        self, execute: Callable[..., object], sql: str, parameters: Iterable[Any]
    ) -> aiosqlite.Cursor:
        def work() -> None:
            # What a statement tells of itself can still be asked of a closed cursor.
            with closing(self._database.cursor()) as self._cursor:
                execute(self._cursor, sql, parameters)
                self._rows = self._cursor.fetchall()

        await self._execute(work)  # pyright: ignore[reportUnknownMemberType] - not annotated there
        return self
