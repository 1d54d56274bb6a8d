"""Where work is done: in a process of its own, or in a thread of the bot's."""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextvars import copy_context
from multiprocessing import active_children, get_context
from typing import Protocol, TypeVar

from bot.pool.worker import begin

T = TypeVar("T")


class DiedError(Exception):
    """A worker that ended while it worked."""


class TookTooLongError(Exception):
    """Work that was not done in time, and was given up."""


class Place(Protocol):
    """Does one piece of work at a time."""

    @property
    def is_warm(self) -> bool:
        """Whether it can begin at once."""
        ...

    async def do(self, work: Callable[[], T], seconds: float) -> T:
        """The result of some work.

        Raises:
            DiedError: it was not done, and may be tried again.
            TookTooLongError: it was not done in time.
            Exception: what the work has raised.
        """
        ...

    async def end(self) -> None:
        """Give up what is kept for the next work; it comes back with that."""
        ...


class ThreadPlace:
    """A thread; it cannot be stopped, so nothing there takes too long."""

    def __init__(self) -> None:
        self._threads: ThreadPoolExecutor | None = None

    @property
    def is_warm(self) -> bool:
        """Always: a thread takes no time to start."""
        return True

    async def do(self, work: Callable[[], T], seconds: float) -> T:
        """The result of some work."""
        if self._threads is None:
            self._threads = ThreadPoolExecutor(1, thread_name_prefix="workshop")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, copy_context().run, work)

    async def end(self) -> None:
        """Let the thread end, with what it is doing."""
        if self._threads is not None:
            threads, self._threads = self._threads, None
            await asyncio.to_thread(threads.shutdown)


class ProcessPlace:
    """A pool of one process, started when there is work; one that hangs or dies is replaced."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._pid: int | None = None

    @property
    def is_warm(self) -> bool:
        """Whether the process runs."""
        return self._pid is not None

    async def do(self, work: Callable[[], T], seconds: float) -> T:
        """The result of some work; whatever stops the waiting for it stops the process."""
        limit = asyncio.timeout(seconds)
        try:
            async with limit:
                pool = self._pool or await self._started()
                return await asyncio.get_running_loop().run_in_executor(pool, work)
        except BrokenProcessPool as error:
            await self.end()
            raise DiedError from error
        except TimeoutError as error:
            if not limit.expired():  # it is the work's own
                raise
            await self.end()
            raise TookTooLongError from error
        except asyncio.CancelledError:
            await asyncio.shield(self.end())
            raise

    async def _started(self) -> ProcessPoolExecutor:
        self._pool = pool = ProcessPoolExecutor(1, get_context("spawn"), begin)
        # The first work starts the process, which the event loop does not wait for.
        self._pid = await asyncio.wrap_future(await asyncio.to_thread(pool.submit, os.getpid))
        return pool

    async def end(self) -> None:
        """End the process, whatever it is doing."""
        pool, self._pool = self._pool, None
        pid, self._pid = self._pid, None
        if pool is None:
            return
        for process in active_children():
            if process.pid == pid:
                process.kill()
        # One that still starts ends when it has.
        await asyncio.to_thread(pool.shutdown, wait=pid is not None, cancel_futures=True)
