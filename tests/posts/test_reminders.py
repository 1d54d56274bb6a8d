"""Who is reminded when: where the date ends last, only if the streak would end, and once."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.games.game import Step
from bot.posts.game import DueReminder
from bot.services import Services, open_services
from tests.support.clock import FakeClock
from tests.support.effort import either
from tests.support.sql import sql
from tests.support.table import KEY

pytestmark = pytest.mark.usefixtures("keys_watched")

ANN = 11
TOKYO, ANGELES = 100, 300
# How often it is asked whether one is due.
MINUTES = either(60, 10)


class Life:
    """Ann, who wants reminders, and her days; the bot is never down."""

    def __init__(self, services: Services, clock: FakeClock, folder: Path) -> None:
        self.services = services
        self._clock = clock
        self._folder = folder

    def at(self, moment: str) -> None:
        self._clock.set(datetime.fromisoformat(moment).replace(tzinfo=UTC))
        sql(self._folder, "DELETE FROM pulses")

    async def solve(self, moment: str, guild: int | None = None, puzzle: str | None = None) -> None:
        self.at(moment)
        play = await self.services.daily.open(ANN, guild, puzzle=puzzle)
        await self.services.daily.guess(ANN, play.id, play.game.secret)

    async def found(self, first: str, hours: int) -> tuple[datetime, DueReminder] | None:
        """The reminder that comes within so many hours, and when."""
        self.at(first)
        for _ in range(0, hours * 60, MINUTES):
            for player in await self.services.reminders.due():
                if due := await self.services.reminders.claim(player):
                    return self._clock.now(), due
            self._clock.advance(minutes=MINUTES)
            sql(self._folder, "DELETE FROM pulses")
        return None


@pytest.fixture
async def life(services: Services, clock: FakeClock, tmp_path: Path) -> Life:
    made = Life(services, clock, tmp_path)
    made.at("2026-11-01T12:00")
    await services.settings.change(TOKYO, zone="Asia/Tokyo")
    await services.settings.change(ANGELES, zone="America/Los_Angeles")
    await services.preferences.set_reminders(ANN, on=True)
    return made


@pytest.mark.long
@pytest.mark.parametrize(
    ("guild", "comes", "is_own_date"),
    [
        (None, "2026-11-11T22:00", True),
        (TOKYO, "2026-11-11T13:00", True),
        (ANGELES, "2026-11-12T06:00", False),  # in her own conversations it is the 12th by then
    ],
)
async def test_a_reminder_comes_two_hours_before_the_date_ends_for_its_player(
    life: Life, guild: int | None, comes: str, *, is_own_date: bool
) -> None:
    await life.solve("2026-11-10T12:00", guild)
    found = await life.found("2026-11-10T13:00", 48)
    assert found is not None
    when, due = found
    assert when == datetime.fromisoformat(comes).replace(tzinfo=UTC)
    assert due.risk.day.isoformat() == "2026-11-11"
    assert due.risk.ends_at == when + timedelta(hours=2)
    assert (due.risk.guild_id, due.risk.is_own_date) == (guild, is_own_date)
    assert (due.risk.length, due.step) == (1, Step.SEND)


@pytest.mark.long
async def test_the_reminder_of_a_player_in_two_zones_goes_by_the_later_end_of_the_date(
    life: Life,
) -> None:
    await life.solve("2026-11-10T10:00", TOKYO)
    await life.solve("2026-11-10T22:00", ANGELES, "/9")  # the same date at another length
    found = await life.found("2026-11-10T23:00", 48)
    assert found is not None
    assert found[1].risk.guild_id == ANGELES


@pytest.mark.long
async def test_no_reminder_comes_while_its_player_holds_a_freeze(life: Life) -> None:
    for day in range(3, 10):
        await life.solve(f"2026-11-{day:02}T12:00")
    assert await life.found("2026-11-09T13:00", 34) is None
    found = await life.found("2026-11-11T00:30", 24)  # the freeze went for the 10th
    assert found is not None
    assert found[1].risk.day.isoformat() == "2026-11-11"
    assert found[1].risk.length == 7


@pytest.mark.long
async def test_no_reminder_comes_without_a_streak_or_after_its_end(life: Life) -> None:
    assert await life.found("2026-11-01T12:00", 48) is None
    await life.solve("2026-11-10T12:00")
    assert await life.found("2026-11-12T00:00", 48) is None


async def test_a_reminder_claimed_long_ago_is_looked_up_before_it_is_sent_again(
    life: Life, clock: FakeClock
) -> None:
    await life.solve("2026-11-10T12:00")
    life.at("2026-11-11T22:00")
    first = await life.services.reminders.claim(ANN)
    assert first is not None
    assert await life.services.reminders.claim(ANN) is None
    clock.advance(seconds=60)
    second = await life.services.reminders.claim(ANN)
    assert second is not None
    assert (second.step, second.nonce) == (Step.SEND, first.nonce)
    clock.advance(minutes=2)
    third = await life.services.reminders.claim(ANN)
    assert third is not None
    assert third.step is Step.LOOK
    assert (await life.services.reminders.not_found(third)).step is Step.SEND


async def test_one_of_two_processes_claims_a_reminder(
    life: Life, services: Services, clock: FakeClock, database_url: str
) -> None:
    await life.solve("2026-11-10T12:00")
    life.at("2026-11-11T22:00")
    async with open_services(database_url, clock, puzzle_key=KEY) as other:
        claims = await asyncio.gather(
            *(each.reminders.claim(ANN) for each in (services, other, services, other))
        )
    assert len([due for due in claims if due is not None]) == 1


async def test_who_asks_within_the_last_two_hours_is_told_of_a_reminder_that_comes_now(
    life: Life, clock: FakeClock
) -> None:
    await life.solve("2026-11-10T12:00")
    life.at("2026-11-11T23:00")
    asked = await life.services.reminders.ask(ANN)
    assert asked.next_at == clock.now()
    assert await life.services.reminders.claim(ANN) is not None
