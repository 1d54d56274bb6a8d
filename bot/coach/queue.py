"""The coach's queue: slow work is done one piece at a time, in a fair order.

Solvers limit the size of their caches, but not the memory of running work. So only one piece of
work runs at a time, and `Reviews` lets each player wait for one game only.
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
"""The most requests that wait in a lane, which bounds memory."""


class Lane(IntEnum):
    """The priority of a request: lower lanes come first, and within a lane the oldest request."""

    PLAYING = 0
    """Short work for a player in the middle of a game."""
    REVIEW = 1
    """The analysis of a finished game."""
    BACKGROUND = 2
    """Work that nobody waits for. The queue rests as long as it took, or until a player asks."""


class Solve(Protocol):
    """What runs a piece of work; the queue calls it for one piece at a time."""

    async def __call__(self, work: Callable[[], T], /) -> T: ...


class Request(Generic[T]):
    """A piece of work in the queue; `result` is a future, cancelled if the queue closes."""

    def __init__(self, lane: Lane, work: Callable[[], T]) -> None:
        self.lane = lane
        self.work = work
        self.result: asyncio.Future[T] = asyncio.get_running_loop().create_future()


class Queue:
    """The coach's queue. It must be created in a running event loop."""

    def __init__(self, solve: Solve, *, most: int = MOST_WAITING, rest: float = 1.0) -> None:
        self._solve = solve
        self._most = most
        self._rest_share = rest
        self._lanes: dict[Lane, deque[Request[Any]]] = {lane: deque() for lane in Lane}
        self._running: Request[Any] | None = None
        self._arrived = asyncio.Event()
        self._called = asyncio.Event()
        self._is_closing = False
        # A task of its own, so that the interaction that adds a request does not run others' work.
        self._draining = asyncio.create_task(self._drain(), name="coach")

    async def run(self, lane: Lane, work: Callable[[], T]) -> T:
        """Queue some work and wait for its result, or for the error that it raises.

        Raises:
            CoachBusyError: too many requests wait in this lane.
            ClosingError: the program is shutting down.
        """
        return await self.add(lane, work).result

    def add(self, lane: Lane, work: Callable[[], T]) -> Request[T]:
        """Queue some work.

        Raises:
            CoachBusyError: too many requests wait in this lane.
            ClosingError: the program is shutting down.
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
        """The number of unfinished requests in each lane, including the running one."""
        running = None if self._running is None else self._running.lane
        return {lane: len(requests) + (lane is running) for lane, requests in self._lanes.items()}

    def ahead(self, request: Request[Any]) -> int:
        """How many requests come before this one in its lane; 0 if it is running or done."""
        lane = self._lanes[request.lane]
        if request not in lane:
            return 0
        is_busy = self._running is not None and self._running.lane is request.lane
        return lane.index(request) + is_busy

    async def close(self) -> None:
        """Stop, and cancel all requests, the running one as well. May be called twice."""
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
        """Pause for some seconds, or less if a player asks for something."""
        self._called.clear()
        if not self._lanes[Lane.PLAYING] and not self._lanes[Lane.REVIEW]:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._called.wait()


class Tasks:
    """Background tasks that outlive the interaction that started them."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start a task; its errors are logged, other than refusals and failures of the database."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    async def close(self) -> None:
        for task in self._running:
            task.cancel()
        if self._running:
            await asyncio.wait(self._running)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        error = None if task.cancelled() else task.exception()
        # Refusals go to whoever waits. Work is asked for again after an error of the database.
        if error is not None and not isinstance(error, Refused | StorageError):
            log.error("the coach failed", exc_info=error)
