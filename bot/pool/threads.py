"""The few threads for computing and drawing that takes little; the workshop does the rest."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import Final, ParamSpec, TypeVar

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
