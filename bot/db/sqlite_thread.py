"""SQLite in a thread of its own, so that a slow disk holds up nobody."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, Self, TypeVar

from sqlalchemy import PoolProxiedConnection

T = TypeVar("T")

NAME: Final = "database"


class SqliteThread:
    """Does one thing after the other, in the order in which they were asked for.

    Attributes:
        is_alive: until it is ended.
    """

    def __init__(self) -> None:
        self.is_alive = True
        self._asked = SimpleQueue[Callable[[], None] | None]()
        # The program can end without it.
        self._thread = Thread(target=self._work, name=NAME, daemon=True)
        self._thread.start()

    async def do(self, work: Callable[[], T]) -> T:
        """Do something; what comes of it. It is done although who asked is cancelled."""
        answer = asyncio.get_running_loop().create_future()
        self._asked.put(partial(_do, work, answer))
        return await answer

    def tell(self, work: Callable[[], object]) -> None:
        """Do something for which nobody waits."""
        self._asked.put(partial(_do_unheard, work))

    def wait_at_most(self, seconds: float, connection: PoolProxiedConnection) -> None:
        """Let a connection wait so long for locks of other programs; called in the thread."""
        milliseconds = max(0, round(seconds * 1000))
        connection.cursor().execute(f"PRAGMA busy_timeout = {milliseconds}")

    def end(self) -> None:
        """Let it end: nothing may be asked for any more."""
        self.is_alive = False
        self._asked.put(None)
        self._thread.join()

    def _work(self) -> None:
        while (asked := self._asked.get()) is not None:
            asked()


def _do(work: Callable[[], T], answer: asyncio.Future[T]) -> None:
    try:
        tell = partial(_tell, answer, answer.set_result, work())
    except BaseException as error:  # noqa: BLE001 - whoever asked is told
        tell = partial(_tell, answer, answer.set_exception, error)
    with suppress(RuntimeError):  # the loop is gone, and with it whoever asked
        answer.get_loop().call_soon_threadsafe(tell)


def _do_unheard(work: Callable[[], object]) -> None:
    with suppress(Exception):  # the next one meets it, too
        work()


def _tell(answer: asyncio.Future[Any], tell: Callable[[Any], None], what: object) -> None:
    if not answer.done():  # else nobody waits any more
        tell(what)


class ReadingConnection(sqlite3.Connection):
    """A connection that reads all of a result where its statement is executed.

    So a statement is one trip to the thread, and nobody else comes near the file.
    """

    def cursor(self, _factory: object = None) -> "ReadingCursor":  # pyright: ignore[reportIncompatibleMethodOverride]
        """A cursor for one statement."""
        return ReadingCursor(self)


class ReadingCursor(sqlite3.Cursor):
    """Executes whatever the database is asked for.

    It has read what it is asked for: that may happen in another thread.
    """

    _rows: Iterator[Any] = iter(())

    def execute(self, sql: str, parameters: Any = ()) -> Self:
        """Execute a statement, and read its rows."""
        super().execute(sql, parameters)
        self._rows = iter(super().fetchall())
        return self

    def executemany(self, sql: str, parameters: Iterable[Any]) -> Self:
        """Execute a statement for each of these parameters, and read its rows."""
        super().executemany(sql, parameters)
        self._rows = iter(super().fetchall())
        return self

    def fetchone(self) -> Any:
        """The next row; None after the last."""
        return next(self._rows, None)

    def fetchmany(self, size: int | None = 1) -> list[Any]:
        """The next so many rows."""
        return list(islice(self._rows, size))

    def fetchall(self) -> list[Any]:
        """The rows that are left."""
        return list(self._rows)

    def close(self) -> None:
        """Nothing is left to be closed."""
