"""A click that posts something spends its message, once."""

import asyncio

import pytest

from bot.privacy.erasing import CLICKS_KEPT_FOR
from bot.services import Services, open_services
from tests.support.clock import FakeClock

EARLIEST, LATEST = 10**18, 2**63 - 1


@pytest.mark.usefixtures("keys_watched")
async def test_exactly_one_of_simultaneous_clicks_is_the_first(services: Services) -> None:
    spend = services.spent_clicks.spend
    assert sorted(await asyncio.gather(*(spend(LATEST) for _ in range(3)))) == [False, False, True]
    assert await spend(EARLIEST)
    assert not await spend(LATEST)


async def test_of_two_clicks_on_a_message_in_two_processes_exactly_one_is_the_first(
    services: Services, clock: FakeClock, database_url: str
) -> None:
    messages = range(LATEST - 40, LATEST)
    async with open_services(database_url, clock) as other:
        clicks = (one.spent_clicks.spend(each) for each in messages for one in (services, other))
        found = await asyncio.gather(*clicks)
        assert [first + second for first, second in zip(found[::2], found[1::2], strict=True)] == (
            [1] * len(messages)
        )
        assert not any([await other.spent_clicks.spend(each) for each in messages])


async def test_a_spent_click_is_remembered_for_a_day(services: Services, clock: FakeClock) -> None:
    spend = services.spent_clicks.spend
    assert await spend(LATEST)
    clock.advance(seconds=CLICKS_KEPT_FOR.total_seconds() - 1)
    await services.privacy.servers.sweep(None)
    assert not await spend(LATEST)
    clock.advance(seconds=1)
    await services.privacy.servers.sweep(None)
    assert await spend(LATEST)
