"""Two processes on one database find each other out, and one after the other does not."""

from bot.services import open_services
from tests.support.clock import FakeClock
from tests.support.table import KEY


async def test_a_process_that_starts_after_another_ended_reports_no_second_process(
    database_url: str, clock: FakeClock
) -> None:
    for _ in range(3):
        async with open_services(database_url, clock, puzzle_key=KEY) as services:
            for _ in range(3):
                assert not await services.heartbeat.beat()
                clock.advance(seconds=60)


async def test_a_process_does_not_mistake_itself_for_another_after_a_long_pause(
    database_url: str, clock: FakeClock
) -> None:
    async with open_services(database_url, clock, puzzle_key=KEY) as services:
        assert not await services.heartbeat.beat()
        await services.heartbeat.pause()
        clock.advance(hours=5)
        assert not await services.heartbeat.beat()
