"""A hundred that are heavy begin a few at a time, and those who come between wait for those few."""

import asyncio
from itertools import pairwise

from bot.pool.pool import AT_ONCE, LoopThrottle


async def test_a_hundred_tasks_begin_in_turn_and_let_other_work_run_between() -> None:
    throttle, begun = LoopThrottle(), list[int]()

    async def heavy(number: int) -> None:
        await throttle.wait()
        begun.append(number)

    tasks = [asyncio.create_task(heavy(number)) for number in range(100)]
    await asyncio.sleep(0)
    counts = [0]
    while len(begun) < len(tasks):
        await asyncio.sleep(0)
        counts.append(len(begun))
    assert begun == list(range(100))
    steps = [after - before for before, after in pairwise(counts)]
    assert max(steps) == AT_ONCE
    assert len([step for step in steps if step]) == 100 / AT_ONCE
    await asyncio.gather(*tasks)


async def test_a_cancelled_task_takes_no_turn() -> None:
    throttle, begun = LoopThrottle(), list[int]()

    async def heavy(number: int) -> None:
        await throttle.wait()
        begun.append(number)

    tasks = [asyncio.create_task(heavy(number)) for number in range(2 * AT_ONCE)]
    await asyncio.sleep(0)
    for task in tasks[:AT_ONCE]:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert begun == list(range(AT_ONCE, 2 * AT_ONCE))
    await heavy(99)
    assert begun[-1] == 99
