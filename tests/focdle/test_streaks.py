"""Streaks, each case a story with a fake clock and a real database."""

import random
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.db.database import Database
from bot.effects import DateEffect
from bot.focdle.model import Play
from bot.outages import Outage
from bot.services import Services
from bot.shards.game import note_outage
from bot.streaks import store as streaks_store
from bot.streaks.model import Streak
from engine import Focdle
from tests.support.clock import FakeClock

ANN = 11
TOKYO, BERLIN, ANGELES, NEARBY = 100, 200, 300, 400
ZONES = {TOKYO: "Asia/Tokyo", BERLIN: "Europe/Berlin", ANGELES: "America/Los_Angeles"}


class Life:
    """Ann, her servers, and the days as they pass."""

    def __init__(self, services: Services, clock: FakeClock, database_url: str) -> None:
        self._services = services
        self._clock = clock
        self._url = database_url

    async def settle_in(self) -> None:
        """Give the servers their zones, long before anybody has played."""
        self.at("2026-01-02T12:00")
        for guild, zone in ZONES.items():
            await self._services.settings.change(guild, zone=zone)

    def at(self, local: str, zone: str = "UTC") -> None:
        """Let it be a local time in a zone."""
        self._clock.set(datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone)))

    async def open(self, guild: int | None = None, puzzle: str | None = None) -> Play:
        return await self._services.daily.open(ANN, guild, puzzle=puzzle)

    async def solve(self, guild: int | None = None, puzzle: str | None = None) -> Streak:
        return await self.finish(await self.open(guild, puzzle))

    async def finish(self, play: Play) -> Streak:
        """Solve a puzzle that is open."""
        play = await self._services.daily.guess(ANN, play.id, play.game.secret)
        assert play.ending.streak is not None
        return play.ending.streak

    async def lose(self, guild: int | None = None, puzzle: str | None = None) -> Streak:
        play = await self.open(guild, puzzle)
        for guess in wrong_guesses(play, 6):
            play = await self._services.daily.guess(ANN, play.id, guess)
        assert play.ending.streak is not None
        return play.ending.streak

    async def leave(self, guild: int | None = None) -> None:
        """Guess once and never come back."""
        play = await self.open(guild)
        (guess,) = wrong_guesses(play, 1)
        await self._services.daily.guess(ANN, play.id, guess)

    async def look(self, guild: int | None = None) -> Streak:
        """The streak as it is now, seen on a board from the archive."""
        return await self.solve_or_view(guild, "1")

    async def solve_or_view(self, guild: int | None, puzzle: str) -> Streak:
        play = await self.open(guild, puzzle)
        if play.ending.streak is not None:
            return play.ending.streak
        return await self.finish(play)

    async def solve_days(self, first: str, days: int, guild: int | None = None) -> Streak:
        """Solve on so many days in a row, at noon."""
        streak = Streak()
        for n in range(days):
            self.at((datetime.fromisoformat(first) + timedelta(days=n)).date().isoformat() + "T12")
            streak = await self.solve(guild)
        return streak

    async def outage(self, began: str, ended: str) -> None:
        """Let the bot have been down for a time."""
        began_at, ended_at = (datetime.fromisoformat(t).replace(tzinfo=UTC) for t in (began, ended))
        outage = Outage(began_at, ended_at)
        database = await Database.open(self._url)
        await database.write(lambda tx: note_outage(tx, outage))
        await database.close()


def wrong_guesses(play: Play, count: int) -> list[str]:
    rng, guesses = random.Random(5), list[str]()
    while len(guesses) < count:
        guess = Focdle(play.rules.length).draw(rng)
        if guess != play.game.secret and guess not in guesses:
            guesses.append(guess)
    return guesses


@pytest.fixture
async def life(services: Services, clock: FakeClock, database_url: str) -> Life:
    made = Life(services, clock, database_url)
    await made.settle_in()
    return made


def reasons(streak: Streak) -> list[tuple[int, DateEffect]]:
    return [(change.day.day, change.reason) for change in streak.changes]


@pytest.mark.parametrize("guild", [TOKYO, BERLIN, ANGELES])
async def test_the_date_of_a_play_is_the_servers_date(life: Life, guild: int) -> None:
    zone = ZONES[guild]
    life.at("2026-11-17T23:59:59", zone)
    assert (await life.solve(guild)).length == 1
    life.at("2026-11-18T00:00", zone)
    assert (await life.solve(guild)).length == 2
    life.at("2026-11-19T23:59:59", zone)
    streak = await life.solve(guild)
    assert streak.length == streak.best == 3
    assert [change.day.day for change in streak.changes] == [17, 18, 19]


@pytest.mark.parametrize(
    "days",
    [
        ("2026-03-28", "2026-03-29", "2026-03-30"),  # 23 hours long in the middle
        ("2026-10-24", "2026-10-25", "2026-10-26"),  # 25 hours
    ],
)
@pytest.mark.parametrize("clock_time", ["00:00", "02:30", "23:59:59"])
async def test_daylight_saving_does_not_change_a_streak(
    life: Life, days: tuple[str, ...], clock_time: str
) -> None:
    for length, day in enumerate(days, start=1):
        life.at(f"{day}T{clock_time}", "Europe/Berlin")
        assert (await life.solve(BERLIN)).length == length


async def test_the_leap_day_counts_as_a_date(life: Life) -> None:
    streak = await life.solve_days("2028-02-27", 4)
    assert streak.length == 4
    assert streak.changes[2].day == date(2028, 2, 29)


@pytest.mark.parametrize(
    ("finished", "length", "on_date"),
    [("2026-11-19T00:29:59", 2, True), ("2026-11-19T00:30", 1, False)],
)
async def test_a_play_opened_before_midnight_has_half_an_hour_of_grace(
    life: Life, finished: str, length: int, on_date: bool
) -> None:
    await life.solve_days("2026-11-17", 1)
    life.at("2026-11-18T23:59:59")
    play = await life.open()
    life.at(finished)
    streak = await life.finish(play)
    assert streak.length == (length if on_date else 0)
    if not on_date:
        assert streak.changes[-1].reason is DateEffect.ENDED_UNFINISHED


async def test_a_play_opened_after_midnight_counts_as_archived(life: Life) -> None:
    await life.solve_days("2026-11-17", 1)
    life.at("2026-11-19T00:00")
    streak = await life.solve(puzzle="2026-11-18")
    assert streak.length == 1  # the date before is not over until half past
    life.at("2026-11-19T00:30")
    assert (await life.look()).length == 0


async def test_a_lost_puzzle_ends_a_streak_once_its_date_is_over(life: Life) -> None:
    await life.solve_days("2026-11-15", 3)
    life.at("2026-11-18T12:00")
    assert (await life.lose()).length == 3
    life.at("2026-11-19T00:29")
    assert (await life.look()).length == 3
    life.at("2026-11-19T00:30")
    streak = await life.look()
    assert (streak.length, streak.best) == (0, 3)
    assert reasons(streak)[-1] == (18, DateEffect.ENDED_LOST)


@pytest.mark.parametrize(
    ("leaves", "frozen", "ended"),
    [
        (False, DateEffect.FROZEN_UNPLAYED, DateEffect.ENDED_UNPLAYED),
        (True, DateEffect.FROZEN_UNFINISHED, DateEffect.ENDED_UNFINISHED),
    ],
)
async def test_freezes_are_used_first_for_unplayed_and_unfinished_dates(
    life: Life, leaves: bool, frozen: DateEffect, ended: DateEffect
) -> None:
    await life.solve_days("2026-11-02", 7)
    for day in (9, 10):
        life.at(f"2026-11-{day:02}T12:00")
        if leaves:
            await life.leave()
    life.at("2026-11-11T12:00")
    streak = await life.solve()
    assert reasons(streak)[-3:] == [(9, frozen), (10, ended), (11, DateEffect.SOLVED)]
    assert (streak.length, streak.best, streak.freezes) == (1, 7, 0)


async def test_a_player_holds_at_most_two_freezes(life: Life) -> None:
    streak = await life.solve_days("2026-10-01", 28)
    assert (streak.length, streak.freezes) == (28, 2)
    earned = [day for day, reason in reasons(streak) if reason is DateEffect.SOLVED_EARNED]
    assert earned == [7, 14]


@pytest.mark.parametrize(
    ("began", "ended", "excused"),
    [
        ("2026-11-18T23:54:59", "2026-11-19T00:30", True),  # over five minutes before midnight
        ("2026-11-18T23:55", "2026-11-19T03:00", False),  # five minutes of this date
        ("2026-11-18T21:30", "2026-11-18T22:05:01", True),  # over five of the last two hours
        ("2026-11-18T21:30", "2026-11-18T22:05", False),
        ("2026-11-18T08:00", "2026-11-18T09:00:01", True),  # over an hour
        ("2026-11-18T08:00", "2026-11-18T09:00", False),
        ("2026-11-17T23:30", "2026-11-18T01:00:01", True),
    ],
)
async def test_a_date_is_excused_by_over_an_hour_of_outage_or_over_five_minutes_near_its_end(
    life: Life, began: str, ended: str, excused: bool
) -> None:
    await life.solve_days("2026-11-16", 2)
    await life.outage(began, ended)
    life.at("2026-11-19T12:00")
    streak = await life.solve()
    spoiled = streak.changes[2]
    assert spoiled.day == date(2026, 11, 18)
    assert (spoiled.reason is DateEffect.EXCUSED_OUTAGE) == excused
    assert streak.length == (3 if excused else 1)


async def test_short_outages_of_a_date_add_up(life: Life) -> None:
    await life.solve_days("2026-11-16", 2)
    for hour in range(4):
        await life.outage(f"2026-11-18T{hour:02}:00", f"2026-11-18T{hour:02}:15:01")
    life.at("2026-11-19T12:00")
    assert (await life.solve()).length == 3


async def test_an_outage_is_measured_within_the_players_date(life: Life) -> None:
    life.at("2026-11-16T12:00", "Asia/Tokyo")
    await life.solve(TOKYO)
    await life.outage("2026-11-17T14:50", "2026-11-17T15:10")  # 23:50 to 00:10 in Tokyo
    life.at("2026-11-18T12:00", "Asia/Tokyo")
    streak = await life.solve(TOKYO)
    assert reasons(streak)[1] == (17, DateEffect.EXCUSED_OUTAGE)
    assert streak.length == 2


async def test_a_solved_puzzle_counts_even_on_an_excused_date(life: Life) -> None:
    await life.solve_days("2026-11-16", 3)
    await life.outage("2026-11-17T20:00", "2026-11-17T23:00")
    assert (await life.look()).length == 3


async def test_a_date_repeated_by_a_move_to_a_western_zone_counts_once(
    life: Life, services: Services
) -> None:
    await services.preferences.set_zone(ANN, "Pacific/Kiritimati")
    life.at("2026-11-16T12:00", "Pacific/Kiritimati")
    assert (await life.solve()).length == 1
    life.at("2026-11-24T12:00", "Pacific/Kiritimati")
    await life.solve()
    await services.preferences.set_zone(ANN, "Pacific/Pago_Pago")
    life.at("2026-11-24T12:00", "Pacific/Pago_Pago")
    assert (await life.look()).length == 1
    life.at("2026-11-25T12:00", "Pacific/Pago_Pago")
    streak = await life.solve()
    assert [day for day, _ in reasons(streak)][-2:] == [24, 25]
    assert streak.length == 2


async def test_a_date_solved_at_two_lengths_counts_once(life: Life, services: Services) -> None:
    await services.settings.change(NEARBY, length=9)
    life.at("2026-11-18T12:00")
    await life.solve()
    streak = await life.solve(NEARBY)
    assert streak.length == 1


async def test_a_date_lost_at_one_length_and_won_at_another_counts_as_solved(
    life: Life, services: Services
) -> None:
    await services.settings.change(NEARBY, length=9)
    await life.solve_days("2026-11-17", 1)
    life.at("2026-11-18T12:00")
    await life.lose()
    await life.solve(NEARBY)
    life.at("2026-11-19T12:00")
    streak = await life.solve()
    assert streak.length == 3
    assert reasons(streak)[1] == (18, DateEffect.SOLVED)


async def test_an_earlier_date_can_still_be_solved_in_a_zone_further_west(life: Life) -> None:
    life.at("2026-11-18T12:00", "America/Los_Angeles")
    await life.solve(ANGELES)
    life.at("2026-11-20T09:00", "Asia/Tokyo")  # still the 19th in Los Angeles
    streak = await life.solve(TOKYO)
    assert streak.length == 2  # the 19th waits
    streak = await life.solve(ANGELES)
    assert streak.length == 3
    assert reasons(streak) == [(d, DateEffect.SOLVED) for d in (18, 19, 20)]


async def test_a_date_left_unplayed_in_every_zone_ends_the_streak(life: Life) -> None:
    life.at("2026-11-18T12:00", "America/Los_Angeles")
    await life.solve(ANGELES)
    life.at("2026-11-20T09:00", "Asia/Tokyo")
    assert (await life.solve(TOKYO)).length == 2
    life.at("2026-11-20T00:30", "America/Los_Angeles")
    streak = await life.look(TOKYO)
    assert (streak.length, streak.best) == (1, 1)
    assert reasons(streak)[1] == (19, DateEffect.ENDED_UNPLAYED)


async def test_a_puzzle_opened_from_the_archive_stays_archived_where_its_date_is_today(
    life: Life,
) -> None:
    life.at("2026-11-20T09:00", "Asia/Tokyo")
    play = await life.open(TOKYO, "2026-11-19")
    again = await life.open(ANGELES, "2026-11-19")  # where it is today
    assert again.id == play.id
    streak = await life.finish(again)
    assert streak.length == 0  # it keeps the zone it was opened with
    assert (await life.solve(TOKYO)).length == 1


async def test_a_puzzle_opened_in_time_counts_wherever_it_is_finished(life: Life) -> None:
    life.at("2026-11-19T16:00", "America/Los_Angeles")  # the 20th in Tokyo
    play = await life.open(ANGELES)
    again = await life.open(TOKYO, "2026-11-19")
    assert again.id == play.id
    assert (await life.finish(again)).length == 1


async def test_a_servers_zone_that_takes_effect_at_once_excuses_no_date(
    life: Life, services: Services
) -> None:
    await life.solve_days("2026-11-16", 2)
    life.at("2026-11-18T12:00")
    await life.lose()
    life.at("2026-11-18T18:00")  # the 19th in Tokyo
    await services.settings.change(NEARBY, zone="Asia/Tokyo")
    life.at("2026-11-19T12:00")
    streak = await life.solve(NEARBY)
    assert reasons(streak)[2] == (18, DateEffect.ENDED_LOST)
    assert streak.length == 1


async def test_a_change_of_zone_in_another_server_excuses_no_date(
    life: Life, services: Services
) -> None:
    await services.preferences.set_zone(ANN, "Pacific/Pago_Pago")
    life.at("2026-11-15T12:00", "Pacific/Pago_Pago")
    await life.solve()
    life.at("2026-11-16T12:00")
    await life.solve(NEARBY)
    await services.preferences.set_zone(ANN, "Pacific/Kiritimati")  # skips the 16th or 17th
    skipped = (await services.preferences.view(ANN)).next_zone
    assert skipped is not None
    life.at("2026-11-18T12:00")
    streak = await life.solve(NEARBY)
    assert DateEffect.EXCUSED_ZONE not in [reason for _, reason in reasons(streak)]


async def test_a_date_no_longer_counts_as_missed_once_it_is_opened_in_a_zone_where_it_is_today(
    life: Life, database_url: str
) -> None:
    life.at("2026-11-18T12:00", "Asia/Tokyo")
    await life.solve(TOKYO)
    life.at("2026-11-20T01:00", "Asia/Tokyo")
    assert (await life.look(TOKYO)).length == 0
    await life.open(ANGELES)  # where the 19th is still today
    streak = await life.look()
    assert streak.length == 1
    database = await Database.open(database_url)
    rows = await database.write(lambda tx: streaks_store.get_changes(tx, ANN))
    await database.close()
    assert [row.day.day for row in rows] == [18]
