"""Who waits for the coach, and in which order."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable

import pytest

from bot.coach.model import CoachBusyError
from bot.coach.queue import Lane, Queue, Request
from bot.errors import ClosingError
from bot.pool.pool import Pool


@pytest.fixture
async def pool() -> AsyncGenerator[Pool]:
    opened = Pool.with_workers(0)
    yield opened
    await opened.close()


@pytest.fixture
async def queue(pool: Pool) -> AsyncGenerator[Queue]:
    opened = Queue(pool.solve, most=3)
    yield opened
    await opened.close()


class Gate:
    """Work that does not end before it is let go."""

    def __init__(self, queue: Queue, lane: Lane = Lane.REVIEW) -> None:
        self._begun = threading.Event()
        self._open = threading.Event()
        self.request = queue.add(lane, self._work)

    def _work(self) -> str:
        self._begun.set()
        assert self._open.wait(10)
        return threading.current_thread().name

    async def begun(self) -> None:
        assert await asyncio.to_thread(self._begun.wait, 10)

    def let_go(self) -> None:
        self._open.set()


def noting(seen: list[str], name: str) -> Callable[[], None]:
    return lambda: seen.append(name)


async def test_the_queue_serves_requests_in_order_of_arrival(queue: Queue) -> None:
    gate, seen = Gate(queue), list[str]()
    await gate.begun()
    requests = [queue.add(Lane.REVIEW, noting(seen, name)) for name in "abc"]
    assert [queue.ahead(request) for request in (gate.request, *requests)] == [0, 1, 2, 3]
    gate.let_go()
    await asyncio.gather(*(request.result for request in requests))
    assert seen == ["a", "b", "c"]
    assert [queue.ahead(request) for request in requests] == [0, 0, 0]


async def test_the_queue_serves_players_in_a_game_before_reviews_before_background_work(
    queue: Queue,
) -> None:
    gate, seen = Gate(queue), list[str]()
    await gate.begun()
    lanes = (Lane.BACKGROUND, Lane.REVIEW, Lane.PLAYING)
    requests = [queue.add(lane, noting(seen, lane.name)) for lane in lanes]
    gate.let_go()
    await asyncio.gather(*(request.result for request in requests))
    assert seen == ["PLAYING", "REVIEW", "BACKGROUND"]


async def test_one_thread_does_all_work_of_the_coach(queue: Queue) -> None:
    gates = [Gate(queue), Gate(queue)]
    for gate in gates:
        gate.let_go()
    names = {await gate.request.result for gate in gates}
    assert len(names) == 1
    assert names.pop().startswith("pool")


async def test_a_full_lane_of_the_queue_refuses_more_requests(queue: Queue) -> None:
    gate = Gate(queue)
    await gate.begun()
    for _ in range(3):
        queue.add(Lane.REVIEW, int)
    with pytest.raises(CoachBusyError):
        queue.add(Lane.REVIEW, int)
    queue.add(Lane.PLAYING, int)
    gate.let_go()


async def test_a_failed_request_fails_only_for_its_requester(queue: Queue) -> None:
    failing = queue.add(Lane.REVIEW, lambda: 1 // 0)
    assert await queue.run(Lane.REVIEW, lambda: "fine") == "fine"
    with pytest.raises(ZeroDivisionError):
        await failing.result


async def test_a_cancelled_request_is_never_worked_on(queue: Queue) -> None:
    gate, seen = Gate(queue), list[str]()
    await gate.begun()
    unwanted = queue.add(Lane.REVIEW, noting(seen, "unwanted"))
    unwanted.result.cancel()
    gate.let_go()
    await queue.run(Lane.REVIEW, noting(seen, "wanted"))
    assert seen == ["wanted"]


async def test_a_closing_queue_cancels_waiting_requests_and_refuses_new_ones(pool: Pool) -> None:
    queue = Queue(pool.solve)
    gate = Gate(queue)
    await gate.begun()
    waiting: Request[int] = queue.add(Lane.REVIEW, int)
    closing = asyncio.create_task(queue.close())
    await asyncio.sleep(0)
    gate.let_go()
    await closing
    assert waiting.result.cancelled()
    with pytest.raises(ClosingError):
        queue.add(Lane.REVIEW, int)
    await queue.close()


async def test_a_new_request_ends_the_pause_after_background_work(pool: Pool) -> None:
    queue = Queue(pool.solve, rest=1e9)  # for ever, unless somebody comes
    await queue.run(Lane.BACKGROUND, int)
    queue.add(Lane.BACKGROUND, lambda: "not now")
    assert await queue.run(Lane.PLAYING, lambda: "now") == "now"
    await queue.close()
