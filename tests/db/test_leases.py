"""What one process at a time does: claimed, given back, taken over from who was killed."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from bot.services import Services, open_services
from tests.support.clock import FakeClock


@pytest.fixture
async def other(
    services: Services, database_url: str, clock: FakeClock
) -> AsyncGenerator[Services]:
    """A second process on the database of the first."""
    assert services
    async with open_services(database_url, clock) as opened:
        yield opened


async def test_of_many_that_claim_a_lease_at_once_one_has_it(
    services: Services, other: Services
) -> None:
    for name in ("tiles", "commands", "par of 324/10"):
        claims = (one.leases.claim(name) for one in (services, other))
        assert sorted(await asyncio.gather(*claims)) == [False, True]
        again = [await one.leases.claim(name) for one in (services, other)]
        assert sorted(again) == [False, True]


@pytest.mark.usefixtures("keys_watched")
async def test_a_lease_is_given_back_after_the_work_whatever_came_of_it(
    services: Services, other: Services
) -> None:
    async with services.leases.held("tiles") as is_ours, other.leases.held("tiles") as is_theirs:
        assert (is_ours, is_theirs) == (True, False)
    with pytest.raises(ZeroDivisionError):
        async with other.leases.held("tiles"):
            assert 1 // 0
    assert await services.leases.claim("tiles")


async def test_a_lease_that_is_not_kept_for_a_minute_is_anothers(
    services: Services, other: Services, clock: FakeClock
) -> None:
    assert await services.leases.claim("tiles")
    clock.advance(seconds=29)
    assert await services.leases.keep("tiles")  # which is as if not asked
    clock.advance(seconds=31)
    assert await other.leases.claim("tiles")
    assert not await services.leases.keep("tiles")
    clock.advance(seconds=30)
    assert await other.leases.keep("tiles")
    clock.advance(seconds=59)
    assert not await services.leases.claim("tiles")
    clock.advance(seconds=1)
    assert await services.leases.claim("tiles")


async def test_a_process_that_stops_gives_all_leases_back(
    services: Services, other: Services
) -> None:
    assert await other.leases.claim("tiles")
    assert await other.leases.claim("commands")
    await other.close()
    assert await services.leases.claim("tiles")
    assert await services.leases.claim("commands")
