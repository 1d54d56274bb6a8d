"""Hears what processes tell each other through PostgreSQL, with what they commit."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

from asyncpg import InterfaceError, PostgresError  # pyright: ignore[reportMissingTypeStubs]
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

log = logging.getLogger(__name__)

CHANNEL: Final = "focdle"
TELL: Final = f"SELECT pg_notify('{CHANNEL}', $1)"
_LISTEN_AGAIN_SECONDS: Final = 1.0
# Where a connection is gone and nobody has said so, it is noticed after this time.
_STILL_THERE_SECONDS: Final = 30.0
_ANSWER_SECONDS: Final = 5.0
_LOST: Final = (DBAPIError, PostgresError, InterfaceError, OSError)  # a timeout is one of these

Hear = Callable[[str | None], None]
"""Is called with what a process tells; with None if something may have been missed."""


class Listener:
    """Listens on a connection of its own, and on another one when that is lost.

    Args:
        engine: what connects.
        hear: what is called.
    """

    def __init__(self, engine: AsyncEngine, hear: Hear) -> None:
        self._engine = engine
        self._hear = hear
        self._is_heard = asyncio.Event()
        self._task = asyncio.create_task(self._listen(), name="listening to other processes")

    async def until_begun(self) -> None:
        """Wait until nothing is missed any more."""
        await self._is_heard.wait()

    async def close(self) -> None:
        """Listen no more. May be called twice."""
        self._task.cancel()
        await asyncio.wait({self._task})

    async def _listen(self) -> None:
        while True:
            try:
                async with self._connected() as driver:
                    await self._until_lost(driver)
            except _LOST as error:
                if self._is_heard.is_set():  # else it was said
                    log.info("what other processes tell is not heard: %s", type(error).__name__)
            self._is_heard.clear()
            await asyncio.sleep(_LISTEN_AGAIN_SECONDS)

    @asynccontextmanager
    async def _connected(self) -> AsyncGenerator[Any]:
        async with self._engine.connect() as connection:
            try:
                yield (await connection.get_raw_connection()).driver_connection
            finally:
                await connection.invalidate()  # nobody else is to listen on it

    async def _until_lost(self, driver: Any) -> None:
        lost = asyncio.Event()

        def end(_driver: object) -> None:
            lost.set()

        def hear(_driver: object, _pid: int, _channel: str, text: str) -> None:
            self._hear(text)

        driver.add_termination_listener(end)
        await driver.add_listener(CHANNEL, hear)
        self._hear(None)  # from here on nothing is missed; until now, something may have been
        self._is_heard.set()
        while not await _is_set(lost, _STILL_THERE_SECONDS):
            async with asyncio.timeout(_ANSWER_SECONDS):
                await driver.execute("SELECT 1")


async def _is_set(event: asyncio.Event, seconds: float) -> bool:
    """Whether something happens within so many seconds."""
    try:
        async with asyncio.timeout(seconds):
            return await event.wait()
    except TimeoutError:
        return False
