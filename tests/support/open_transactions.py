"""Transactions that a test holds open, and lets go on step by step."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from queue import SimpleQueue
from typing import Any, Protocol, TypeVar

from bot.db.keys import Key
from bot.db.transaction import Body, Transaction
from tests.support.unhurried import AMPLE_SECONDS

T = TypeVar("T")


class Way(Protocol):
    """A way into a database: `Database.write` or `Database.read`."""

    def __call__(self, body: Body[None], *keys: Key) -> Coroutine[Any, Any, None]: ...


class OpenTransaction:
    """A transaction in whose thread steps are done until it is ended.

    Args:
        way: into the database.
        keys: what it is about.
    """

    def __init__(self, way: Way, keys: tuple[Key, ...]) -> None:
        self._loop = asyncio.get_running_loop()
        self._steps = SimpleQueue[Callable[[Transaction], None] | None]()
        self.task = asyncio.create_task(way(self._follow, *keys))

    def _follow(self, tx: Transaction) -> None:
        while (step := self._steps.get(timeout=AMPLE_SECONDS)) is not None:
            step(tx)

    async def do(self, step: Body[T]) -> T:
        """What comes of a step; where the transaction fails at it, what it raises."""
        answer: asyncio.Future[T] = self._loop.create_future()

        def answered(tx: Transaction) -> None:
            found = step(tx)
            self._loop.call_soon_threadsafe(answer.set_result, found)

        self._steps.put(answered)
        await asyncio.wait({answer, self.task}, return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            await self.task
        return answer.result()

    def end(self) -> None:
        """Let it end, and commit."""
        self._steps.put(None)


@asynccontextmanager
async def opened(way: Way, *keys: Key) -> AsyncGenerator[OpenTransaction]:
    """A transaction that has begun, and ends with the block; raises what it raises.

    Args:
        way: into the database.
        keys: what it is about.
    """
    tx = OpenTransaction(way, keys)
    try:
        await tx.do(lambda _tx: None)
        yield tx
    finally:
        tx.end()
        await asyncio.wait({tx.task})
    if not tx.task.cancelled():
        tx.task.result()
