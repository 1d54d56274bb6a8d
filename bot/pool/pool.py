"""What is slow: one process draws, another looks at games, a few threads do what takes little."""

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
from functools import partial
from multiprocessing import active_children, get_context
from typing import Any, Final, Generic, NamedTuple, ParamSpec, Protocol, Self, TypeVar

from bot.errors import ClosingError
from bot.pool.worker import begin
from bot.refused import (
    AlreadyDrawingError,
    ForgottenMeanwhileError,
    WorkshopFailedError,
    WorkshopFullError,
)

AT_ONCE: Final = 4
"""How many begin in one round of the event loop: some five milliseconds of work."""


class Rounds:
    """Lets whoever asks begin in turn, in this round of the event loop or a later one.

    Nobody waits for anybody's answer, only for the loop: a hundred are through as soon as a
    hundred could have begun at once, and who comes between waits for a few of them, not for all.
    """

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def turn(self) -> None:
        """Wait for a round that has room."""
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


P = ParamSpec("P")
T = TypeVar("T")

# Each one that computes takes its turns from the event loop and the database: with many, everybody
# would wait for them; with one, a guess of the bot's would wait for every chart.
_MOST: Final = 2
_threads: Final = ThreadPoolExecutor(_MOST, thread_name_prefix="work")


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do slow work in the next free thread, first come, first served."""
    job = partial(copy_context().run, work, *args, **kwargs)
    return await asyncio.get_running_loop().run_in_executor(_threads, job)


class WorkerDiedError(Exception):
    """A worker that ended while it worked."""


class TookTooLongError(Exception):
    """Work that was not done in time, and was given up."""


class Executor(Protocol):
    """Does one piece of work at a time."""

    @property
    def is_warm(self) -> bool:
        """Whether it can begin at once."""
        ...

    async def do(self, work: Callable[[], T], seconds: float) -> T:
        """The result of some work.

        Raises:
            WorkerDiedError: it was not done, and may be tried again.
            TookTooLongError: it was not done in time.
            Exception: what the work has raised.
        """
        ...

    async def end(self) -> None:
        """Give up what is kept for the next work; it comes back with that."""
        ...


class ThreadExecutor:
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
            self._threads = ThreadPoolExecutor(1, thread_name_prefix="pool")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, copy_context().run, work)

    async def end(self) -> None:
        """Let the thread end, with what it is doing."""
        if self._threads is not None:
            threads, self._threads = self._threads, None
            await asyncio.to_thread(threads.shutdown)


class ProcessExecutor:
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
            raise WorkerDiedError from error
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


log = logging.getLogger(__name__)

MOST_WAITING: Final = 300
"""How many may wait in a line; nobody can make the bot remember more."""
IDLE_SECONDS: Final = 300.0
"""How long a place without work is kept warm."""


class Job(Generic[T]):
    """A piece of work, and what comes of it.

    Args:
        work: what to do.
        seconds: how long it may take.
    """

    def __init__(self, work: Callable[[], T], seconds: float) -> None:
        self.work = work
        self.seconds = seconds
        self.result: asyncio.Future[T] = asyncio.get_running_loop().create_future()

    def fail(self, error: Exception) -> None:
        """Tell who waits what went wrong; nobody need be there any more."""
        if not self.result.done():
            self.result.set_exception(error)
            self.result.exception()


class WorkQueue:
    """One place, and who waits for it; to be made where an event loop runs.

    Args:
        place: where the work is done.
        most: how many may wait.
        idle_seconds: how long the place is kept without work.

    Attributes:
        when_idle: what to do when it is given up.
    """

    def __init__(
        self,
        place: Executor,
        *,
        most: int = MOST_WAITING,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self._place = place
        self._most = most
        self._idle_seconds = idle_seconds
        self.when_idle: Callable[[], object] = lambda: None
        self._waiting: deque[Job[Any]] = deque()
        self._running: Job[Any] | None = None
        self._arrived = asyncio.Event()
        self._is_closing = False
        # A task of its own: who adds a job does not stay to see to others'.
        self._serving = asyncio.create_task(self._serve(), name="pool")

    @property
    def is_free(self) -> bool:
        """Whether work would begin at once."""
        return self._place.is_warm and not self.is_busy

    @property
    def is_busy(self) -> bool:
        """Whether there is work."""
        return self._running is not None or bool(self._waiting)

    @property
    def length(self) -> int:
        """How many pieces of work are not done, with the one that is under way."""
        return len(self._waiting) + (self._running is not None)

    def add(self, work: Callable[[], T], seconds: float, *, is_next: bool = False) -> Job[T]:
        """Let some work wait for its turn.

        Args:
            work: what to do.
            seconds: how long it may take.
            is_next: whether it goes before all that wait, and is not counted.

        Raises:
            WorkshopFullError: too many wait.
            ClosingError: the program ends.
        """
        if self._is_closing:
            raise ClosingError
        if len(self._waiting) >= self._most and not is_next:
            raise WorkshopFullError
        job = Job(work, seconds)
        if is_next:
            self._waiting.appendleft(job)
        else:
            self._waiting.append(job)
        self._arrived.set()
        return job

    def drop(self, job: Job[Any]) -> bool:
        """Let a job that still waits be forgotten; returns whether it waited."""
        if job not in self._waiting:
            return False
        self._waiting.remove(job)
        return True

    async def close(self) -> None:
        """Let nobody wait any more, and end what is under way. May be called twice."""
        self._is_closing = True
        self._serving.cancel()
        await asyncio.wait({self._serving})
        jobs = [*self._waiting, *filter(None, [self._running])]
        self._waiting.clear()
        for job in jobs:
            job.fail(ClosingError())
        await self._place.end()

    async def _serve(self) -> None:
        while not self._is_closing:
            while self._waiting:
                self._running = self._waiting.popleft()
                await self._do(self._running)
                self._running = None
            self._arrived.clear()
            try:
                async with asyncio.timeout(self._idle_seconds):
                    await self._arrived.wait()
            except TimeoutError:
                await self._place.end()
                self.when_idle()
                await self._arrived.wait()

    async def _do(self, job: Job[Any]) -> None:
        if job.result.done():  # nobody waits any more
            return
        try:
            found = await self._done_by_second(job)
        except Exception as error:  # noqa: BLE001 - it is raised where somebody waits
            job.fail(error)
        else:
            if not job.result.done():
                job.result.set_result(found)

    async def _done_by_second(self, job: Job[T]) -> T:
        """The result of a job, tried twice: what ended the first worker may have been chance."""
        for _ in range(2):
            try:
                return await self._place.do(job.work, job.seconds)
            except WorkerDiedError:
                log.warning("a worker ended while it worked; another takes its place")
            except TookTooLongError as error:
                log.warning("a worker was ended: %.0f seconds were not enough", job.seconds)
                raise WorkshopFailedError from error
        raise WorkshopFailedError


MOST_WORKERS: Final = 2
"""One that draws, and one that computes: neither has to wait for the other."""
DRAWING_SECONDS: Final = 30.0
"""How long a drawing may take; it takes a tenth of one."""
SOLVING_SECONDS: Final = 300.0
"""How long a game may be looked at; it takes a second or two."""
PATIENCE_SECONDS: Final = 120.0
"""How long somebody waits for a drawing before they are asked to come again."""
MOST_KEPT: Final = 200
"""How many drawings are kept; one has about 100 kB."""


class _Key(NamedTuple):
    """Which drawing; the same facts in the same language give the same one."""

    owner_id: int
    digest: bytes


@dataclass(slots=True)
class _Drawing:
    """A drawing that is waited for.

    Attributes:
        job: what draws it.
        asker: who asked for it first, and for what kind.
        waiting: how many wait for it.
    """

    job: Job[Any]
    asker: tuple[int, str]
    waiting: int = 0


class Pool:
    """Does what is slow; to be made where an event loop runs.

    Args:
        drawing: who waits for drawings.
        solving: who waits for solvers; may be the same.
        patience: how long somebody waits for a drawing, in seconds.
    """

    def __init__(
        self, drawing: WorkQueue, solving: WorkQueue, *, patience: float = PATIENCE_SECONDS
    ) -> None:
        self._drawing = drawing
        self._solving = solving
        self._patience = patience
        self._kept: OrderedDict[_Key, Any] = OrderedDict()
        self._coming: dict[_Key, _Drawing] = {}
        drawing.when_idle = self._kept.clear
        self._door = asyncio.Lock()
        self._at_door = 0

    @classmethod
    def with_workers(
        cls,
        count: int,
        *,
        idle_seconds: float = IDLE_SECONDS,
        most_waiting: int = MOST_WAITING,
    ) -> Self:
        """A pool with so many processes, 0 to 2; without any, threads do the work.

        Args:
            count: how many.
            idle_seconds: how long a process without work is kept.
            most_waiting: how many may wait in a line.
        """

        def line() -> WorkQueue:
            return WorkQueue(_executor(count), most=most_waiting, idle_seconds=idle_seconds)

        drawing = line()
        return cls(drawing, drawing if count == 1 else line())

    @property
    def draws_at_once(self) -> bool:
        """Whether a drawing would begin at once; else who asks is better told to wait."""
        return self._drawing.is_free

    @property
    def is_crowded(self) -> bool:
        """Whether others wait for drawings, or for what is to be drawn."""
        return self._door.locked() or self._drawing.is_busy

    @property
    def waiting(self) -> int:
        """How many wait for drawings, or for what is to be drawn."""
        return self._at_door + self._drawing.length

    @asynccontextmanager
    async def in_turn(self) -> AsyncGenerator[None]:
        """Whoever reads what is to be drawn is alone with that.

        Raises:
            WorkshopFullError: too many wait.
        """
        if self._at_door >= MOST_WAITING:
            raise WorkshopFullError
        self._at_door += 1
        try:
            async with self._door:
                yield
        finally:
            self._at_door -= 1

    async def draw(self, work: Callable[[], T], *, kind: str, asker_id: int, owner_id: int) -> T:
        """A drawing; one that was made of the same facts a while ago is not made again.

        Args:
            work: draws it; it and what it returns can be pickled.
            kind: what it shows; a player waits for one of a kind at a time.
            asker_id: who asks.
            owner_id: whose data it shows.

        Raises:
            AlreadyDrawingError: the player waits for another one of this kind.
            WorkshopFullError: too many wait, or it was not the player's turn in time.
            ForgottenMeanwhileError: whose data it shows has deleted or hidden them.
            WorkshopFailedError: it could not be made.
        """
        key = _Key(owner_id, hashlib.sha256(pickle.dumps(work)).digest())
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        drawing = self._coming.get(key) or self._begin(key, work, (asker_id, kind))
        drawing.waiting += 1
        try:
            async with asyncio.timeout(self._patience):
                return await asyncio.shield(drawing.job.result)
        except TimeoutError as error:
            raise WorkshopFullError from error
        finally:
            drawing.waiting -= 1
            if not drawing.waiting and self._drawing.drop(drawing.job):
                drawing.job.result.cancel()

    async def solve(self, work: Callable[[], T], /) -> T:
        """The result of what a solver does, one at a time; it and the work can be pickled.

        Raises:
            WorkshopFailedError: there is no result.
            ClosingError: the program ends.
        """
        return await self._solving.add(work, SOLVING_SECONDS, is_next=True).result

    def forget(self, player_id: int | None) -> None:
        """Keep no drawing of a player, nor one that is to be made; None for those of everybody."""
        for key in [key for key in self._kept if player_id in {None, key.owner_id}]:
            del self._kept[key]
        for key in [key for key in self._coming if player_id in {None, key.owner_id}]:
            job = self._coming.pop(key).job
            self._drawing.drop(job)
            job.fail(ForgottenMeanwhileError())

    async def close(self) -> None:
        """Let nobody wait any more, and end the processes. May be called twice."""
        await self._drawing.close()
        await self._solving.close()
        self._kept.clear()

    def _begin(self, key: _Key, work: Callable[[], Any], asker: tuple[int, str]) -> _Drawing:
        if any(drawing.asker == asker for drawing in self._coming.values()):
            raise AlreadyDrawingError
        drawing = _Drawing(self._drawing.add(work, DRAWING_SECONDS), asker)
        self._coming[key] = drawing
        drawing.job.result.add_done_callback(lambda result: self._ended(key, drawing, result))
        return drawing

    def _ended(self, key: _Key, drawing: _Drawing, result: "asyncio.Future[Any]") -> None:
        if self._coming.get(key) is not drawing:  # it was forgotten
            return
        del self._coming[key]
        if not result.cancelled() and result.exception() is None:
            self._kept[key] = result.result()
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)


def _executor(count: int) -> Executor:
    return ProcessExecutor() if count else ThreadExecutor()
