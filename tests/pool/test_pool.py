"""Who waits for a drawing, how many may, and what is kept of it."""

import asyncio
from collections.abc import AsyncGenerator
from functools import partial

import pytest

from bot.errors import ClosingError
from bot.pool.pool import (
    MOST_CACHED,
    MOST_WAITING,
    SOLVING_SECONDS,
    Lane,
    Pool,
    ThreadExecutor,
    WorkQueue,
)
from bot.refused import AlreadyDrawingError, ForgottenMeanwhileError, PoolFullError
from tests.support.chores import DRAWN, GATE, draw
from tests.support.waiting import until

ANN, BEN = 1, 2


@pytest.fixture
async def pool() -> AsyncGenerator[Pool]:
    GATE.clear()
    DRAWN.clear()
    line = WorkQueue(ThreadExecutor())
    opened = Pool(line, line)
    yield opened
    GATE.set()
    await opened.close()


def ask(
    pool: Pool, number: int, *, asker: int = ANN, owner: int = ANN, kind: str = "chart"
) -> asyncio.Task[int]:
    work = partial(draw, number)
    return asyncio.create_task(pool.draw(work, kind=kind, asker_id=asker, owner_id=owner))


async def settle() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


async def test_the_same_picture_is_drawn_once_for_any_number_of_requests(pool: Pool) -> None:
    drawings = [ask(pool, 7, asker=asker) for asker in range(5)]
    await settle()
    GATE.set()
    assert await asyncio.gather(*drawings) == [7] * 5
    assert await ask(pool, 7) == 7
    assert DRAWN == [7]
    assert await ask(pool, 8) == 8
    assert DRAWN == [7, 8]


async def test_the_pool_keeps_few_pictures_and_none_of_a_forgotten_player(pool: Pool) -> None:
    GATE.set()
    for number in range(MOST_CACHED + 1):
        await ask(pool, number, owner=BEN if number == MOST_CACHED else ANN)
    DRAWN.clear()
    await ask(pool, 1)
    assert DRAWN == []
    await ask(pool, 0)
    assert DRAWN == [0]
    pool.forget(ANN)
    await ask(pool, 1)
    await ask(pool, MOST_CACHED, owner=BEN)
    assert DRAWN == [0, 1]


async def test_a_picture_requested_before_its_player_was_forgotten_is_neither_shown_nor_kept(
    pool: Pool,
) -> None:
    running = ask(pool, 1, asker=BEN)
    waiting = ask(pool, 2)
    others = ask(pool, 3, asker=3, owner=BEN)
    await settle()
    pool.forget(ANN)
    for drawing in (running, waiting):
        with pytest.raises(ForgottenMeanwhileError):
            await drawing
    GATE.set()
    assert await others == 3
    assert 2 not in DRAWN
    DRAWN.clear()
    assert await ask(pool, 1) == 1
    assert DRAWN == [1]


async def test_a_player_may_wait_for_only_one_drawing_of_a_kind(pool: Pool) -> None:
    first, year = ask(pool, 1), ask(pool, 2, kind="year")
    await settle()
    for number in range(3, 8):
        with pytest.raises(AlreadyDrawingError):
            await ask(pool, number)
    again = ask(pool, 1)
    GATE.set()
    assert await asyncio.gather(first, year, again) == [1, 2, 1]
    assert await ask(pool, 3) == 3


async def test_the_pool_queues_as_many_requests_as_fit_and_refuses_the_others(
    pool: Pool,
) -> None:
    drawings = [ask(pool, player, asker=player, owner=player) for player in range(1000)]
    await settle()
    refused = [drawing for drawing in drawings if drawing.done()]
    assert len(refused) >= 1000 - MOST_WAITING - 1
    GATE.set()
    found = await asyncio.gather(*drawings, return_exceptions=True)
    answered = [player for player, what in enumerate(found) if what == player]
    assert len(answered) == 1000 - len(refused)
    assert answered == DRAWN
    assert all(isinstance(drawing.exception(), PoolFullError) for drawing in refused)


async def test_a_request_that_was_cancelled_or_waited_too_long_is_not_drawn() -> None:
    GATE.clear()
    DRAWN.clear()
    line = WorkQueue(ThreadExecutor())
    pool = Pool(line, line, patience=0.05)
    running, late = ask(pool, 1), ask(pool, 2, asker=BEN)
    gone = ask(pool, 3, asker=3)
    await settle()
    gone.cancel()
    for drawing in (running, late):
        with pytest.raises(PoolFullError):
            await drawing
    GATE.set()
    assert await ask(pool, 4, asker=4) == 4
    assert DRAWN == [1, 4]
    await pool.close()


async def test_a_solver_runs_before_all_waiting_drawings(pool: Pool) -> None:
    drawings = [ask(pool, player, asker=player) for player in range(MOST_WAITING)]
    await settle()
    solving = asyncio.create_task(pool.solve(partial(draw, -1)))
    await settle()
    GATE.set()
    assert await solving == -1
    await asyncio.gather(*drawings)
    assert DRAWN.index(-1) <= 1


async def test_jobs_are_done_by_lane_and_within_a_lane_in_order_of_arrival(pool: Pool) -> None:
    line = pool.solving
    running = line.add(partial(draw, 0), SOLVING_SECONDS, Lane.REVIEW)
    await settle()
    lanes = (Lane.BACKGROUND, Lane.REVIEW, Lane.REVIEW, Lane.DRAWING, Lane.PLAYING)
    jobs = [
        line.add(partial(draw, number), SOLVING_SECONDS, lane)
        for number, lane in enumerate(lanes, start=1)
    ]
    assert [line.ahead(job) for job in (running, *jobs)] == [0, 0, 1, 2, 0, 0]
    assert [line.unfinished(lane) for lane in Lane] == [1, 1, 3, 1]
    GATE.set()
    await asyncio.gather(*(job.result for job in jobs))
    assert DRAWN == [0, 5, 4, 2, 3, 1]
    assert [line.ahead(job) for job in jobs] == [0] * 5


async def test_a_failed_job_fails_only_for_whoever_waits_for_it(pool: Pool) -> None:
    failing = pool.solving.add(lambda: 1 // 0, SOLVING_SECONDS, Lane.PLAYING)
    assert await pool.solve(lambda: "fine") == "fine"
    with pytest.raises(ZeroDivisionError):
        await failing.result


async def test_a_queue_goes_on_after_its_worker_could_not_be_ended(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Stubborn(ThreadExecutor):
        async def end(self) -> None:
            await super().end()
            raise OSError("no")

    line = WorkQueue(Stubborn(), idle_seconds=0)
    await until(lambda: "end of an idle worker: failed this time" in caplog.messages)
    assert await line.add(lambda: "fine", SOLVING_SECONDS, Lane.PLAYING).result == "fine"
    with pytest.raises(OSError, match="no"):
        await line.close()


async def test_a_closing_pool_ends_all_waiting_and_refuses_new_requests(
    pool: Pool,
) -> None:
    drawings = [ask(pool, player, asker=player) for player in range(3)]
    await settle()
    closing = asyncio.create_task(pool.close())
    await settle()
    GATE.set()
    await closing
    for drawing in (*drawings, ask(pool, 9)):
        with pytest.raises(ClosingError):
            await drawing
    await pool.close()
