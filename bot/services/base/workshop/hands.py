"""What a worker process does: it takes jobs from the database, one of a kind at a time."""

import asyncio
import logging
import secrets
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Final

from bot.errors import LostDatabaseError, StorageBusyError, StorageError
from bot.services.base.clock import Clock
from bot.services.base.errors import WorkshopFailedError
from bot.services.base.workshop import parcels
from bot.services.base.workshop.lines import Line
from bot.storage import jobs, keys
from bot.storage.database import Database
from bot.storage.jobs import Job

log = logging.getLogger(__name__)

_LASTS: Final = timedelta(seconds=30)
"""How long others leave a job to a worker that says nothing more."""
_KEEP_SECONDS: Final = 10.0
_LOOK_SECONDS: Final = 2.0


class Hand:
    """Does jobs of one kind.

    Args:
        database: where they wait.
        clock: what tells the time.
        kind: which ones.
        line: where they are done; a job is tried there twice before it is said to have failed.
        look_seconds: how often to look for jobs, should nobody say that there are any.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        kind: str,
        line: Line,
        *,
        look_seconds: float = _LOOK_SECONDS,
    ) -> None:
        self._database = database
        self._clock = clock
        self._kind = kind
        self._line = line
        self._look_seconds = look_seconds
        self._name = secrets.token_hex(8)
        self._told = asyncio.Event()

    async def serve(self) -> None:
        """Do what is to be done, until cancelled."""
        await self._database.hear(self._heard)
        while True:
            try:
                await self._serve_all()
            except (StorageBusyError, LostDatabaseError) as error:
                log.info("no work is taken now, %s", type(error).__name__)
                await asyncio.sleep(self._look_seconds)
            with suppress(TimeoutError):
                async with asyncio.timeout(self._look_seconds):
                    await self._told.wait()
            self._told.clear()

    async def _serve_all(self) -> None:
        while (job := await self._taken()) is not None:
            try:
                await self._do(job)
            except asyncio.CancelledError:
                await asyncio.shield(self._give_back(job))
                raise

    async def _taken(self) -> Job | None:
        async with self._database.reading() as tx:
            waiting = await jobs.waiting(tx, self._kind, self._clock.now())
        for job in waiting:
            async with self._database.transaction(keys.job(job.id)) as tx:
                now = self._clock.now()
                if await jobs.take(tx, job.id, self._name, now, now + _LASTS):
                    return job
        return None

    async def _do(self, job: Job) -> None:
        """Do a job, say meanwhile that it is being done, and store what came of it."""
        doing = self._line.add(partial(parcels.answer, job.work), job.seconds)
        keeping = asyncio.create_task(self._keep(job))
        try:
            await asyncio.wait({doing.result, keeping}, return_when=asyncio.FIRST_COMPLETED)
            if not doing.result.done():  # nobody waits any more, or nobody can be told
                return
            answered = doing.result.result()
        except WorkshopFailedError as error:
            answered = parcels.failure(error)
        finally:
            keeping.cancel()
            doing.result.cancel()
        async with self._database.transaction(keys.job(job.id)) as tx:
            await jobs.answer(tx, job.id, self._name, answered)

    async def _keep(self, job: Job) -> None:
        """Go on having a job, as long as it is wanted."""
        is_wanted = True
        while is_wanted:
            await asyncio.sleep(_KEEP_SECONDS)
            with suppress(StorageBusyError, LostDatabaseError):
                async with self._database.transaction(keys.job(job.id)) as tx:
                    until = self._clock.now() + _LASTS
                    is_wanted = await jobs.keep(tx, job.id, self._name, until)

    async def _give_back(self, job: Job) -> None:
        with suppress(StorageError):  # others have it in a while
            async with self._database.transaction(keys.job(job.id)) as tx:
                await jobs.give_back(tx, self._kind, job.id, self._name)

    def _heard(self, text: str | None) -> None:
        if text in {None, f"{jobs.WAITING} {self._kind}"}:
            self._told.set()
