"""The coach's queue: all the slow work is done piece by piece, in a fair order; pars."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from datetime import datetime, timedelta
from enum import IntEnum
from functools import partial
from typing import Any, Final, Generic, Protocol, TypeVar

from bot.clock import Clock, date_in
from bot.coach.model import CoachBusyError
from bot.dailies import PuzzleName, number_of
from bot.db.database import Database, Transaction
from bot.db.leases import Leases
from bot.errors import ClosingError, StorageError
from bot.failures import Failures
from bot.focdle import store as focdle_store
from bot.focdle.store import ParRow, PuzzleRow
from bot.people.zones import DEFAULT_ZONE
from bot.pool.worker import Named
from bot.refused import Refused
from engine import Code

log = logging.getLogger(__name__)
# The coach's queue: all the slow work is done piece by piece, in a fair order. Solvers bound what
# they keep, not what is under way, so only one game is worked on at a time.

T = TypeVar("T")

MOST_WAITING: Final = 1000
"""How many may wait in a lane; nobody can make the coach remember more."""


class Lane(IntEnum):
    """Which jobs come first; within a lane, the oldest does."""

    PLAYING = 0
    """Somebody is in the middle of a game, or sees a progress line: short work."""
    REVIEW = 1
    """A finished game."""
    BACKGROUND = 2
    """Nobody waits. The coach rests after it as long as it has worked."""


class Solve(Protocol):
    """Does some work; one piece at a time is asked for."""

    async def __call__(self, work: Callable[[], T], /) -> T:
        """The result."""
        ...


class Job(Generic[T]):
    """A piece of work for the coach.

    Args:
        lane: what it comes after.
        work: what to do.
    """

    def __init__(self, lane: Lane, work: Callable[[], T]) -> None:
        self.lane = lane
        self.work = work
        self.result: asyncio.Future[T] = asyncio.get_running_loop().create_future()


class Queue:
    """Who waits for the coach; to be made where an event loop runs.

    Args:
        solve: does the work.
        most: how many may wait in a lane.
        rest: how long the coach rests after background work, as a share of that.
    """

    def __init__(self, solve: Solve, *, most: int = MOST_WAITING, rest: float = 1.0) -> None:
        self._solve = solve
        self._most = most
        self._rest_share = rest
        self._lanes: dict[Lane, deque[Job[Any]]] = {lane: deque() for lane in Lane}
        self._running: Job[Any] | None = None
        self._arrived = asyncio.Event()
        self._called = asyncio.Event()
        self._is_closing = False
        # A task of its own: the interaction that adds a job does not stay to work for others.
        self._draining = asyncio.create_task(self._drain(), name="coach")

    async def run(self, lane: Lane, work: Callable[[], T]) -> T:
        """The result of some work, when it is its turn.

        Raises:
            CoachBusyError, ClosingError: as `add`.
        """
        return await self.add(lane, work).result

    def add(self, lane: Lane, work: Callable[[], T]) -> Job[T]:
        """Let some work wait for its turn.

        Raises:
            CoachBusyError: too many wait.
            ClosingError: the program ends.
        """
        if self._is_closing:
            raise ClosingError
        if len(self._lanes[lane]) >= self._most:
            raise CoachBusyError
        job = Job(lane, work)
        self._lanes[lane].append(job)
        self._arrived.set()
        if lane is not Lane.BACKGROUND:
            self._called.set()
        return job

    @property
    def waiting(self) -> dict[Lane, int]:
        """How many jobs of each lane are not done, with the one that is under way."""
        running = None if self._running is None else self._running.lane
        return {lane: len(jobs) + (lane is running) for lane, jobs in self._lanes.items()}

    def ahead(self, job: Job[Any]) -> int:
        """How many of a job's lane come before it; 0 if it is under way or done."""
        lane = self._lanes[job.lane]
        if job not in lane:
            return 0
        is_busy = self._running is not None and self._running.lane is job.lane
        return lane.index(job) + is_busy

    def hasten(self, job: Job[Any], lane: Lane) -> None:
        """Let a job that still waits in a later lane wait in this one."""
        if job.lane > lane and job in self._lanes[job.lane]:
            self._lanes[job.lane].remove(job)
            job.lane = lane
            self._lanes[lane].append(job)
            self._called.set()

    async def close(self) -> None:
        """Let nobody wait any more. May be called twice."""
        self._is_closing = True
        self._draining.cancel()
        await asyncio.wait({self._draining})
        for lane in self._lanes.values():
            for job in lane:
                job.result.cancel()
            lane.clear()

    async def _drain(self) -> None:
        while True:
            while job := self._next():
                began = time.monotonic()
                self._running = job
                await self._do(job)
                self._running = None
                if job.lane is Lane.BACKGROUND:
                    await self._rest(self._rest_share * (time.monotonic() - began))
            self._arrived.clear()
            await self._arrived.wait()

    def _next(self) -> Job[Any] | None:
        return next((jobs.popleft() for jobs in self._lanes.values() if jobs), None)

    async def _do(self, job: Job[Any]) -> None:
        if job.result.cancelled():  # nobody waits any more
            return
        try:
            found = await self._solve(job.work)
        except asyncio.CancelledError:
            job.result.cancel()
            raise
        except Exception as error:  # noqa: BLE001 - whoever waits is told
            if not job.result.cancelled():
                job.result.set_exception(error)
        else:
            if not job.result.cancelled():
                job.result.set_result(found)

    async def _rest(self, seconds: float) -> None:
        """Leave the processor to others, unless somebody comes who waits."""
        self._called.clear()
        if not self._lanes[Lane.PLAYING] and not self._lanes[Lane.REVIEW]:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._called.wait()


class Tasks:
    """What waits for jobs and works with them; it outlives the interaction that began it."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin some work; what fails unexpectedly is logged, also if nobody waits for it."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    async def close(self) -> None:
        """End everything."""
        for task in self._running:
            task.cancel()
        if self._running:
            await asyncio.wait(self._running)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        error = None if task.cancelled() else task.exception()
        # Refusals are for who waits; a database that is busy or closing is asked again later.
        if error is not None and not isinstance(error, Refused | StorageError):
            log.error("the coach failed", exc_info=error)


_ANALYSING: Final = "bot.coach.analysis"
PAR_OPENINGS: Final[Named[[int, int, str | None, int], tuple[Code, ...]]] = Named(
    _ANALYSING, "par_openings"
)
PAR_RUN: Final[Named[[int, str, Code], int]] = Named(_ANALYSING, "par_run")

RUNS: Final = 100
"""How many games a par comes from, each with another first guess."""
_BETWEEN_SECONDS: Final = 60.0
_MOST_WANTED: Final = 1000
_REST: Final = timedelta(hours=1)
"""The wait until a par that failed is tried again."""
_RECENT: Final = 2
"""How many dates back every opened daily gets a par; older ones get one only if they count."""


class Pars:
    """Use cases around par."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        queue: Queue,
        leases: Leases,
        *,
        runs: int = RUNS,
    ) -> None:
        self._database = database
        self._leases = leases
        self._clock = clock
        self._queue = queue
        self._runs = runs
        self._under_way: set[PuzzleName] = set()
        self._wanted: dict[PuzzleName, None] = {}
        self._rests_until: dict[PuzzleName, datetime] = {}
        self._failures = Failures(log)
        self._called = asyncio.Event()
        self._keeping: asyncio.Task[None] | None = None

    async def par(self, number: int, length: int) -> float | None:
        """The par of a daily; None while it is not known."""
        return await self._database.read(lambda tx: focdle_store.get_par(tx, number, length))

    def want(self, name: PuzzleName) -> None:
        """Have a par worked out soon, if it is not known."""
        if len(self._wanted) < _MOST_WANTED:
            self._wanted[name] = None
            self._called.set()

    def begin(self) -> None:
        """From now on, work out what is missing once a minute, and what is wanted at once."""
        self._keeping = asyncio.create_task(self._keep(), name="pars")

    async def close(self) -> None:
        """Stop working out pars. May be called twice."""
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.wait({self._keeping})

    async def _keep(self) -> None:
        while True:
            self._called.clear()
            try:
                with self._failures.telling("pars"):
                    await self.work_out_missing()
                    await self._work_out_wanted()
            except ClosingError:
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(_BETWEEN_SECONDS):
                    await self._called.wait()

    async def work_out_missing(self) -> None:
        """Work out the par of every daily that anybody has opened these days, or that counts.

        One that fails is told of, tried again in an hour, and holds up no other.

        Raises:
            StorageError, CoachBusyError: none can be worked out now.
        """
        today = number_of(date_in(DEFAULT_ZONE, self._clock.now()))
        missing = await self._database.read(
            lambda tx: focdle_store.missing(tx, since=today - _RECENT)
        )
        for name in missing:
            await self._try(name)

    async def _work_out_wanted(self) -> None:
        """Work out what is wanted; what fails is wanted still."""
        for name in tuple(self._wanted):
            if await self._try(name):
                del self._wanted[name]

    async def _try(self, name: PuzzleName) -> bool:
        """Try to work out a par; returns whether it is done with. One that failed rests."""
        now = self._clock.now()
        if now < self._rests_until.get(name, now):
            return False
        with self._failures.telling("par", of=name, but=(StorageError, CoachBusyError)):
            is_done = await self.work_out(name)
            self._rests_until.pop(name, None)
            return is_done
        self._rests_until[name] = now + _REST
        return False

    async def work_out(self, name: PuzzleName) -> bool:
        """Work out the par of a daily that was opened, if it is not known, run by run.

        Whoever waits for the coach comes between two runs.

        Returns:
            Whether it is done with; else it is under way, here or in another process.
        """
        if name in self._under_way:
            return False
        self._under_way.add(name)
        try:

            def body(tx: Transaction) -> tuple[PuzzleRow | None, float | None]:
                row = focdle_store.find_puzzle(tx, name.number, name.length)
                return row, focdle_store.get_par(tx, name.number, name.length)

            row, known = await self._database.read(body)
            if row is None or known is not None or not self._runs:
                return True
            async with self._leases.held(_lease(name)) as is_ours:
                if is_ours:
                    await self._work_out(name, row)
            return is_ours
        finally:
            self._under_way.discard(name)

    async def _work_out(self, name: PuzzleName, row: PuzzleRow) -> None:
        taken: list[int] = []
        openings = partial(PAR_OPENINGS, name.length, name.number, row.salt, self._runs)
        for opening in await self._queue.run(Lane.BACKGROUND, openings):
            # If somebody has taken it over, because the coach let it wait: who is first counts.
            await self._leases.keep(_lease(name))
            run = partial(PAR_RUN, name.length, row.secret, opening)
            taken.append(await self._queue.run(Lane.BACKGROUND, run))
        par = ParRow(name.number, name.length, sum(taken) / len(taken), len(taken))
        await self._database.write(
            lambda tx: focdle_store.add_par(tx, par, made_at=self._clock.now())
        )


def _lease(name: PuzzleName) -> str:
    """What keeps other processes from working out the same."""
    return f"par of {name.number}/{name.length}"
