"""Two processes on one database find each other out, and one after the other does not."""

from contextlib import AsyncExitStack

from bot.services import open_services
from tests.support.clock import FakeClock
from tests.support.table import KEY


async def test_two_processes_find_each_other_out_once(database_url: str, clock: FakeClock) -> None:
    async with AsyncExitStack() as both:
        first, second = [
            await both.enter_async_context(
                open_services(database_url, clock, puzzle_key=KEY, par_runs=0)
            )
            for _ in range(2)
        ]
        told: list[tuple[bool, bool]] = []
        for _ in range(4):
            told.append((await first.heartbeat.beat(), await second.heartbeat.beat()))
            clock.advance(seconds=60)
    assert told == [(False, False), (True, True), (False, False), (False, False)]


async def test_who_comes_after_another_is_alone(database_url: str, clock: FakeClock) -> None:
    for _ in range(3):
        async with open_services(database_url, clock, puzzle_key=KEY, par_runs=0) as services:
            for _ in range(3):
                assert not await services.heartbeat.beat()
                clock.advance(seconds=60)


async def test_a_long_pause_is_nobody_else(database_url: str, clock: FakeClock) -> None:
    async with open_services(database_url, clock, puzzle_key=KEY, par_runs=0) as services:
        assert not await services.heartbeat.beat()
        await services.heartbeat.pause()
        clock.advance(hours=5)
        assert not await services.heartbeat.beat()
