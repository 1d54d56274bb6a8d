"""Work that any worker process on the same database may do, on whatever machine."""

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import Any, Final, TypeVar, cast

from bot.errors import StorageError
from bot.services.base.clock import Clock
from bot.services.base.errors import WorkshopFailedError
from bot.services.base.workshop import parcels
from bot.services.base.workshop.places import Place, TookTooLongError
from bot.storage import jobs, keys
from bot.storage.database import Database
from bot.storage.jobs import Job

log = logging.getLogger(__name__)
T = TypeVar("T")

_UNTAKEN_SECONDS: Final = 3.0
"""How long a job waits for a worker before this process does it by itself."""
_ALONE_SECONDS: Final = 60.0
"""How long no worker is asked after none came."""
_LOOK_SECONDS: Final = 1.0


class Elsewhere:
    """Has work done by worker processes; what none of them takes, by a place of its own.

    Args:
        database: where the work waits for them.
        clock: what tells the time.
        kind: which workers do it.
        own: where it is done if there are none.
        untaken_seconds: how long it waits for one.
        look_seconds: how often to look for an answer, should nobody say that it is there.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        kind: str,
        own: Place,
        *,
        untaken_seconds: float = _UNTAKEN_SECONDS,
        look_seconds: float = _LOOK_SECONDS,
    ) -> None:
        self._database = database
        self._clock = clock
        self._kind = kind
        self._own = own
        self._untaken_seconds = untaken_seconds
        self._look_seconds = look_seconds
        self._alone_until = 0.0
        self._is_listening = False
        # Of the one job that waits: its id, and what happens when something is told of it.
        self._waits_for = ""
        self._told = asyncio.Event()

    @property
    def is_warm(self) -> bool:
        """Whether it can begin at once, as far as can be known here."""
        return self._own.is_warm if self._is_alone else True

    @property
    def _is_alone(self) -> bool:
        return time.monotonic() < self._alone_until

    async def do(self, work: Callable[[], T], seconds: float) -> T:
        """The result of some work.

        Raises:
            TookTooLongError, DiedError: as `Place.do`.
            WorkshopFailedError: each worker that had it has ended.
        """
        if not self._is_alone:
            try:
                answered = await self._asked(parcels.pack(work), seconds)
            except StorageError as error:
                log.info("workers are not asked, %s", type(error).__name__)
                answered = None
            if answered is not None:
                return cast("T", _read(answered))
            self._alone_until = time.monotonic() + _ALONE_SECONDS
        return await self._own.do(work, seconds)

    async def end(self) -> None:
        """Give up what is kept for the next work."""
        await self._own.end()

    async def _asked(self, work: bytes, seconds: float) -> bytes | None:
        """What workers answer; None if there are none."""
        await self._listen()
        job = Job(secrets.token_hex(8), work, round(seconds))
        may_be_untaken = time.monotonic() + self._untaken_seconds
        async with self._waiting(job, seconds) as until:
            while time.monotonic() < until:
                await self._until_told(min(self._look_seconds, self._untaken_seconds))
                if (answered := await self._answer_to(job)) is not None:
                    return answered
                if time.monotonic() > may_be_untaken:
                    if await self._take_back(job):
                        return None
                    may_be_untaken = until
        raise TookTooLongError

    @asynccontextmanager
    async def _waiting(self, job: Job, seconds: float) -> AsyncGenerator[float]:
        """The instant of the monotonic clock until which a job waits to be answered."""
        now = self._clock.now()
        # Others may be before it, and a worker may be killed.
        most = self._untaken_seconds + jobs.MOST_TRIES * seconds
        self._waits_for = job.id
        self._told.clear()
        try:
            async with self._database.transaction(keys.job(job.id)) as tx:
                stale_at = now + timedelta(seconds=most)
                await jobs.add(tx, self._kind, job, now, stale_at=stale_at)
            yield time.monotonic() + most
        finally:
            self._waits_for = ""
            await asyncio.shield(self._drop(job))

    async def _answer_to(self, job: Job) -> bytes | None:
        async with self._database.reading() as tx:
            answered = await jobs.answer_to(tx, job.id)
            if answered is None and await jobs.was_given_up(tx, job.id, self._clock.now()):
                raise WorkshopFailedError
            return answered

    async def _take_back(self, job: Job) -> bool:
        async with self._database.transaction(keys.job(job.id)) as tx:
            return await jobs.take_back(tx, job.id)

    async def _drop(self, job: Job) -> None:
        # What cannot be forgotten now is when it is stale.
        with suppress(StorageError):
            async with self._database.transaction(keys.job(job.id)) as tx:
                await jobs.drop(tx, job.id)

    async def _listen(self) -> None:
        if not self._is_listening:
            self._is_listening = True
            await self._database.hear(self._heard)

    def _heard(self, text: str | None) -> None:
        if text is None or (self._waits_for and self._waits_for in text):
            self._told.set()

    async def _until_told(self, seconds: float) -> None:
        """Wait until something is told of the job, so long at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._told.wait()
        self._told.clear()


def _read(answered: bytes) -> Any:
    try:
        return parcels.result(answered)
    except parcels.ForeignParcelError as error:
        log.warning("a worker's answer cannot be read: %s", error)
        raise WorkshopFailedError from error
