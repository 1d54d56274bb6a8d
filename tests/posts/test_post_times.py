"""When posts are due: every kind of change of clocks, each instant worked out by hand."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest

from bot.people.model import ZoneChange
from bot.posts.plans import SPREAD, Timetable, hour_of
from tests.support.effort import either

LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)
EVERY_DAY = range(1, 8)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def table(zone: str, hour: int = 9, **more: object) -> Timetable:
    values = {"guild_id": 7, "days": EVERY_DAY, "since": LONG_AGO} | more
    zones = [ZoneChange(zone, LONG_AGO, LONG_AGO)]
    return Timetable(zones=zones, hour=hour, **values)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("zone", "day", "hour", "instant"),
    [
        ("UTC", "2026-11-20", 9, "2026-11-20T09:00"),
        # The day on which clocks go from 02:00 to 03:00, and the one around it.
        ("Europe/Berlin", "2026-03-28", 2, "2026-03-28T01:00"),
        ("Europe/Berlin", "2026-03-29", 2, "2026-03-29T01:00"),
        ("Europe/Berlin", "2026-03-29", 3, "2026-03-29T01:00"),
        ("Europe/Berlin", "2026-03-30", 2, "2026-03-30T00:00"),
        # 02:00 comes twice: the first counts.
        ("Europe/Berlin", "2026-10-25", 2, "2026-10-25T00:00"),
        ("Europe/Berlin", "2026-10-25", 9, "2026-10-25T08:00"),
        ("America/New_York", "2026-03-08", 2, "2026-03-08T07:00"),
        ("America/New_York", "2026-03-08", 9, "2026-03-08T13:00"),
        ("America/New_York", "2026-11-01", 1, "2026-11-01T05:00"),
        ("America/New_York", "2026-11-01", 2, "2026-11-01T07:00"),
        # Five hours and three quarters ahead.
        ("Asia/Kathmandu", "2026-11-20", 9, "2026-11-20T03:15"),
        ("Pacific/Apia", "2026-11-20", 9, "2026-11-19T20:00"),
        # Apia had no December 30 in 2011.
        ("Pacific/Apia", "2011-12-29", 9, "2011-12-29T19:00"),
        ("Pacific/Apia", "2011-12-30", 9, None),
        ("Pacific/Apia", "2011-12-31", 9, "2011-12-30T19:00"),
        # In Nuuk clocks go from 23:00 to midnight: the date has no such hour.
        ("America/Nuuk", "2026-03-28", 23, "2026-03-29T00:00"),
        # Midnight waits for those who may finish the date before, and where it is skipped, too.
        ("UTC", "2026-11-20", 0, "2026-11-20T00:30"),
        ("Africa/Cairo", "2026-04-24", 0, "2026-04-23T22:30"),
    ],
)
def test_an_hour_of_a_date_is_found_in_every_zone(
    zone: str, day: str, hour: int, instant: str | None
) -> None:
    expected = None if instant is None else utc(instant)
    assert hour_of(date.fromisoformat(day), hour, zone) == expected


@pytest.mark.long
@pytest.mark.parametrize("hour", [0, 1, 2, 3, 9, 23])
@pytest.mark.parametrize(
    ("zone", "first", "days"),
    [
        ("Europe/Berlin", "2026-03-27", 5),
        ("Europe/Berlin", "2026-10-23", 5),
        ("America/New_York", "2026-03-06", 5),
        ("America/New_York", "2026-10-30", 5),
        ("Asia/Kathmandu", "2026-11-18", 5),
        ("Pacific/Apia", "2026-04-03", 5),
        ("America/Nuuk", "2026-03-26", 5),
    ],
)
def test_frequent_checks_find_each_date_due_once_and_in_order(
    zone: str, first: str, days: int, hour: int
) -> None:
    times, minutes = table(zone, hour), either(15, 1)
    now = utc(first) - timedelta(days=1)
    posted: list[date] = []
    for _ in range((days + 2) * 24 * 60 // minutes):
        day = times.due(now)
        if day is not None and day not in posted:
            posted.append(day)
        now += timedelta(minutes=minutes)
    assert [later - day for day, later in pairwise(posted)] == (
        [timedelta(days=1)] * (len(posted) - 1)
    )
    assert len(posted) >= days


def test_posts_of_many_servers_are_spread_over_five_minutes() -> None:
    nine = utc("2026-11-20T09:00")
    instants = [
        table("UTC", guild_id=guild).next_after(nine - timedelta(hours=1)) for guild in range(500)
    ]
    delays = [instant - nine for instant in instants if instant is not None]
    assert len(delays) == 500
    assert min(delays) >= timedelta()
    assert max(delays) < SPREAD == timedelta(minutes=5)
    per_second = [delays.count(delay) for delay in set(delays)]
    assert max(per_second) <= 10
    again = table("UTC", guild_id=3).next_after(nine - timedelta(hours=1))
    assert again == instants[3]


def test_posts_are_due_on_the_chosen_weekdays_only() -> None:
    times = table("Asia/Kathmandu", days={1, 4})
    found: list[date] = []
    now = utc("2026-11-18T00:00")  # a Wednesday
    for _ in range(4):
        instant = times.next_after(now)
        assert instant is not None
        found.append(times.today(instant))
        now = instant
    assert [day.isoformat() for day in found] == [
        "2026-11-19",
        "2026-11-23",
        "2026-11-26",
        "2026-11-30",
    ]
    assert times.due(utc("2026-11-20T12:00")) is None


def test_no_post_is_sent_for_an_hour_that_had_passed_when_it_was_chosen() -> None:
    times = table("UTC", since=utc("2026-11-20T09:01"))
    assert times.due(utc("2026-11-20T12:00")) is None
    instant = times.next_after(utc("2026-11-20T12:00"))
    assert instant is not None
    assert times.today(instant) == date(2026, 11, 21)


def test_a_change_of_zone_moves_the_post_with_it() -> None:
    midnight = utc("2026-11-21T00:00")
    zones = [
        ZoneChange("UTC", LONG_AGO, LONG_AGO),
        ZoneChange("America/New_York", midnight, LONG_AGO),
    ]
    times = Timetable(7, zones, 9, EVERY_DAY, LONG_AGO)
    instant = times.next_after(utc("2026-11-20T12:00"))
    assert instant is not None
    assert utc("2026-11-21T14:00") <= instant < utc("2026-11-21T14:05")
    # From midnight on it is the 20th again there, whose post is out.
    assert times.today(midnight) == date(2026, 11, 20)


@pytest.mark.parametrize(
    ("hour", "instant"),
    [
        (8, "2026-11-21T00:30"),  # which the date in Tokyo begins after
        (9, "2026-11-21T00:00"),
        (10, "2026-11-21T01:00"),
    ],
)
def test_a_post_still_comes_when_a_change_of_zone_skips_its_hour(hour: int, instant: str) -> None:
    midnight = utc("2026-11-21T00:00")
    zones = [ZoneChange("Asia/Tokyo", midnight, LONG_AGO)]
    found = Timetable(7, zones, hour, EVERY_DAY, LONG_AGO).next_after(utc("2026-11-20T12:00"))
    assert found is not None
    assert utc(instant) <= found < utc(instant) + SPREAD


def test_a_zone_that_applies_at_once_skips_no_post() -> None:
    noon = utc("2026-11-20T12:00")
    zones = [ZoneChange("Asia/Tokyo", noon, noon)]
    found = Timetable(7, zones, 8, EVERY_DAY, noon).next_after(noon)
    assert found is not None
    assert found - utc("2026-11-20T23:00") < SPREAD


def test_the_hour_and_the_date_of_a_post_may_follow_different_zones() -> None:
    chosen, midnight = utc("2026-11-20T00:30"), utc("2026-11-21T00:00")
    zones = [ZoneChange("America/New_York", midnight, chosen)]
    clocks = [ZoneChange("America/New_York", chosen, chosen)]
    times = Timetable(7, zones, 21, EVERY_DAY, chosen, clocks)
    found = times.next_after(chosen)
    assert found is not None
    assert utc("2026-11-20T02:00") <= found < utc("2026-11-20T02:05")
    assert times.due(found) == times.today(found) == date(2026, 11, 20)
