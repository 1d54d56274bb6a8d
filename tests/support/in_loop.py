"""SQLite in the thread of the event loop, for tests within one process.

The bot's connection has a thread of its own, so that a slow disk holds up nobody, and commits wait
for the disk. In a test that is a good part of the time, and tells nothing: `tests/storage` and
`tests/process` run on the real thing.
"""

import asyncio
import sqlite3
from asyncio.events import _set_running_loop as set_running_loop
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Final, TypeVar

from sqlalchemy.exc import OperationalError

from bot.db import gate
from bot.db.sqlite_thread import SqliteThread
from bot.patience import MOST_SECONDS

T = TypeVar("T")

# How long a statement waits before it asks again for a lock that another connection holds.
_AGAIN_SECONDS: Final = 0.005


class InLoop(SqliteThread):
    """Takes the place of the thread: does things as soon as they are asked for.

    Whoever asked still gets the answer in the loop's next round, so that others have their turn.
    """

    def __init__(self) -> None:
        """Begin nothing."""
        self.is_alive = True

    async def do(self, work: Callable[[], T]) -> T:
        """Do something; while another connection has the lock, the loop goes on."""
        loop = asyncio.get_running_loop()
        until = loop.time() + MOST_SECONDS
        while True:
            try:
                return _as_in_a_thread(work, loop)
            except (OperationalError, sqlite3.OperationalError) as error:
                code = getattr(getattr(error, "orig", error), "sqlite_errorcode", None)
                if code != sqlite3.SQLITE_BUSY or loop.time() > until:
                    raise
                await asyncio.sleep(_AGAIN_SECONDS)
            finally:
                await asyncio.sleep(0)

    def tell(self, work: Callable[[], object]) -> None:
        """Do something for which nobody waits."""
        work()

    def wait_at_most(self, seconds: float, connection: object) -> None:
        """Let the loop wait instead."""

    def end(self) -> None:
        """End nothing."""
        self.is_alive = False


def _as_in_a_thread(work: Callable[[], T], loop: asyncio.AbstractEventLoop) -> T:
    """What comes of something that finds no loop, as it will find none in the thread."""
    set_running_loop(None)
    try:
        return work()
    finally:
        set_running_loop(loop)


def is_wanted() -> bool:
    """Whether databases that are opened now are used in the loop."""
    return gate.SqliteThread is InLoop


def stay_in_loop() -> None:
    """Let databases that are opened from now on be used in the loop."""
    gate.__dict__["SqliteThread"] = InLoop


@contextmanager
def in_a_thread() -> Generator[None]:
    """Let databases that are opened meanwhile have their thread, and wait for the disk."""
    gate.__dict__["SqliteThread"] = SqliteThread
    try:
        yield
    finally:
        stay_in_loop()
