"""Daily posts without Discord: what is due, claimed, sent, refused, given up."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.games.game import Step
from bot.posts.game import MOST_AT_ONCE, DuePost
from bot.services import Services, open_services
from tests.support.clock import FakeClock
from tests.support.table import KEY

pytestmark = pytest.mark.usefixtures("keys_watched")

GUILD, CHANNEL, MESSAGE = 55, 66, 88
FRIDAY = date(2026, 11, 20)


def at(clock: FakeClock, text: str) -> None:
    clock.set(datetime.fromisoformat(text).replace(tzinfo=UTC))


async def set_up(services: Services, clock: FakeClock, *, zone: str = "UTC") -> None:
    """A server that has wanted posts at nine since Thursday."""
    at(clock, "2026-11-19T12:00")
    await services.settings.change(GUILD, channel_id=CHANNEL, zone=zone)


async def claimed(services: Services) -> DuePost:
    due = await services.posts.book.claim(GUILD)
    assert due is not None
    return due


async def test_a_post_is_due_once_after_its_hour(services: Services, clock: FakeClock) -> None:
    book = services.posts.book
    await set_up(services, clock)
    at(clock, "2026-11-20T08:59:59")
    assert await book.due() == []
    assert await book.claim(GUILD) is None
    at(clock, "2026-11-20T09:05")
    assert await book.due() == [GUILD]
    due = await claimed(services)
    assert (due.channel_id, due.day, due.step) == (CHANNEL, FRIDAY, Step.SEND)
    assert str(due.puzzle) == "324/10"
    assert due.last_day is None
    await book.sent(due, MESSAGE)
    for hours in range(1, 15):
        clock.advance(hours=1)
        assert await book.due() == [], hours
    at(clock, "2026-11-21T09:05")
    due = await claimed(services)
    assert (due.day, due.last_day) == (date(2026, 11, 21), FRIDAY)


async def test_a_post_that_may_have_been_sent_is_looked_up_after_two_minutes(
    services: Services, clock: FakeClock
) -> None:
    await set_up(services, clock)
    at(clock, "2026-11-20T09:05")
    await claimed(services)
    clock.advance(seconds=60)
    await claimed(services)
    clock.advance(seconds=60)
    assert (await claimed(services)).step is Step.SEND
    clock.advance(seconds=60)
    due = await claimed(services)
    assert due.step is Step.LOOK
    assert due.claimed_at == datetime(2026, 11, 20, 9, 5, tzinfo=UTC)
    again = await services.posts.book.not_found(due)
    assert again.step is Step.SEND
    clock.advance(seconds=60)
    assert (await claimed(services)).step is Step.SEND  # two more minutes
    await services.posts.book.unsure(again)
    clock.advance(hours=1)
    assert await services.posts.book.claim(GUILD) is None
    assert (await services.posts.choices.view(GUILD)).unsure_day == FRIDAY
    at(clock, "2026-11-21T09:05")
    assert (await claimed(services)).day == date(2026, 11, 21)


async def test_nonces_of_posts_differ_by_server_and_date(
    services: Services, clock: FakeClock
) -> None:
    nonces: set[str] = set()
    at(clock, "2026-11-19T12:00")
    for guild in (1, 2, 11, 12):
        await services.settings.change(guild, channel_id=CHANNEL)
    for day in ("2026-11-20", "2026-11-21", "2026-12-01"):
        at(clock, f"{day}T09:05")
        for guild in await services.posts.book.due():
            due = await services.posts.book.claim(guild)
            assert due is not None
            nonces.add(due.nonce)
            await services.posts.book.sent(due, MESSAGE)
    assert len(nonces) == 12


async def test_only_todays_post_is_sent_after_an_outage(
    services: Services, clock: FakeClock
) -> None:
    await set_up(services, clock)
    at(clock, "2026-11-24T20:00")
    due = await claimed(services)
    assert due.day == date(2026, 11, 24)
    await services.posts.book.sent(due, MESSAGE)
    assert await services.posts.book.due() == []


async def test_after_an_outage_that_ends_before_the_hour_no_old_post_is_sent(
    services: Services, clock: FakeClock
) -> None:
    await set_up(services, clock)
    at(clock, "2026-11-24T08:00")
    assert await services.posts.book.due() == [GUILD]
    assert await services.posts.book.claim(GUILD) is None
    assert await services.posts.book.due() == []
    at(clock, "2026-11-24T09:05")
    assert (await claimed(services)).day == date(2026, 11, 24)


async def test_overdue_posts_of_many_servers_are_sent_a_few_at_a_time(
    services: Services, clock: FakeClock
) -> None:
    at(clock, "2026-11-19T12:00")
    for guild in range(1, 51):
        await services.settings.change(guild, channel_id=CHANNEL)
    at(clock, "2026-11-22T12:00")
    sent: list[int] = []
    while due := await services.posts.book.due():
        assert len(due) <= MOST_AT_ONCE
        for guild in due:
            post = await services.posts.book.claim(guild)
            assert post is not None
            await services.posts.book.sent(post, MESSAGE)
            sent.append(guild)
    assert sorted(sent) == list(range(1, 51))


@pytest.mark.parametrize("days", [[], [0], [1, 8]])
async def test_invalid_weekdays_are_refused(services: Services, days: list[int]) -> None:
    with pytest.raises(ValueError, match="weekdays"):
        await services.posts.choices.set_days(GUILD, days)


@pytest.mark.parametrize("hour", [-1, 24])
async def test_an_invalid_hour_is_refused(services: Services, hour: int) -> None:
    with pytest.raises(ValueError, match="hour"):
        await services.posts.choices.set_hour(GUILD, hour)


async def test_three_refusals_switch_the_post_off_until_a_manager_switches_it_on(
    services: Services, clock: FakeClock
) -> None:
    await set_up(services, clock)
    at(clock, "2026-11-20T09:05")
    for refusals in range(1, 4):
        due = await claimed(services)
        assert due.step is Step.SEND
        await services.posts.book.refused(due, "forbidden")
        assert await services.posts.book.claim(GUILD) is None
        assert ((await services.posts.choices.view(GUILD)).off_at is not None) == (refusals == 3)
        clock.advance(minutes=10)
    clock.advance(days=1)
    assert await services.posts.book.due() == []
    seen = await services.posts.choices.view(GUILD)
    assert (seen.problem, seen.next_at) == ("forbidden", None)
    seen = await services.posts.choices.turn_on(GUILD)
    assert (seen.problem, seen.off_at) == (None, None)
    assert seen.next_at is not None


async def test_a_post_switched_off_by_a_manager_stays_off_until_switched_on(
    services: Services, clock: FakeClock
) -> None:
    await set_up(services, clock)
    choices, book = services.posts.choices, services.posts.book
    at(clock, "2026-11-20T09:05")
    due = await claimed(services)  # somebody is at it, and what comes of it switches nothing on
    seen = await choices.turn_off(GUILD)
    assert (seen.is_turned_off, seen.next_at, seen.hour) == (True, None, 9)
    await book.refused(due, "forbidden")
    await book.sent(due, 7)
    assert (await choices.set_hour(GUILD, 18)).is_turned_off
    await services.settings.change(GUILD, zone="Europe/Berlin")
    clock.advance(days=2)
    assert await book.due() == []
    seen = await choices.turn_on(GUILD)
    assert (seen.is_turned_off, seen.hour, seen.next_at is not None) == (False, 18, True)
    await choices.turn_off(GUILD)
    await services.settings.change(GUILD, channel_id=5)
    assert not (await choices.view(GUILD)).is_turned_off  # a channel is chosen for posts
    await services.settings.leave_channel(GUILD)
    assert not (await choices.turn_off(GUILD)).is_turned_off  # without one there is nothing to end


async def test_a_refused_post_is_sent_as_soon_as_its_cause_is_fixed(
    services: Services, clock: FakeClock
) -> None:
    await set_up(services, clock)
    at(clock, "2026-11-20T09:05")
    await services.posts.book.refused(await claimed(services), "gone")
    clock.advance(minutes=1)
    assert await services.posts.book.due() == []
    await services.settings.change(GUILD, channel_id=CHANNEL + 1)
    due = await claimed(services)
    assert (due.channel_id, due.day, due.step) == (CHANNEL + 1, FRIDAY, Step.SEND)
    await services.posts.book.sent(due, MESSAGE)
    assert (await services.posts.choices.view(GUILD)).problem is None


async def test_only_consecutive_refusals_switch_the_post_off(
    services: Services, clock: FakeClock
) -> None:
    await set_up(services, clock)
    for day in range(20, 25):
        at(clock, f"2026-11-{day}T09:05")
        await services.posts.book.refused(await claimed(services), "forbidden")
        clock.advance(minutes=10)
        await services.posts.book.sent(await claimed(services), MESSAGE)
    assert (await services.posts.choices.view(GUILD)).off_at is None


async def test_a_refusal_by_a_former_channel_is_not_recorded_as_a_problem(
    services: Services, clock: FakeClock
) -> None:
    await set_up(services, clock)
    at(clock, "2026-11-20T09:05")
    due = await claimed(services)
    await services.settings.change(GUILD, channel_id=CHANNEL + 1)
    await services.posts.book.refused(due, "gone")
    assert (await services.posts.choices.view(GUILD)).problem is None


async def test_the_post_of_a_server_without_the_bot_is_put_off(
    services: Services, clock: FakeClock
) -> None:
    await set_up(services, clock)
    at(clock, "2026-11-20T09:05")
    await services.posts.book.put_off(GUILD, is_known=True)
    assert await services.posts.book.due() == []
    clock.advance(hours=1)
    assert await services.posts.book.due() == [GUILD]


@asynccontextmanager
async def second_process(database_url: str, clock: FakeClock) -> AsyncGenerator[Services]:
    async with open_services(database_url, clock, puzzle_key=KEY) as opened:
        yield opened


async def test_one_of_two_processes_claims_a_post(
    services: Services, clock: FakeClock, database_url: str
) -> None:
    await set_up(services, clock)
    at(clock, "2026-11-20T09:05")
    async with second_process(database_url, clock) as other:
        claims = await asyncio.gather(
            *(each.posts.book.claim(GUILD) for each in (services, other, services, other))
        )
    assert len([due for due in claims if due is not None]) == 1


async def test_a_process_killed_between_any_two_steps_leads_to_one_post(
    services: Services, clock: FakeClock, database_url: str
) -> None:
    """A process ends after any step; the next goes on, with a Discord that remembers nonces."""
    await set_up(services, clock)
    at(clock, "2026-11-20T09:05")
    channel: dict[str, datetime] = {}

    def send(due: DuePost) -> None:
        known = channel.get(due.nonce)
        assert known is None or clock.now() - known <= timedelta(minutes=3)
        channel.setdefault(due.nonce, clock.now())

    for ends_after in ("claim", "send", "claim", "send", "send"):
        async with second_process(database_url, clock) as process:
            due = await process.posts.book.claim(GUILD)
            assert due is not None
            if due.step is Step.LOOK:
                assert due.nonce in channel
                break
            if ends_after == "send":
                send(due)
        clock.advance(seconds=60)
    assert len(channel) == 1
    await services.posts.book.sent(due, MESSAGE)
    clock.advance(hours=5)
    assert await services.posts.book.due() == []
