"""The coach's queue: all the slow work is done piece by piece, in a fair order.

Solvers bound what they keep, not what is under way, so only one game is worked on at a time.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from enum import IntEnum
from typing import Any, Final, Generic, Protocol, TypeVar

from bot.coach.model import CoachBusyError
from bot.errors import ClosingError, StorageError
from bot.refused import Refused

log = logging.getLogger(__name__)

T = TypeVar("T")

MOST_WAITING: Final = 1000
"""How many may wait in a lane; nobody can make the coach remember more."""


class Lane(IntEnum):
    """Which requests come first; within a lane, the oldest does."""

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


class Request(Generic[T]):
    """Some work that is asked of the coach, and what will come of it.

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
        self._lanes: dict[Lane, deque[Request[Any]]] = {lane: deque() for lane in Lane}
        self._running: Request[Any] | None = None
        self._arrived = asyncio.Event()
        self._called = asyncio.Event()
        self._is_closing = False
        # A task of its own: the interaction that adds a request does not stay to work for others.
        self._draining = asyncio.create_task(self._drain(), name="coach")

    async def run(self, lane: Lane, work: Callable[[], T]) -> T:
        """The result of some work, when it is its turn.

        Raises:
            CoachBusyError, ClosingError: as `add`.
        """
        return await self.add(lane, work).result

    def add(self, lane: Lane, work: Callable[[], T]) -> Request[T]:
        """Let some work wait for its turn.

        Raises:
            CoachBusyError: too many wait.
            ClosingError: the program ends.
        """
        if self._is_closing:
            raise ClosingError
        if len(self._lanes[lane]) >= self._most:
            raise CoachBusyError
        request = Request(lane, work)
        self._lanes[lane].append(request)
        self._arrived.set()
        if lane is not Lane.BACKGROUND:
            self._called.set()
        return request

    @property
    def waiting(self) -> dict[Lane, int]:
        """How many requests of each lane are not done, with the one that is under way."""
        running = None if self._running is None else self._running.lane
        return {lane: len(requests) + (lane is running) for lane, requests in self._lanes.items()}

    def ahead(self, request: Request[Any]) -> int:
        """How many of a request's lane come before it; 0 if it is under way or done."""
        lane = self._lanes[request.lane]
        if request not in lane:
            return 0
        is_busy = self._running is not None and self._running.lane is request.lane
        return lane.index(request) + is_busy

    def hasten(self, request: Request[Any], lane: Lane) -> None:
        """Let a request that still waits in a later lane wait in this one."""
        if request.lane > lane and request in self._lanes[request.lane]:
            self._lanes[request.lane].remove(request)
            request.lane = lane
            self._lanes[lane].append(request)
            self._called.set()

    async def close(self) -> None:
        """Let nobody wait any more. May be called twice."""
        self._is_closing = True
        self._draining.cancel()
        await asyncio.wait({self._draining})
        for lane in self._lanes.values():
            for request in lane:
                request.result.cancel()
            lane.clear()

    async def _drain(self) -> None:
        while True:
            while request := self._next():
                began = time.monotonic()
                self._running = request
                await self._do(request)
                self._running = None
                if request.lane is Lane.BACKGROUND:
                    await self._rest(self._rest_share * (time.monotonic() - began))
            self._arrived.clear()
            await self._arrived.wait()

    def _next(self) -> Request[Any] | None:
        return next((requests.popleft() for requests in self._lanes.values() if requests), None)

    async def _do(self, request: Request[Any]) -> None:
        if request.result.cancelled():  # nobody waits any more
            return
        try:
            found = await self._solve(request.work)
        except asyncio.CancelledError:
            request.result.cancel()
            raise
        except Exception as error:  # noqa: BLE001 - whoever waits is told
            if not request.result.cancelled():
                request.result.set_exception(error)
        else:
            if not request.result.cancelled():
                request.result.set_result(found)

    async def _rest(self, seconds: float) -> None:
        """Leave the processor to others, unless somebody comes who waits."""
        self._called.clear()
        if not self._lanes[Lane.PLAYING] and not self._lanes[Lane.REVIEW]:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._called.wait()


class Tasks:
    """What waits for requests and works with them; it outlives the interaction that began it."""

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
