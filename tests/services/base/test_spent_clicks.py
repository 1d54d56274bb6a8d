"""A click that posts something spends its message, once."""

import asyncio

from bot.services.services import Services, open_services
from tests.support.clock import FakeClock

EARLIEST, LATEST = 10**18, 2**63 - 1


async def test_of_two_clicks_at_once_one_is_the_first(services: Services) -> None:
    spend = services.spent_clicks.spend
    assert sorted(await asyncio.gather(*(spend(LATEST) for _ in range(3)))) == [False, False, True]
    assert await spend(EARLIEST)
    assert not await spend(LATEST)


async def test_it_is_known_to_the_next_process(
    services: Services, clock: FakeClock, database_url: str
) -> None:
    assert await services.spent_clicks.spend(LATEST)
    async with open_services(database_url, clock) as other:
        assert not await other.spent_clicks.spend(LATEST)


async def test_only_the_last_dozen_are_remembered(services: Services) -> None:
    spend = services.spent_clicks.spend
    for number in range(13):
        assert await spend(LATEST - number)
    assert not await spend(LATEST - 1)
    assert await spend(LATEST)
