"""Doors: who wants the same waits for each other within a process."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from bot.db.keys import Key
from bot.errors import StorageBusyError


class Doors:
    """Lets one at a time in for each key, within this process.

    So many who want the same wait here, and not each with a connection of the pool.
    """

    def __init__(self) -> None:
        self._locks: dict[Key, asyncio.Lock] = {}
        self._users: dict[Key, int] = {}

    @asynccontextmanager
    async def passed(self, keys: Sequence[Key], until: float) -> AsyncGenerator[None]:
        """Behind the doors of keys, which are in order.

        Raises:
            StorageBusyError: others were there until then.
        """
        async with AsyncExitStack() as stack:
            async with in_time(until):
                for key in keys:
                    await stack.enter_async_context(self._door(key))
            yield

    @asynccontextmanager
    async def _door(self, key: Key) -> AsyncGenerator[None]:
        lock = self._locks.setdefault(key, asyncio.Lock())
        self._users[key] = self._users.get(key, 0) + 1
        try:
            async with lock:
                yield
        finally:
            self._users[key] -= 1
            if not self._users[key]:
                del self._users[key], self._locks[key]


@asynccontextmanager
async def in_time(until: float) -> AsyncGenerator[None]:
    """Something that is done until an instant of the monotonic clock, or others are in the way."""
    try:
        async with asyncio.timeout_at(until):
            yield
    except TimeoutError:
        raise StorageBusyError from None
