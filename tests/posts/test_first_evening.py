"""A server's first evening: what its manager chooses holds at once for what has not happened."""

import asyncio
import tempfile
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, assume, example, given
from hypothesis import strategies as st

from bot.posts.plans import SPREAD
from bot.services import Services
from tests.support.clock import FakeClock
from tests.support.databases import NewDatabase
from tests.support.duels import ANN, BEN
from tests.support.effort import examples
from tests.support.town import Town, open_town

HERE, CHANNEL = 100, 7
NEW_YORK, TOKYO, UTC_NAME = "America/New_York", "Asia/Tokyo", "UTC"
NEW_YORKS_EVENING = "2026-11-20T20:30"
"""By the clocks there; in UTC it is the 21st already."""

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


@pytest.fixture
async def town(town: Town) -> Town:
    town.at(NEW_YORKS_EVENING, NEW_YORK)
    return town


async def next_at(services: Services) -> datetime | None:
    return (await services.posts.choices.view(HERE)).next_at


async def post(town: Town) -> date | None:
    """Post what is due; its date."""
    due = await town.services.posts.book.claim(HERE)
    if due is None:
        return None
    await town.services.posts.book.sent(due, 1)
    return due.day


async def posts_until(town: Town, end: str, zone: str) -> list[tuple[str, int]]:
    """Which posts come by a local time, each with its hour by the clocks there and its date."""
    found: list[tuple[str, int]] = []
    while town.clock.now() < datetime.fromisoformat(end).replace(tzinfo=ZoneInfo(zone)):
        town.clock.advance(minutes=5)
        if (day := await post(town)) is not None:
            local = town.clock.now().astimezone(ZoneInfo(zone))
            found.append((f"{local:%d. %H}", day.day))
    return found


async def set_up(town: Town, zone: str = NEW_YORK, hour: int = 21) -> None:
    await town.services.settings.change(HERE, channel_id=CHANNEL)
    await town.services.settings.change(HERE, zone=zone)
    await town.services.posts.choices.set_hour(HERE, hour)


# The hour.


def strike(zone: str, hour: int, since: datetime) -> datetime:
    """When clocks next show an hour, by looking at them each quarter; midnight's post waits."""
    wanted = f"{hour:02}:{'00' if hour else '30'}"
    now = since.replace(minute=since.minute // 15 * 15)
    while now < since or f"{now.astimezone(ZoneInfo(zone)):%H:%M}" != wanted:
        now += 15 * MINUTE
    return now


ZONES = (
    *("Etc/GMT+12", "Pacific/Honolulu", "America/Los_Angeles", NEW_YORK, "America/St_Johns"),
    *("Europe/Berlin", "Asia/Kathmandu", TOKYO, "Australia/Adelaide", "Pacific/Kiritimati"),
)
PLAYED = ("nothing", "practice", "opened", "finished")
orders = st.permutations(["channel", "zone", "hour"])


async def evening(
    folder: Path, url: str, zone: str, hour: int, began: datetime, order: Sequence[str], played: str
) -> None:
    async with open_town(folder, url, FakeClock(began)) as town:
        play = None
        if played == "practice":
            await town.services.practice.open(ANN, HERE)
        elif played != "nothing":
            play = await town.open(ANN, HERE)
            if played == "finished":
                await town.finish(play, 3)
        before = await town.services.settings.view(HERE)
        today = town.clock.now().date()
        for choice in order:
            town.clock.advance(minutes=7)
            match choice:
                case "channel":
                    await town.services.settings.change(HERE, channel_id=CHANNEL)
                case "zone":
                    await town.services.settings.change(HERE, zone=zone)
                case _:
                    await town.services.posts.choices.set_hour(HERE, hour)
        now, settings = town.clock.now(), await town.services.settings.view(HERE)
        choices = await town.services.posts.choices.view(HERE)
        comes_at, strikes_at = choices.next_at, strike(zone, hour, now)
        assert comes_at is not None
        assert strikes_at <= comes_at < strikes_at + SPREAD
        assert choices.zone == zone
        if play is not None and now.date() == today:  # the date that runs has its end
            midnight = datetime.combine(today + DAY, datetime.min.time(), UTC)
            assert (settings.zone, settings.next_zone) == (before.zone, (zone, midnight))
            assert (await town.services.daily.view(ANN, play.id)).next_puzzle_at == midnight
        else:
            assert (settings.zone, settings.next_zone) == (zone, None)
        town.clock.set(comes_at)
        assert await post(town) is not None


@examples(8, 600, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(NEW_YORK, 21, 30, 20, ["channel", "zone", "hour"], "nothing")
@example(NEW_YORK, 21, 30, 20, ["hour", "channel", "zone"], "finished")
@example(TOKYO, 8, 12 * 60, 200, ["channel", "hour", "zone"], "opened")
@given(
    st.sampled_from(ZONES),
    st.integers(0, 23),
    st.integers(0, 24 * 60 - 1),
    st.integers(1, 360),
    orders,
    st.sampled_from(PLAYED),
)
def test_the_first_post_comes_at_the_next_chosen_hour(
    new_database: NewDatabase,
    zone: str,
    hour: int,
    minute: int,
    day: int,
    order: Sequence[str],
    played: str,
) -> None:
    began = datetime(2026, 1, 1, tzinfo=UTC) + day * DAY + minute * MINUTE
    offsets = {(began + n * DAY).astimezone(ZoneInfo(zone)).utcoffset() for n in range(3)}
    assume(len(offsets) == 1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        url = new_database(folder)
        asyncio.run(evening(folder, url, zone, hour, began, order, played))


async def test_a_server_where_nobody_opened_todays_puzzle_gets_a_post_each_evening(
    town: Town,
) -> None:
    await set_up(town)
    found = await posts_until(town, "2026-11-23T12:00", NEW_YORK)
    assert found == [("20. 21", 20), ("21. 21", 21), ("22. 21", 22)]


async def test_a_manager_who_plays_before_setting_up_gets_the_post_that_evening(town: Town) -> None:
    await town.play(ANN, HERE)
    await set_up(town)
    # Of the date that runs there until midnight in UTC, and is today once more after that.
    found = await posts_until(town, "2026-11-23T12:00", NEW_YORK)
    assert found == [("20. 21", 21), ("22. 21", 22)]


async def test_the_last_of_two_changes_of_the_hour_applies(town: Town) -> None:
    await set_up(town, hour=9)
    for hour in (22, 21):
        await town.services.posts.choices.set_hour(HERE, hour)
    assert await posts_until(town, "2026-11-20T21:06", NEW_YORK) == [("20. 21", 20)]
    await town.services.posts.choices.set_hour(HERE, 22)  # the date has its post
    assert (await next_at(town.services) or town.clock.now()) > town.clock.now() + DAY
    assert await posts_until(town, "2026-11-22T12:00", NEW_YORK) == [("21. 22", 21)]


async def test_a_zone_changed_after_the_post_causes_no_second_one(town: Town) -> None:
    await set_up(town)
    assert await posts_until(town, "2026-11-20T21:30", NEW_YORK) == [("20. 21", 20)]
    await town.services.settings.change(HERE, zone="America/Chicago")
    found = await posts_until(town, "2026-11-22T12:00", "America/Chicago")
    assert found == [("21. 21", 21)]


async def test_a_corrected_zone_applies_to_posts_at_once(town: Town) -> None:
    await town.services.settings.change(HERE, zone=NEW_YORK)
    await town.play(ANN, HERE)
    await set_up(town, zone="America/Chicago")
    town.at("2026-11-20T20:30", "America/Chicago")
    found = await posts_until(town, "2026-11-21T22:00", "America/Chicago")
    assert found == [("20. 21", 20), ("21. 21", 21)]


@pytest.mark.parametrize("again", ["channel", "zone", "hour"])
async def test_a_setting_changed_while_a_post_is_being_sent_does_not_affect_it(
    town: Town, again: str
) -> None:
    await set_up(town)
    town.at("2026-11-20T21:00", NEW_YORK)
    comes_at = await next_at(town.services)
    assert comes_at is not None
    assert comes_at > town.clock.now()
    match again:
        case "channel":
            await town.services.settings.change(HERE, channel_id=CHANNEL + 1)
        case "zone":
            await town.services.settings.change(HERE, zone=NEW_YORK)
        case _:
            await town.services.posts.choices.set_hour(HERE, 21)
    assert await next_at(town.services) == comes_at
    town.clock.set(comes_at)
    assert await post(town) == date(2026, 11, 20)


# The length.


async def length(town: Town) -> tuple[int, date | None]:
    """The length of today, and from when on the chosen one follows."""
    view = await town.services.settings.change(HERE, length=12)
    return view.length, None if view.next_length is None else view.next_length[1]


async def test_a_length_applies_at_once_until_a_player_opens_todays_puzzle(town: Town) -> None:
    town.at("2026-11-20T23:50")
    await town.play(ANN, HERE)
    town.at("2026-11-21T00:10")
    await town.services.practice.open(ANN, HERE)
    assert await length(town) == (12, None)
    assert (await town.open(BEN, HERE)).rules.length == 12


async def test_a_new_length_waits_for_midnight_once_a_player_has_opened_todays_puzzle(
    town: Town,
) -> None:
    await town.open(ANN, HERE)
    assert await length(town) == (10, date(2026, 11, 22))


# What stays.


async def test_a_date_that_was_played_ends_at_its_planned_time_after_a_change_of_zone(
    town: Town,
) -> None:
    town.at("2026-11-20T14:30")
    play = await town.open(ANN, HERE)
    await town.services.settings.change(HERE, zone=TOKYO)
    town.at("2026-11-20T23:50")  # the 21st in Tokyo for long
    assert (await town.open(BEN, HERE)).puzzle == play.puzzle
    finished = await town.finish(play, 3)
    assert (finished.on_date, finished.ending.closed_in) == (True, ())


async def test_settings_of_a_server_wait_for_midnight_from_its_second_day_on(town: Town) -> None:
    town.at("2026-11-20T12:00")
    await town.open(ANN, HERE)
    town.clock.advance(days=1, minutes=1)
    await set_up(town, zone=TOKYO, hour=23)
    assert (await town.services.posts.choices.view(HERE)).zone == UTC_NAME
    found = await posts_until(town, "2026-11-23T02:00", UTC_NAME)
    assert found == [("21. 23", 21), ("22. 14", 22)]
    assert (await length(town))[0] == 10


async def test_a_server_that_removed_the_bot_does_not_count_as_new_again(town: Town) -> None:
    town.at("2026-11-10T12:00")
    await town.play(ANN, HERE)
    await town.services.privacy.servers.left(HERE)
    town.at(NEW_YORKS_EVENING, NEW_YORK)
    await town.services.privacy.servers.joined(HERE)
    await set_up(town)
    comes_at = await next_at(town.services)
    assert comes_at is not None
    assert comes_at.astimezone(UTC).hour == 21
    assert (await length(town))[0] == 10
