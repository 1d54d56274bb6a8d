"""Background tasks that outlive the interaction that began them."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

from bot.errors import StorageError
from bot.services.base.errors import Refused

log = logging.getLogger(__name__)
T = TypeVar("T")


class Tasks:
    """What is under way."""

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
