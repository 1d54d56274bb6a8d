"""What is over at home does not count there, however late it still is elsewhere."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.clock import PuzzleName
from bot.leaderboards.boards import Board, BoardGame, Period
from bot.people.model import ZoneChange
from bot.people.zones import DEFAULT_ZONE, first_end
from tests.support.duels import ANN, BEN
from tests.support.effort import examples
from tests.support.town import Town

HOME, ABROAD = 100, 200
WEST, EAST = "Etc/GMT+12", "Pacific/Kiritimati"
YESTERDAY = Board(BoardGame.FOCDLE, Period.DAY, previous=True, guild_id=HOME)
NUMBER = 324
"""The puzzle of 20 November 2026."""


async def boards_at_home(town: Town) -> dict[str, list[int]]:
    """Who is on the boards of dailies at home, this period's and the one before."""
    return {
        board.encode(): [row.player_id for row in await town.rows(board)]
        for period in Period
        for previous in ((False,) if period is Period.ALL else (False, True))
        for board in [Board(BoardGame.FOCDLE, period, previous, guild_id=HOME)]
    }


async def test_a_play_in_a_zone_further_west_does_not_count_in_a_server_whose_date_has_ended(
    town: Town,
) -> None:
    await town.join(ANN, HOME)
    await town.join(BEN, HOME)
    await town.services.preferences.set_zone(BEN, WEST)
    honest = await town.play(ANN, HOME, 4)
    town.at("2026-11-21T10:00")  # closed ten hours ago, its answer known to everybody
    before = await boards_at_home(town)
    late = await town.play(BEN, None, 1)
    assert (late.puzzle, late.on_date, late.points) == (honest.puzzle, True, 6)
    assert late.ending.closed_in == (HOME,)
    assert (await town.services.daily.view(BEN, late.id)).ending.closed_in == (HOME,)
    assert await boards_at_home(town) == before
    assert before[YESTERDAY.encode()] == [ANN]
    # What is worked out anew is the same...
    await town.services.standings.members.gone(HOME, BEN)
    await town.join(BEN, HOME)
    await town.settle()
    assert await boards_at_home(town) == before
    # ... and what is not the server's follows the place of play.
    assert late.ending.streak is not None
    assert late.ending.streak.length == 1


@pytest.mark.parametrize(
    ("opened", "finished", "counts"),
    [
        ("2026-11-20T23:59", "2026-11-21T00:29", True),
        ("2026-11-20T23:59", "2026-11-21T00:30", False),
        ("2026-11-21T00:00", "2026-11-21T00:01", False),
        ("2026-11-20T01:00", "2026-11-20T01:00", True),
    ],
)
async def test_a_daily_opened_before_a_servers_date_ends_counts_there_for_half_an_hour_more(
    town: Town, opened: str, finished: str, *, counts: bool
) -> None:
    await town.join(ANN, HOME, ABROAD)
    await town.services.settings.change(ABROAD, zone=WEST)
    town.at(opened)
    play = await town.open(ANN, ABROAD, str(NUMBER))
    town.at(finished)
    play = await town.finish(play, 3)
    all_time = Board(BoardGame.FOCDLE, guild_id=HOME)
    assert [row.player_id for row in await town.rows(all_time)] == [ANN] * counts
    assert play.ending.closed_in == (() if counts else (HOME,))


async def test_a_daily_played_in_a_server_further_east_counts_in_the_players_other_server(
    town: Town,
) -> None:
    await town.join(ANN, HOME, ABROAD)
    await town.services.settings.change(ABROAD, zone=EAST)
    play = await town.play(ANN, ABROAD, 3)
    assert play.puzzle == PuzzleName(NUMBER + 1, 10)
    assert play.ending.closed_in == ()
    town.at("2026-11-22T12:00")
    assert [row.player_id for row in await town.rows(YESTERDAY)] == [ANN]


async def test_a_server_that_changes_to_a_zone_further_west_reopens_no_date(town: Town) -> None:
    await town.join(ANN, HOME)
    await town.join(BEN, HOME)
    await town.play(ANN, HOME, 4)
    await town.services.settings.change(HOME, zone=WEST)
    town.at("2026-11-21T06:00")
    late = await town.play(BEN, HOME, 1)  # it is still the 20th here, once more
    assert late.puzzle == PuzzleName(NUMBER, 10)
    assert late.on_date
    assert late.ending.closed_in == (HOME,)
    day = Board(BoardGame.FOCDLE, Period.DAY, guild_id=HOME)
    assert [row.player_id for row in await town.rows(day)] == [ANN]


async def test_the_first_choice_of_a_zone_closes_no_date(town: Town) -> None:
    town.at("2026-11-21T03:00")  # the evening of the 20th in Los Angeles
    await town.join(ANN, HOME)
    await town.services.preferences.set_zone(ANN, "America/Los_Angeles")
    early = await town.play(ANN, None, 3)
    assert early.puzzle == PuzzleName(NUMBER, 10)
    assert early.ending.closed_in == (HOME,)
    await town.services.settings.change(HOME, zone="America/Los_Angeles")
    await town.settle()
    today = Board(BoardGame.FOCDLE, Period.DAY, guild_id=HOME)
    assert [row.player_id for row in await town.rows(today)] == [ANN]
    await town.join(BEN, HOME)
    assert (await town.play(BEN, HOME, 3)).ending.closed_in == ()
    assert [row.player_id for row in await town.rows(today)] == [ANN, BEN]


async def test_a_player_who_finished_after_the_date_may_join_the_finishers_thread(
    town: Town,
) -> None:
    await town.services.settings.change(HOME, channel_id=9)
    await town.services.posts.choices.set_finishers_threads(HOME, on=True)
    await town.join(ANN, HOME)
    await town.services.preferences.set_zone(ANN, WEST)
    town.at("2026-11-21T10:00")
    late = await town.play(ANN, None, 1)
    assert late.ending.closed_in == (HOME,)
    await town.services.posts.threads.join(ANN, HOME, NUMBER)
    work = await town.services.posts.threads.claim(HOME, DAY)
    assert work is not None
    assert work.player_ids == (ANN,)


async def test_an_ending_tells_no_closed_date_to_a_hidden_player_or_where_another_length_counts(
    town: Town,
) -> None:
    await town.join(ANN, HOME)
    for player in (ANN, BEN):
        await town.services.preferences.set_zone(player, WEST)
    await town.services.preferences.set_hidden(ANN, on=True)
    await town.services.settings.change(ABROAD, length=9)
    town.at("2026-11-21T10:00")
    await town.join(BEN, ABROAD)  # where another length counts
    plays = [await town.play(player, None, 1) for player in (ANN, BEN)]
    assert [play.ending.closed_in for play in plays] == [(), ()]


# When a date ends for the first time.

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
DAY = date(2026, 11, 20)
zones = st.sampled_from([WEST, "America/Los_Angeles", "UTC", "Asia/Kathmandu", "Asia/Tokyo", EAST])


def at_next_midnight(zone: str, then: str, set_at: datetime) -> ZoneChange:
    local = set_at.astimezone(ZoneInfo(zone))
    midnight = datetime.combine(local.date() + timedelta(days=1), datetime.min.time(), local.tzinfo)
    return ZoneChange(then, midnight.astimezone(UTC), set_at)


@examples(50, 1000)
@given(st.lists(st.tuples(zones, st.integers(0, 60), st.booleans()), max_size=5), st.booleans())
def test_a_date_ends_when_the_clock_of_its_zone_first_shows_a_later_date(
    changes: list[tuple[str, int, bool]], is_first_at_once: bool
) -> None:
    now, zone, rows = NOON - timedelta(days=3), DEFAULT_ZONE, list[ZoneChange]()
    for then, hours, at_once in changes:
        now += timedelta(hours=hours)
        if rows and rows[-1].effective_at >= now:
            continue  # one at a time, and one at an instant
        is_at_once = at_once if rows else is_first_at_once
        rows.append(ZoneChange(then, now, now) if is_at_once else at_next_midnight(zone, then, now))
        zone = then

    def date_just_before(instant: datetime) -> date:
        """What the clocks come to show at an instant, unless they are changed in it."""
        held = [row.zone for row in rows if row.effective_at < instant]
        first = rows[0].zone if rows and is_first_at_once else DEFAULT_ZONE
        return instant.astimezone(ZoneInfo([first, *held][-1])).date()

    ended = first_end(rows, DAY)
    minutes = (NOON + timedelta(minutes=15 * n) for n in range(-4 * 72, 4 * 72))
    moments = sorted([*minutes, *(row.effective_at + timedelta(seconds=1) for row in rows)])
    found = next(moment for moment in moments if date_just_before(moment) > DAY)
    assert abs(found - ended) <= timedelta(seconds=1)
