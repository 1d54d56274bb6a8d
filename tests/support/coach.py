"""The coach at work for somebody else."""

import asyncio
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

from bot.services.services import Services

PATIENCE: Final = 20.0
"""Seconds until a test gives up."""


@asynccontextmanager
async def busy(services: Services) -> AsyncGenerator[None]:
    """The coach has its hands full with something else."""
    done = threading.Event()
    # What is the coach's next does not wait for what waits in the coach's own queue.
    drawing = asyncio.create_task(services.workshop.solve(lambda: done.wait(PATIENCE)))
    await asyncio.sleep(0.05)
    yield
    done.set()
    assert await drawing
