"""How often a zone may change, whom that excuses, and what those who try gain."""

from contextlib import suppress
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.effects import DateEffect
from bot.leaderboards.boards import Board, BoardGame, Period
from bot.posts.model import ServerZoneTooSoonError
from tests.support.duels import ANN, BEN
from tests.support.effort import either
from tests.support.sql import sql
from tests.support.town import Town

HERE, THERE = 100, 200
WEST, EAST = "Etc/GMT+12", "Pacific/Kiritimati"
"""UTC−12 and UTC+14: whoever goes from the one to the other misses a whole date."""

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
async def town(town: Town) -> Town:
    town.at("2026-03-01T12:00")
    return town


async def choose(town: Town, zone: str, guild: int = HERE) -> datetime:
    """Choose a server's zone; when it takes hold."""
    settings = await town.services.settings.change(guild, zone=zone)
    return settings.next_zone[1] if settings.next_zone else town.clock.now()


async def again_at(town: Town, zone: str) -> datetime:
    """When a server's zone can be changed again, which it cannot be now."""
    with pytest.raises(ServerZoneTooSoonError) as refused:
        await choose(town, zone)
    assert (await town.services.settings.view(HERE)).zone_again_at == refused.value.again_at
    return refused.value.again_at


async def solve_days(town: Town, first: str, days: int, zone: str, guild: int = HERE) -> None:
    """Solve on so many days in a row, at noon in a zone."""
    for n in range(days):
        town.at(f"{date.fromisoformat(first) + n * DAY}T12:00", zone)
        await town.play(ANN, guild)


async def streak(town: Town) -> tuple[int, dict[str, DateEffect]]:
    """How long Ann's streak is now, and what every date did to it."""
    length = (await town.services.statistics.of(ANN, viewer_id=ANN)).streak.length
    rows = sql(town.folder, "SELECT day, reason FROM streak_changes ORDER BY day")
    return length, {day: DateEffect(reason) for day, reason in rows}


# How often.


async def test_a_servers_zone_changes_freely_until_a_daily_is_finished(town: Town) -> None:
    for zone in (WEST, EAST, "Asia/Tokyo"):
        assert await choose(town, zone) == town.clock.now()
    play = await town.open(ANN, HERE)
    for zone in (WEST, EAST):
        town.clock.set(await choose(town, zone))
    await town.finish(play, 3)
    assert (await town.services.settings.view(HERE)).correctable_until is not None


async def test_the_first_choice_of_a_servers_zone_is_free_and_can_be_corrected_once(
    town: Town,
) -> None:
    await town.play(ANN, HERE)
    took_hold = await choose(town, "Europe/Berlin")
    town.clock.set(took_hold + 47 * HOUR)
    view = await town.services.settings.view(HERE)
    assert (view.zone_again_at, view.correctable_until) == (None, took_hold + 48 * HOUR)
    took_hold = await choose(town, "Europe/Athens")
    town.clock.set(took_hold)
    assert await again_at(town, "Europe/Berlin") == took_hold + 7 * DAY
    town.clock.set(took_hold + 7 * DAY)
    await choose(town, "Europe/Berlin")


async def test_a_zone_can_be_corrected_within_two_days_after_it_took_effect(town: Town) -> None:
    await town.play(ANN, HERE)
    took_hold = await choose(town, "Europe/Berlin")
    town.clock.set(took_hold + 48 * HOUR)
    assert await again_at(town, "Europe/Athens") == took_hold + 7 * DAY


async def test_a_zone_not_yet_in_effect_can_be_changed_and_cancelled_freely(town: Town) -> None:
    await choose(town, "Europe/Berlin")
    await town.play(ANN, HERE)
    town.clock.advance(days=10)
    for zone in (EAST, WEST, "Asia/Tokyo"):
        await choose(town, zone)
        town.clock.advance(minutes=1)
    await choose(town, "Europe/Berlin")
    view = await town.services.settings.view(HERE)
    assert (view.zone, view.next_zone, view.zone_again_at) == ("Europe/Berlin", None, None)
    town.clock.set(await choose(town, EAST))
    assert (await town.services.settings.view(HERE)).zone == EAST
    await choose(town, WEST)  # which corrects it
    await choose(town, "Asia/Tokyo")  # as does this
    rows = sql(town.folder, "SELECT zone, is_correction FROM zones ORDER BY effective_at")
    assert rows == [("Europe/Berlin", 0), (EAST, 0), ("Asia/Tokyo", 1)]


@pytest.mark.parametrize(("zone", "hours"), [("Asia/Tokyo", 0), (WEST, 21), ("Europe/Berlin", 8)])
async def test_a_corrected_zone_takes_effect_when_it_repeats_no_date(
    town: Town, zone: str, hours: int
) -> None:
    await choose(town, "Asia/Seoul")
    await town.play(ANN, HERE)
    midnight = datetime(2026, 3, 1, 15, tzinfo=UTC)
    assert await choose(town, zone) == midnight + hours * HOUR
    town.clock.set(midnight)
    assert (await town.open(BEN, HERE)).puzzle is not None
    seen = {(await town.open(BEN, HERE)).puzzle}
    for _ in range(30):
        town.clock.advance(hours=1)
        seen.add((await town.open(BEN, HERE)).puzzle)
    days = sorted(puzzle.day for puzzle in seen if puzzle is not None)
    assert days[0] == date(2026, 3, 2)


async def test_a_date_that_a_corrected_server_zone_repeats_stays_closed(town: Town) -> None:
    await choose(town, "Asia/Tokyo")
    for player in (ANN, BEN):
        await town.join(player, HERE)
    await town.play(ANN, HERE, 4)
    board = Board.of(BoardGame.FOCDLE, Period.DAY, previous=True, guild_id=HERE)
    await choose(town, WEST)
    town.at("2026-03-02T01:00", "Asia/Tokyo")
    before = await town.rows(board)
    assert [row.player_id for row in before] == [ANN]
    for hours in range(24):
        town.at("2026-03-02T01:00", "Asia/Tokyo")
        town.clock.advance(hours=hours)
        play = await town.open(BEN, HERE)
        assert play.puzzle is not None
        assert play.puzzle.day > date(2026, 3, 1)
    assert not (await town.play(BEN, HERE, 1, puzzle="2026-03-01")).on_date


# Whom a change excuses.


async def skipped(town: Town) -> tuple[int, dict[str, DateEffect]]:
    """Ann's streak after a change of zone that skips March 10."""
    town.at("2026-03-09T20:00", WEST)
    assert await choose(town, EAST) == datetime(2026, 3, 10, 12, tzinfo=UTC)
    town.at("2026-03-11T12:00", EAST)
    await town.play(ANN, HERE)
    town.at("2026-03-12T12:00", EAST)
    return await streak(town)


@pytest.fixture
async def west(town: Town) -> Town:
    """Ann has played in the west for four days."""
    await choose(town, WEST)
    await solve_days(town, "2026-03-06", 4, WEST)
    return town


async def test_a_date_skipped_by_a_change_of_zone_is_excused_for_players_of_that_server(
    west: Town,
) -> None:
    length, reasons = await skipped(west)
    assert reasons["2026-03-10"] is DateEffect.EXCUSED_ZONE
    assert length == 5


async def test_a_skipped_date_is_not_excused_when_its_daily_was_opened_in_another_server(
    west: Town,
) -> None:
    west.at("2026-03-10T01:00", "UTC")  # the 9th in the west
    await west.open(ANN, THERE)
    west.at("2026-03-09T19:00", WEST)
    await west.open(ANN, HERE, "/9")
    _, reasons = await skipped(west)
    assert reasons["2026-03-10"] is DateEffect.ENDED_UNPLAYED


async def test_a_player_who_later_opens_a_skipped_date_in_the_archive_is_still_excused(
    west: Town,
) -> None:
    await skipped(west)
    await west.open(ANN, HERE, "2026-03-10")
    west.at("2026-03-12T13:00", EAST)
    assert (await streak(west))[1]["2026-03-10"] is DateEffect.EXCUSED_ZONE


async def test_a_change_of_zone_excuses_no_player_who_came_from_elsewhere_after_it_was_chosen(
    west: Town,
) -> None:
    west.at("2026-03-09T19:00", WEST)
    await west.open(ANN, THERE, "2026-03-05/9")
    west.at("2026-03-09T20:00", WEST)
    await choose(west, EAST)
    west.at("2026-03-09T21:00", WEST)
    await west.open(ANN, HERE, "/11")
    west.at("2026-03-11T12:00", EAST)
    await west.play(ANN, HERE)
    west.at("2026-03-12T12:00", EAST)
    assert (await streak(west))[1]["2026-03-10"] is DateEffect.ENDED_UNPLAYED


async def test_a_date_skipped_by_correcting_a_servers_zone_is_not_excused(town: Town) -> None:
    await solve_days(town, "2026-03-01", 3, "UTC")
    town.clock.set(await choose(town, WEST))  # the first choice
    town.at("2026-03-04T12:00", WEST)
    await town.play(ANN, HERE)
    assert await choose(town, EAST) == datetime(2026, 3, 5, 12, tzinfo=UTC)
    town.at("2026-03-06T12:00", EAST)
    await town.play(ANN, HERE)
    town.at("2026-03-07T12:00", EAST)
    assert (await streak(town))[1]["2026-03-05"] is DateEffect.ENDED_UNPLAYED


async def test_a_player_gets_one_excused_date_in_thirty_days(town: Town) -> None:
    await town.services.preferences.set_zone(ANN, WEST)
    town.at("2026-03-03T12:00", WEST)
    for _ in range(4):  # fourteen days apart
        for day in range(7):
            await town.play(ANN, None)
            town.clock.advance(days=day < 6)
        await town.services.preferences.set_zone(ANN, EAST)
        town.clock.advance(days=1)  # the next noon there, but two dates later
        for day in range(7):
            await town.play(ANN, None)
            town.clock.advance(days=day < 6)
        await town.services.preferences.set_zone(ANN, WEST)
        town.clock.advance(days=1)
    solves = {DateEffect.SOLVED, DateEffect.SOLVED_EARNED}
    missed = [reason for reason in (await streak(town))[1].values() if reason not in solves]
    assert missed == [
        DateEffect.EXCUSED_ZONE,
        DateEffect.FROZEN_UNPLAYED,
        DateEffect.FROZEN_UNPLAYED,
        DateEffect.EXCUSED_ZONE,
    ]


# Attacks.


@pytest.mark.long
@pytest.mark.parametrize("is_finished", [True, False])
async def test_changing_the_zone_again_and_again_does_not_keep_a_streak_alive(
    town: Town, *, is_finished: bool
) -> None:
    await choose(town, WEST)
    await solve_days(town, "2026-03-02", 10, WEST, HERE if is_finished else THERE)
    if not is_finished:  # so the server's zone changes at will
        await town.open(ANN, HERE, "/9")
    assert (await streak(town))[0] == 10
    for hours in range(0, either(35, 60) * 24, 12):
        with suppress(ServerZoneTooSoonError):
            zone = (await town.services.settings.view(HERE)).zone
            await choose(town, EAST if zone == WEST else WEST)
        town.clock.set(datetime(2026, 3, 12, 10, tzinfo=UTC) + hours * HOUR)
        await town.settle()
    length, reasons = await streak(town)
    assert length == 0
    assert [*reasons.values()].count(DateEffect.EXCUSED_ZONE) <= 1


async def test_changing_the_zone_after_a_loss_does_not_save_the_streak(west: Town) -> None:
    west.at("2026-03-10T01:00", "UTC")  # the 9th in the west
    await west.play(ANN, THERE, solved=False)
    await west.open(ANN, HERE, "/9")
    length, reasons = await skipped(west)
    assert reasons["2026-03-10"] is DateEffect.ENDED_LOST
    assert length == 1
