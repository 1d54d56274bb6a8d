"""The few threads for computing and drawing that takes little."""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import Final, ParamSpec, TypeVar

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
