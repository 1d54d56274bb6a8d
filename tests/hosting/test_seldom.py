"""What is found out seldom, however often it is asked for."""

import asyncio

from bot.health.seldom import Seldom


class Finder:
    """Counts how often it is asked, and answers when it may."""

    def __init__(self) -> None:
        self.asked = 0
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    async def find(self) -> int:
        self.asked += 1
        await self.may_answer.wait()
        return self.asked


class Clock:
    """A clock that is moved by hand."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


async def test_all_who_ask_within_some_seconds_are_told_the_same() -> None:
    finder, clock = Finder(), Clock()
    seldom = Seldom(finder.find, 3.0, clock)
    assert await asyncio.gather(*(seldom.get(1) for _ in range(1000))) == [1] * 1000
    clock.now += 2.9
    assert await seldom.get(1) == 1
    clock.now += 0.1
    assert await seldom.get(1) == 2
    await seldom.close()


async def test_who_cannot_wait_is_told_what_was_found_last_if_that_still_tells_something() -> None:
    finder, clock = Finder(), Clock()
    finder.may_answer.clear()
    seldom = Seldom(finder.find, 3.0, clock)
    assert await seldom.get(0) is None
    finder.may_answer.set()
    assert await seldom.get(1) == 1
    finder.may_answer.clear()
    clock.now += 59
    assert await seldom.get(0) == 1
    clock.now += 1
    assert await seldom.get(0) is None
    finder.may_answer.set()
    assert await seldom.get(1) == 2
    assert finder.asked == 2
    await seldom.close()


async def test_who_gives_up_leaves_the_answer_to_others() -> None:
    finder = Finder()
    finder.may_answer.clear()
    seldom = Seldom(finder.find, 3.0)
    first, second = (asyncio.create_task(seldom.get(10)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    finder.may_answer.set()
    assert await second == 1
    await seldom.close()
