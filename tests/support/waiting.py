"""Waiting for what is done elsewhere; pytest's own limit ends what never comes."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

T = TypeVar("T")

_LOOK_SECONDS: Final = 0.01
_ASK_SECONDS: Final = 0.1


async def until(look: Callable[[], T]) -> T:
    """Look again and again until something is there; what that is."""
    while not (found := look()):
        await asyncio.sleep(_LOOK_SECONDS)
    return found


async def until_so(look: Callable[[], Awaitable[T]]) -> T:
    """The same with something that is awaited, and not to be asked for too often."""
    while not (found := await look()):
        await asyncio.sleep(_ASK_SECONDS)
    return found


async def until_delivered() -> None:
    """Wait for all deliveries that loops have begun."""
    tasks = (task for task in asyncio.all_tasks() if task.get_name().startswith("delivery: "))
    await asyncio.gather(*tasks)
