"""Locks within a process, and the threads in which transactions are carried out."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import copy_context
from typing import Any, TypeVar

from bot.db.keys import Key
from bot.errors import ClosingError, StorageBusyError

T = TypeVar("T")


class KeyLocks:
    """A lock for each key, so that those who want the same do not each wait with a connection."""

    def __init__(self) -> None:
        self._locks: dict[Key, asyncio.Lock] = {}
        self._users: dict[Key, int] = {}

    @asynccontextmanager
    async def held(self, keys: Sequence[Key], until: float) -> AsyncGenerator[None]:
        """The locks of keys, which are in order, until the end of the block.

        Raises:
            StorageBusyError: others had them until then, an instant of the monotonic clock.
        """
        async with AsyncExitStack() as stack:
            async with in_time(until):
                for key in keys:
                    await stack.enter_async_context(self._lock(key))
            yield

    @asynccontextmanager
    async def _lock(self, key: Key) -> AsyncGenerator[None]:
        lock = self._locks.setdefault(key, asyncio.Lock())
        self._users[key] = self._users.get(key, 0) + 1
        try:
            async with lock:
                yield
        finally:
            self._users[key] -= 1
            if not self._users[key]:
                del self._users[key], self._locks[key]


class Threads:
    """A few threads; each does one thing after the other, in the order of asking.

    Args:
        count: how many.
        name: what they are called.

    Attributes:
        is_closing: whether nothing is begun any more.
    """

    def __init__(self, count: int, name: str) -> None:
        self._executor = ThreadPoolExecutor(count, thread_name_prefix=name)
        self._count = count
        self._free = asyncio.Semaphore(count)
        self.is_closing = False

    async def do(self, work: Callable[[], T], until: float, *, is_last: bool = False) -> T:
        """What comes of something, done in a thread. Once begun, it is done to its end.

        Who is cancelled meanwhile does not learn of that; the thread is free when it is done.

        Args:
            work: what is done.
            until: an instant of the monotonic clock, after which nobody waits for a thread.
            is_last: whether it is done although nothing else is begun any more.

        Raises:
            ClosingError: nothing is begun any more.
            StorageBusyError: there was none until then.
        """
        if not is_last:
            self.refuse_at_end()
        if self._free.locked():
            async with in_time(until):
                await self._free.acquire()
        else:  # at once, whatever the time
            await self._free.acquire()
        if self.is_closing and not is_last:
            self._free.release()
            raise ClosingError
        loop = asyncio.get_running_loop()
        doing = loop.run_in_executor(self._executor, copy_context().run, work)
        doing.add_done_callback(self._is_done)
        await asyncio.wait({doing})  # which leaves it alone if who asked is cancelled
        return doing.result()

    def _is_done(self, doing: asyncio.Future[Any]) -> None:
        self._free.release()
        doing.exception()  # which would be logged where nobody waits for it any more

    def refuse_at_end(self) -> None:
        """Do nothing if it may still be begun.

        Raises:
            ClosingError: nothing is begun any more.
        """
        if self.is_closing:
            raise ClosingError

    async def finish(self) -> None:
        """Wait until all that has begun is done, when nothing is begun any more."""
        async with AsyncExitStack() as stack:
            for _ in range(self._count):
                await stack.enter_async_context(self._free)

    async def close(self) -> None:
        """Begin nothing any more, wait until all that has begun is done, and end."""
        self.is_closing = True
        await asyncio.to_thread(self._executor.shutdown)


@asynccontextmanager
async def in_time(until: float) -> AsyncGenerator[None]:
    """Something that is done until an instant of the monotonic clock, or others are in the way."""
    try:
        async with asyncio.timeout_at(until):
            yield
    except TimeoutError:
        raise StorageBusyError from None
