"""Work that waits in the database: workers do it, once, and if there are none the bot itself."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest

from bot.services.base.errors import WorkshopFailedError
from bot.services.base.workshop import elsewhere
from bot.services.base.workshop.elsewhere import Elsewhere
from bot.services.base.workshop.hands import Hand
from bot.services.base.workshop.lines import Line
from bot.services.base.workshop.named import NotCalledError
from bot.services.base.workshop.parcels import result
from bot.services.base.workshop.places import ThreadPlace, TookTooLongError
from bot.services.coach.pars import PAR_OPENINGS
from bot.services.duels.listing import IS_OPTIMAL
from bot.storage import jobs, keys
from bot.storage.database import Database
from engine import BullsAndCows
from tests.support import forged
from tests.support.clock import FakeClock
from tests.support.sql import sql

T = TypeVar("T")

KIND = "solving"
LONG = 60.0
SOON = 0.02
WORK = partial(IS_OPTIMAL, BullsAndCows(digits=4))
OPENINGS: Any = PAR_OPENINGS
WRONG = partial(OPENINGS, "no length")

pytestmark = pytest.mark.usefixtures("keys_watched")


class Own(ThreadPlace):
    """The bot's own place, which counts what it has done."""

    def __init__(self) -> None:
        super().__init__()
        self.times = 0

    async def do(self, work: Callable[[], T], seconds: float) -> T:
        self.times += 1
        return await super().do(work, seconds)


@pytest.fixture
async def database(database_url: str) -> AsyncGenerator[Database]:
    opened = await Database.open(database_url)
    yield opened
    await opened.close()


@pytest.fixture
async def own() -> AsyncGenerator[Own]:
    place = Own()
    yield place
    await place.end()


@asynccontextmanager
async def at_work(database: Database, clock: FakeClock) -> AsyncGenerator[None]:
    """A worker meanwhile."""
    line = Line(ThreadPlace())
    serving = asyncio.create_task(Hand(database, clock, KIND, line, look_seconds=SOON).serve())
    try:
        yield
    finally:
        serving.cancel()
        await asyncio.wait({serving})
        await line.close()


async def taken(database: Database, clock: FakeClock) -> str:
    """Take the job that waits, and say no more of it; its id."""
    while True:
        async with database.reading() as tx:
            waiting = await jobs.waiting(tx, KIND, clock.now())
        for job in waiting:
            async with database.transaction(keys.job(job.id)) as tx:
                now = clock.now()
                assert await jobs.take(tx, job.id, "who is killed", now, now + timedelta(seconds=9))
            return job.id
        await asyncio.sleep(0.01)


async def count(database: Database, clock: FakeClock) -> int:
    async with database.reading() as tx:
        return len(await jobs.waiting(tx, KIND, clock.now()))


async def test_a_worker_does_it_and_nothing_of_it_is_left(
    database: Database, clock: FakeClock, own: Own, tmp_path: Any
) -> None:
    place = Elsewhere(database, clock, KIND, own, untaken_seconds=LONG, look_seconds=SOON)
    async with at_work(database, clock):
        assert await place.do(WORK, LONG) is True
        with pytest.raises(TypeError, match="par_openings"):
            await place.do(WRONG, LONG)
    assert own.times == 0
    assert sql(tmp_path, "SELECT id FROM jobs") == []


async def test_without_workers_the_bot_does_it_and_asks_no_more_for_a_while(
    database: Database, clock: FakeClock, own: Own, tmp_path: Any
) -> None:
    place = Elsewhere(database, clock, KIND, own, untaken_seconds=0.01)
    assert await place.do(WORK, LONG) is True
    assert sql(tmp_path, "SELECT id FROM jobs") == []
    async with at_work(database, clock):  # who comes a moment too late
        assert await place.do(WORK, LONG) is True
    assert own.times == 2


async def test_what_a_killed_worker_had_is_done_by_another(
    database: Database, clock: FakeClock, own: Own
) -> None:
    place = Elsewhere(database, clock, KIND, own, untaken_seconds=LONG, look_seconds=SOON)
    asking = asyncio.create_task(place.do(WORK, LONG))
    await taken(database, clock)
    async with at_work(database, clock):
        assert await count(database, clock) == 0
        clock.advance(seconds=10)
        assert await asking is True
    assert own.times == 0


async def test_what_kills_two_workers_is_given_up(
    database: Database, clock: FakeClock, own: Own, tmp_path: Any
) -> None:
    place = Elsewhere(database, clock, KIND, own, untaken_seconds=LONG, look_seconds=SOON)
    asking = asyncio.create_task(place.do(WORK, LONG))
    for _ in range(2):
        await taken(database, clock)
        clock.advance(seconds=10)
    with pytest.raises(WorkshopFailedError):
        await asking
    assert sql(tmp_path, "SELECT id FROM jobs") == []


async def test_a_worker_that_is_stopped_leaves_its_job_to_others(
    database: Database, clock: FakeClock, own: Own, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_begun = asyncio.Event()

    async def never(_place: ThreadPlace, _work: object, _seconds: float) -> None:
        has_begun.set()
        await asyncio.Event().wait()

    place = Elsewhere(database, clock, KIND, own, untaken_seconds=LONG, look_seconds=SOON)
    asking = asyncio.create_task(place.do(WORK, LONG))
    with monkeypatch.context() as slow:
        slow.setattr(ThreadPlace, "do", never)
        async with at_work(database, clock):
            await has_begun.wait()
    async with at_work(database, clock):
        assert await asking is True
    assert own.times == 0


async def test_who_waits_no_more_takes_the_job_along(
    database: Database, clock: FakeClock, own: Own, tmp_path: Any
) -> None:
    place = Elsewhere(database, clock, KIND, own, untaken_seconds=LONG, look_seconds=SOON)
    asking = asyncio.create_task(place.do(WORK, LONG))
    job_id = await taken(database, clock)
    asking.cancel()
    await asyncio.wait({asking})
    assert sql(tmp_path, "SELECT id FROM jobs") == []
    async with database.transaction(keys.job(job_id)) as tx:
        assert not await jobs.keep(tx, job_id, "who is killed", clock.now())


async def test_nobody_waits_for_ever(
    database: Database, clock: FakeClock, own: Own, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Elsewhere(database, clock, KIND, own, untaken_seconds=LONG, look_seconds=SOON)
    asking = asyncio.create_task(place.do(WORK, LONG))
    await taken(database, clock)
    later = time.monotonic() + 4 * LONG
    monkeypatch.setattr(elsewhere, "time", SimpleNamespace(monotonic=lambda: later))
    with pytest.raises(TookTooLongError):
        await asking


async def test_a_job_whose_process_has_ended_is_forgotten(
    database: Database, clock: FakeClock, tmp_path: Any
) -> None:
    job, now = jobs.Job("a job", b"", 1), clock.now()
    async with database.transaction(keys.job(job.id)) as tx:
        await jobs.add(tx, KIND, job, now, stale_at=now + timedelta(minutes=1))
    for minutes, left in ((0, 1), (1, 0)):
        clock.advance(minutes=minutes)
        assert await count(database, clock) == left
        async with database.transaction() as tx:
            await jobs.purge(tx, clock.now())
        assert len(sql(tmp_path, "SELECT id FROM jobs")) == left


async def test_a_job_that_somebody_forged_is_done_by_nobody(
    database: Database, clock: FakeClock
) -> None:
    job, now = jobs.Job("a job", forged.RENAMED, 1), clock.now()
    async with database.transaction(keys.job(job.id)) as tx:
        await jobs.add(tx, KIND, job, now, stale_at=now + timedelta(minutes=1))
    async with at_work(database, clock):
        answered = None
        while answered is None:
            await asyncio.sleep(SOON)
            async with database.reading() as tx:
                answered = await jobs.answer_to(tx, job.id)
    with pytest.raises(NotCalledError):
        result(answered)


async def test_an_answer_that_somebody_forged_calls_nothing(
    database: Database, clock: FakeClock, own: Own
) -> None:
    place = Elsewhere(database, clock, KIND, own, untaken_seconds=LONG, look_seconds=SOON)
    asking = asyncio.create_task(place.do(WORK, LONG))
    job_id = await taken(database, clock)
    called = forged.called((IS_OPTIMAL.module, IS_OPTIMAL.name), BullsAndCows(digits=4))
    async with database.transaction(keys.job(job_id)) as tx:
        await jobs.answer(tx, job_id, "who is killed", forged.answer(called))
    with pytest.raises(WorkshopFailedError):
        await asking
