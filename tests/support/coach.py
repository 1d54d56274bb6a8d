"""The coach at work for somebody else."""

import asyncio
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from bot.coach.model import Review
from bot.games.model import GameName
from bot.services import Services
from tests.support.unhurried import AMPLE_SECONDS
from tests.support.waiting import until


@asynccontextmanager
async def busy(services: Services) -> AsyncGenerator[None]:
    """The coach has its hands full with something else."""
    begun, done = threading.Event(), threading.Event()

    def work() -> bool:
        begun.set()
        return done.wait(AMPLE_SECONDS)

    # What is the coach's next does not wait for what waits in the coach's own queue.
    drawing = asyncio.create_task(services.pool.solve(work))
    await until(begun.is_set)
    yield
    done.set()
    assert await drawing


async def reviewed(services: Services, player: int, name: GameName) -> Review:
    awaited = await services.coach.reviews.ask(player, name)
    review = await awaited.within(AMPLE_SECONDS)
    assert review is not None
    return review
