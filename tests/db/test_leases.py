"""What one process at a time does: claimed, given back, taken over from a killed process."""

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


async def test_one_of_many_simultaneous_claimants_gets_a_lease(
    services: Services, other: Services
) -> None:
    for name in ("tiles", "commands"):
        claims = (one.leases.claim(name) for one in (services, other))
        assert sorted(await asyncio.gather(*claims)) == [False, True]
        again = [await one.leases.claim(name) for one in (services, other)]
        assert sorted(again) == [False, True]


@pytest.mark.usefixtures("keys_watched")
async def test_a_lease_is_released_after_the_work_succeeds_or_fails(
    services: Services, other: Services
) -> None:
    async with services.leases.held("tiles") as is_ours, other.leases.held("tiles") as is_theirs:
        assert (is_ours, is_theirs) == (True, False)
    with pytest.raises(ZeroDivisionError):
        async with other.leases.held("tiles"):
            assert 1 // 0
    assert await services.leases.claim("tiles")


async def test_a_lease_not_renewed_for_a_minute_can_be_taken_by_another_process(
    services: Services, other: Services, clock: FakeClock
) -> None:
    assert await services.leases.claim("tiles")
    clock.advance(seconds=29)
    assert await services.leases.renew("tiles")  # which is as if not asked
    clock.advance(seconds=31)
    assert await other.leases.claim("tiles")
    assert not await services.leases.renew("tiles")
    clock.advance(seconds=30)
    assert await other.leases.renew("tiles")
    clock.advance(seconds=59)
    assert not await services.leases.claim("tiles")
    clock.advance(seconds=1)
    assert await services.leases.claim("tiles")


async def test_a_stopping_process_releases_all_its_leases(
    services: Services, other: Services
) -> None:
    assert await other.leases.claim("tiles")
    assert await other.leases.claim("commands")
    await other.close()
    assert await services.leases.claim("tiles")
    assert await services.leases.claim("commands")
