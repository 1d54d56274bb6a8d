"""Who waits for a place, first come, first served."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

from bot.errors import ClosingError
from bot.pool.places import DiedError, Place, TookTooLongError
from bot.refused import WorkshopFailedError, WorkshopFullError

log = logging.getLogger(__name__)
T = TypeVar("T")

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


class Line:
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
        place: Place,
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
        self._serving = asyncio.create_task(self._serve(), name="workshop")

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
            except DiedError:
                log.warning("a worker ended while it worked; another takes its place")
            except TookTooLongError as error:
                log.warning("a worker was ended: %.0f seconds were not enough", job.seconds)
                raise WorkshopFailedError from error
        raise WorkshopFailedError
