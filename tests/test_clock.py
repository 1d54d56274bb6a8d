"""Dates and midnights in every zone."""

from datetime import UTC, date, datetime

import pytest

from bot.clock import SystemClock, date_in, start_of


@pytest.mark.parametrize(
    ("zone", "day"),
    [("UTC", 20), ("Pacific/Kiritimati", 21), ("America/Los_Angeles", 20), ("Asia/Tokyo", 21)],
)
def test_an_instant_has_a_date_in_each_zone(zone: str, day: int) -> None:
    assert date_in(zone, datetime(2026, 11, 20, 16, tzinfo=UTC)) == date(2026, 11, day)


@pytest.mark.parametrize(
    ("zone", "day", "instant"),
    [
        ("UTC", date(2026, 11, 21), datetime(2026, 11, 21, tzinfo=UTC)),
        # The nights on which Berlin's clocks change.
        ("Europe/Berlin", date(2026, 3, 29), datetime(2026, 3, 28, 23, tzinfo=UTC)),
        ("Europe/Berlin", date(2026, 3, 30), datetime(2026, 3, 29, 22, tzinfo=UTC)),
        ("Europe/Berlin", date(2026, 10, 26), datetime(2026, 10, 25, 23, tzinfo=UTC)),
        # Havana's clocks go from midnight to one: the date begins at one o'clock.
        ("America/Havana", date(2026, 3, 8), datetime(2026, 3, 8, 5, tzinfo=UTC)),
    ],
)
def test_a_date_begins_at_midnight_in_its_zone(zone: str, day: date, instant: datetime) -> None:
    assert start_of(day, zone) == instant


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/Havana", "Australia/Lord_Howe"])
def test_the_first_instant_of_a_date_is_on_that_date(zone: str) -> None:
    for ordinal in range(date(2026, 1, 1).toordinal(), date(2027, 1, 1).toordinal()):
        day = date.fromordinal(ordinal)
        assert date_in(zone, start_of(day, zone)) == day


def test_the_system_clock_gives_times_with_a_zone() -> None:
    assert SystemClock().now().tzinfo is UTC
