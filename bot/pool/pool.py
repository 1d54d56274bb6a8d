"""Slow work: a process draws charts, another runs solvers, threads draw boards and rows."""

import asyncio
import hashlib
import logging
import os
import pickle
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from contextvars import copy_context
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from multiprocessing import active_children, get_context
from typing import Any, Final, Generic, NamedTuple, ParamSpec, Self, TypeVar

from bot.errors import ClosingError
from bot.failures import Failures
from bot.pool.worker import begin
from bot.refused import (
    AlreadyDrawingError,
    ForgottenMeanwhileError,
    PoolFailedError,
    PoolFullError,
)

log = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")

AT_ONCE: Final = 4
"""How many callers of `LoopThrottle` begin in one turn of the event loop: some 5 ms of work."""


class LoopThrottle:
    """A throttle that spreads bursts of work over several turns of the event loop.

    Callers wait only for the loop, never for each other's results. So a hundred callers lose no
    time, and a click that comes in between waits for a few of them, not for all.
    """

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def wait(self) -> None:
        """Wait for a turn of the event loop in which fewer than `AT_ONCE` callers begin."""
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_soon(self._begin)
        mine: asyncio.Future[None] = loop.create_future()
        self._waiting.append(mine)
        await mine

    def _begin(self) -> None:
        left = AT_ONCE
        while self._waiting and left:
            mine = self._waiting.popleft()
            if not mine.done():
                mine.set_result(None)
                left -= 1
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._begin)


# Computing threads compete with the event loop and the database for the interpreter: many would
# slow everybody down. With one, a guess of the bot's would wait for every chart.
_MOST: Final = 2
_threads: Final = ThreadPoolExecutor(_MOST, thread_name_prefix="work")


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    job = partial(copy_context().run, work, *args, **kwargs)
    return await asyncio.get_running_loop().run_in_executor(_threads, job)


class WorkerDiedError(Exception):
    """The worker process ended while it worked."""


class TookTooLongError(Exception):
    """A job was stopped after its time limit."""


class ThreadExecutor:
    """An executor with a thread, which cannot be stopped: time limits do not hold."""

    is_warm = True
    """Whether a job can begin without a wait for the worker's start."""

    def __init__(self) -> None:
        self._threads: ThreadPoolExecutor | None = None

    async def do(self, work: Callable[[], T], seconds: float) -> T:
        if self._threads is None:
            self._threads = ThreadPoolExecutor(1, thread_name_prefix="pool")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, copy_context().run, work)

    async def end(self) -> None:
        """End the thread; the next job starts one again."""
        if self._threads is not None:
            threads, self._threads = self._threads, None
            await asyncio.to_thread(threads.shutdown)


class ProcessExecutor:
    """An executor with a process, started on demand; a hanging or dead one is replaced."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._pid: int | None = None

    @property
    def is_warm(self) -> bool:
        return self._pid is not None

    async def do(self, work: Callable[[], T], seconds: float) -> T:
        """Run a job; kill the process if it takes too long or the caller is cancelled."""
        limit = asyncio.timeout(seconds)
        try:
            async with limit:
                pool = self._pool or await self._started()
                return await asyncio.get_running_loop().run_in_executor(pool, work)
        except BrokenProcessPool as error:
            await self.end()
            raise WorkerDiedError from error
        except TimeoutError as error:
            if not limit.expired():  # the job itself raised it
                raise
            await self.end()
            raise TookTooLongError from error
        except asyncio.CancelledError:
            await asyncio.shield(self.end())
            raise

    async def _started(self) -> ProcessPoolExecutor:
        self._pool = pool = ProcessPoolExecutor(1, get_context("spawn"), begin)
        try:
            # The first job starts the process, outside the event loop.
            self._pid = await asyncio.wrap_future(await asyncio.to_thread(pool.submit, os.getpid))
        except Exception:  # for lack of memory or threads
            await self.end()
            raise
        return pool

    async def end(self) -> None:
        """Kill the process, even at work."""
        pool, self._pool = self._pool, None
        pid, self._pid = self._pid, None
        if pool is None:
            return
        for process in active_children():
            if process.pid == pid:
                process.kill()
        # A process that is still starting ends by itself afterwards.
        await asyncio.to_thread(pool.shutdown, wait=pid is not None, cancel_futures=True)


Executor = ThreadExecutor | ProcessExecutor

MOST_WAITING: Final = 300
"""The most jobs that wait in a lane, which limits memory."""
IDLE_SECONDS: Final = 300.0
"""The time until a queue without work ends its worker."""


class Lane(IntEnum):
    """The priority of a job: lower lanes come first, and within a lane the oldest job."""

    PLAYING = 0
    """Short work for a player in the middle of a game."""
    DRAWING = 1
    """A picture: a tenth of a second, before work of seconds."""
    REVIEW = 2
    """The coach's analysis of a finished game."""
    BACKGROUND = 3
    """Work that nobody waits for."""


class Job(Generic[T]):
    def __init__(self, work: Callable[[], T], seconds: float, lane: Lane) -> None:
        self.work = work
        self.seconds = seconds
        self.lane = lane
        self.result: asyncio.Future[T] = asyncio.get_running_loop().create_future()

    def fail(self, error: Exception) -> None:
        """Set the error. Retrieve it, too, so that asyncio does not log it if nobody waits."""
        if not self.result.done():
            self.result.set_exception(error)
            self.result.exception()


class WorkQueue:
    """A queue for one executor, one job at a time; to be made in a running event loop.

    After `idle_seconds` without work the executor's worker is ended, and `when_idle` called.
    """

    def __init__(self, executor: Executor, *, idle_seconds: float = IDLE_SECONDS) -> None:
        self._executor = executor
        self._idle_seconds = idle_seconds
        self.when_idle: Callable[[], object] = lambda: None
        self._lanes: dict[Lane, deque[Job[Any]]] = {lane: deque() for lane in Lane}
        self._running: Job[Any] | None = None
        self._arrived = asyncio.Event()
        self._is_closing = False
        self._failures = Failures(log)
        # In a task of its own, since those who add jobs wait only for their own.
        self._serving = asyncio.create_task(self._serve(), name="pool")

    @property
    def is_free(self) -> bool:
        """True if a new job would begin at once."""
        return self._executor.is_warm and not self.is_busy

    @property
    def is_busy(self) -> bool:
        return self._running is not None or any(self._lanes.values())

    def unfinished(self, lane: Lane) -> int:
        """Count a lane's jobs, the running one included."""
        is_running = self._running is not None and self._running.lane is lane
        return len(self._lanes[lane]) + is_running

    def ahead(self, job: Job[Any]) -> int:
        """Count the jobs that come before this one in its lane; 0 if it is running or done."""
        lane = self._lanes[job.lane]
        return lane.index(job) + self.unfinished(job.lane) - len(lane) if job in lane else 0

    def add(self, work: Callable[[], T], seconds: float, lane: Lane) -> Job[T]:
        """Queue a job; `PoolFullError` if too many wait in its lane."""
        if self._is_closing:
            raise ClosingError
        if len(self._lanes[lane]) >= MOST_WAITING:
            raise PoolFullError
        job = Job(work, seconds, lane)
        self._lanes[lane].append(job)
        self._arrived.set()
        return job

    def drop(self, job: Job[Any]) -> bool:
        if job not in self._lanes[job.lane]:
            return False
        self._lanes[job.lane].remove(job)
        return True

    async def close(self) -> None:
        """Fail all unfinished jobs with `ClosingError`, and end the worker; may be called twice."""
        self._is_closing = True
        self._serving.cancel()
        await asyncio.wait({self._serving})
        if self._running is not None:
            self._running.fail(ClosingError())
        for lane in self._lanes.values():
            for job in lane:
                job.fail(ClosingError())
            lane.clear()
        await self._executor.end()

    async def _serve(self) -> None:
        while not self._is_closing:
            while lane := next(filter(None, self._lanes.values()), None):
                self._running = lane.popleft()
                await self._do(self._running)
                self._running = None
            self._arrived.clear()
            try:
                async with asyncio.timeout(self._idle_seconds):
                    await self._arrived.wait()
            except TimeoutError:
                with self._failures.telling("end of an idle worker"):
                    await self._executor.end()
                    self.when_idle()
                await self._arrived.wait()

    async def _do(self, job: Job[Any]) -> None:
        if job.result.done():  # nobody waits any more
            return
        try:
            found = await self._do_with_retry(job)
        except Exception as error:  # noqa: BLE001 - it is raised where somebody waits
            job.fail(error)
        else:
            if not job.result.done():
                job.result.set_result(found)

    async def _do_with_retry(self, job: Job[T]) -> T:
        """Run a job; once more if the worker dies, as that may be chance.

        Raises `PoolFailedError` if it dies again, or takes too long.
        """
        for _ in range(2):
            try:
                return await self._executor.do(job.work, job.seconds)
            except WorkerDiedError:
                log.warning("a worker ended while it worked; another takes its place")
            except TookTooLongError as error:
                log.warning("a worker was ended: %.0f seconds were not enough", job.seconds)
                raise PoolFailedError from error
        raise PoolFailedError


MOST_WORKERS: Final = 2
"""One worker draws and one computes, so that neither waits for the other."""
DRAWING_SECONDS: Final = 30.0
"""The time limit of a drawing; it takes a tenth of a second."""
SOLVING_SECONDS: Final = 300.0
"""The time limit of an analysis; it takes a second or two."""
PATIENCE_SECONDS: Final = 120.0
"""The longest wait for a drawing, after which the player is asked to try again later."""
MOST_CACHED: Final = 200
"""The most cached drawings; one has about 100 kB."""


class _CacheKey(NamedTuple):
    """A drawing's cache key: the same facts in the same language give the same picture.

    `owner_id` is the player whose data it shows.
    """

    owner_id: int
    digest: bytes


@dataclass(slots=True)
class _Drawing:
    """A drawing that is not finished, and the number of calls that wait for it.

    `asker` is the player who asked first, and the kind of picture.
    """

    job: Job[Any]
    asker: tuple[int, str]
    waiting: int = 0


class Pool:
    """A pool for slow work, with processes or threads; to be made in a running event loop.

    Solvers limit the size of their caches, but not the memory of running work: so each queue does
    one job at a time. Drawings and solvers may share one. A drawing waits `patience` seconds at
    most.
    """

    def __init__(
        self, drawing: WorkQueue, solving: WorkQueue, *, patience: float = PATIENCE_SECONDS
    ) -> None:
        self._drawing = drawing
        self.solving = solving
        self._patience = patience
        self._cache: OrderedDict[_CacheKey, Any] = OrderedDict()
        self._pending: dict[_CacheKey, _Drawing] = {}
        drawing.when_idle = self._cache.clear
        self._reading = asyncio.Lock()
        self._readers = 0

    @classmethod
    def with_workers(cls, count: int) -> Self:
        """Make a pool of 0 to 2 processes.

        Of two, one draws and one solves; a single one does both. With none, two threads do it.
        """
        executor = ProcessExecutor if count else ThreadExecutor
        drawing = WorkQueue(executor())
        return cls(drawing, drawing if count == 1 else WorkQueue(executor()))

    @property
    def draws_at_once(self) -> bool:
        """True if a drawing would begin at once; else Discord is asked to wait."""
        return self._drawing.is_free

    @property
    def is_crowded(self) -> bool:
        """True if a drawing is under way or waited for, or somebody reads the data for one."""
        return self._reading.locked() or self._drawing.is_busy

    @property
    def waiting(self) -> int:
        """The number of unfinished drawings, and of players who read data for one or wait to."""
        return self._readers + self._drawing.unfinished(Lane.DRAWING)

    @asynccontextmanager
    async def in_turn(self) -> AsyncGenerator[None]:
        """Hold the lock for reading a drawing's data; `PoolFullError` if too many wait."""
        if self._readers >= MOST_WAITING:
            raise PoolFullError
        self._readers += 1
        try:
            async with self._reading:
                yield
        finally:
            self._readers -= 1

    async def draw(self, work: Callable[[], T], *, kind: str, asker_id: int, owner_id: int) -> T:
        """Draw a picture, or return it from the cache if the facts are the same.

        Args:
            work: draws the picture; it and its result can be pickled.
            kind: the kind of picture; a player waits for one of a kind at a time.
            owner_id: the player whose data it shows.

        Raises:
            AlreadyDrawingError: the asker waits for another picture of this kind.
            PoolFullError: too many wait, or the wait took too long.
            PoolFailedError: the drawing took too long, or its worker died twice.
            ForgottenMeanwhileError: the owner has deleted or hidden their data meanwhile.
        """
        key = _CacheKey(owner_id, hashlib.sha256(pickle.dumps(work)).digest())
        if key in self._cache:
            self._cache.move_to_end(key)
            return self._cache[key]
        drawing = self._pending.get(key) or self._begin(key, work, (asker_id, kind))
        drawing.waiting += 1
        try:
            async with asyncio.timeout(self._patience):
                return await asyncio.shield(drawing.job.result)
        except TimeoutError as error:
            raise PoolFullError from error
        finally:
            drawing.waiting -= 1
            if not drawing.waiting and self._drawing.drop(drawing.job):
                drawing.job.result.cancel()

    async def solve(self, work: Callable[[], T], lane: Lane = Lane.PLAYING) -> T:
        """Run a solver's job; it and its result can be pickled."""
        return await self.solving.add(work, SOLVING_SECONDS, lane).result

    def forget(self, player_id: int | None) -> None:
        """Drop a player's cached drawings, and fail the unfinished ones; None for everybody's."""
        for key in [key for key in self._cache if player_id in {None, key.owner_id}]:
            del self._cache[key]
        for key in [key for key in self._pending if player_id in {None, key.owner_id}]:
            job = self._pending.pop(key).job
            self._drawing.drop(job)
            job.fail(ForgottenMeanwhileError())

    async def close(self) -> None:
        await self._drawing.close()
        await self.solving.close()
        self._cache.clear()

    def _begin(self, key: _CacheKey, work: Callable[[], Any], asker: tuple[int, str]) -> _Drawing:
        if any(drawing.asker == asker for drawing in self._pending.values()):
            raise AlreadyDrawingError
        drawing = _Drawing(self._drawing.add(work, DRAWING_SECONDS, Lane.DRAWING), asker)
        self._pending[key] = drawing

        def ended(result: asyncio.Future[Any]) -> None:
            if self._pending.get(key) is not drawing:  # the owner's drawings were dropped meanwhile
                return
            del self._pending[key]
            if not result.cancelled() and result.exception() is None:
                self._cache[key] = result.result()
                if len(self._cache) > MOST_CACHED:
                    self._cache.popitem(last=False)

        drawing.job.result.add_done_callback(ended)
        return drawing
