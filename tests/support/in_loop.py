"""SQLite in the thread of the event loop, for tests within one process.

The bot's connection has a thread of its own, so that a slow disk holds up nobody, and commits wait
for the disk. In a test that is a good part of the time, and tells nothing: `tests/storage` and
`tests/process` run on the real thing.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, Final

import aiosqlite

from bot.storage.sqlite_driver import OneTripConnection

# How long a statement waits before it asks again for a lock that another connection holds.
_AGAIN_SECONDS: Final = 0.005


class InLoopConnection(OneTripConnection):
    """A connection whose statements are executed as soon as they are asked for.

    Whoever asked still gets the answer in the loop's next round, so that others have their turn.

    Args:
        database: the file, as `sqlite3` names it.
        timeout: seconds to wait for the write lock, while the loop goes on.
        options: what else `sqlite3.connect` takes.
    """

    is_wanted = True

    def __init__(self, database: str, *, timeout: float, **options: Any) -> None:
        super().__init__(database, timeout=0, **options)
        self._tx: Any = _Counter(timeout)  # pyright: ignore[reportIncompatibleVariableOverride]

    def __await__(self) -> Generator[Any, None, aiosqlite.Connection]:
        return aiosqlite.Connection._connect(self).__await__()  # noqa: SLF001 - without a thread

    def execute_now(self, statement: str) -> None:
        """Execute a statement, without its answer."""
        self._conn.execute(statement).close()


@contextmanager
def in_a_thread() -> Generator[None]:
    """Let connections that are opened meanwhile have their thread, and wait for the disk."""
    InLoopConnection.is_wanted = False
    try:
        yield
    finally:
        InLoopConnection.is_wanted = True


class _Counter:
    """Takes the place of the queue in which statements wait for a connection's thread."""

    def __init__(self, patience: float) -> None:
        self._patience = patience

    def put_nowait(self, item: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
        answer, work = item
        if answer is None:  # the loop is gone
            work()
        else:
            self._attempt(answer, work, answer.get_loop().time() + self._patience)

    def _attempt(self, answer: asyncio.Future[Any], work: Callable[[], Any], until: float) -> None:
        loop = answer.get_loop()
        try:
            result = work()
        except Exception as error:  # noqa: BLE001 - whoever asked is told
            code = getattr(error, "sqlite_errorcode", None)
            if code == sqlite3.SQLITE_BUSY and loop.time() < until:
                loop.call_later(_AGAIN_SECONDS, self._attempt, answer, work, until)
            else:
                loop.call_soon(_tell, answer, answer.set_exception, error)
        else:
            loop.call_soon(_tell, answer, answer.set_result, result)


def _tell(answer: asyncio.Future[Any], tell: Callable[[Any], None], what: object) -> None:
    if not answer.done():  # else nobody waits any more
        tell(what)
