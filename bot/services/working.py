"""The use case of a worker process: it serves all processes of the bot on its database."""

import asyncio
from collections.abc import Mapping

from bot.services.base.clock import Clock
from bot.services.base.workshop.hands import Hand
from bot.services.base.workshop.lines import Line
from bot.services.base.workshop.places import ProcessPlace
from bot.services.base.workshop.workshop import DRAWING, SOLVING
from bot.storage.database import Database


async def work(
    url: str, clock: Clock, environment: Mapping[str, str], stopping: asyncio.Event
) -> None:
    """Do what is to be drawn and computed, one of each at a time, until told to stop.

    Args:
        url: the database, as an SQLAlchemy URL.
        clock: what tells the time.
        environment: this process's, of which what does the work gets a little.
        stopping: what tells it to stop; work that was only begun is others' then.

    Raises:
        StorageError: the database cannot be used; see `bot.errors`.
    """
    database = await Database.open(url, must_exist=True)
    lines = {kind: Line(ProcessPlace(environment)) for kind in (DRAWING, SOLVING)}
    serving = [
        asyncio.create_task(Hand(database, clock, kind, line).serve())
        for kind, line in lines.items()
    ]
    told = asyncio.create_task(stopping.wait())
    try:
        done, _ = await asyncio.wait({told, *serving}, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in (told, *serving):
            task.cancel()
        await asyncio.wait({told, *serving})
        for line in lines.values():
            await line.close()
        await database.close()
