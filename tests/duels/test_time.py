"""Deadlines of duels: by a read, by a sweep, and with the bot's own absence given back."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.duels.model import DuelOverError, Ending, NowPassedError, Pace, State
from bot.duels.position import running, seats_of_numbers
from bot.outages import Downtime, Outage
from bot.services import Services, open_services
from tests.support.clock import NOON, FakeClock
from tests.support.duels import (
    ANN,
    BEN,
    CAT,
    DAY,
    EQUAL,
    NOW,
    RACE,
    RELAXED,
    SECRETS,
    Chosen,
    accepted,
    against_bot,
    ids,
    invited,
    number_of,
    playing,
    take,
    wrong,
)
from tests.support.sql import sql

TICK = timedelta(microseconds=1)
SECOND = timedelta(seconds=1)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


async def test_a_challenge_waits_for_the_opponent_whoever_moves_first(services: Services) -> None:
    duel = (await invited(services)).duel
    for seats in (duel.seats, duel.seats[::-1]):
        seated = replace(duel, seats=seats)
        own, other = seated.seat_of(ANN), seated.seat_of(BEN)
        assert list(running(seated)) == [other]
        assert seats_of_numbers(seated) == (own, other)


@pytest.mark.parametrize(
    ("options", "setting", "turn"),
    [(EQUAL, 10 * MINUTE, 2 * MINUTE), (RELAXED, 24 * HOUR, 24 * HOUR)],
)
async def test_challenges_and_turns_last_as_long_as_their_pace_allows(
    services: Services,
    clock: FakeClock,
    options: Chosen,
    setting: timedelta,
    turn: timedelta,
) -> None:
    play = services.duels.playing
    game = await invited(services, options)
    challenged = game.duel.seat_of(BEN) or 0
    assert game.deadline_at == game.seats[challenged].deadline_at == NOON + 24 * HOUR
    assert game.seats[1 - challenged].deadline_at is None
    clock.set(NOON + 15 * MINUTE - TICK)
    game = await take(services, game, options.pace)
    assert game.deadline_at == game.seats[challenged].deadline_at == clock.now() + setting
    clock.advance(seconds=30)
    game = await play.set_secret(BEN, game.duel.id, SECRETS[BEN])
    if options.pace is Pace.LIVE:
        assert game.deadline_at == game.seats[1 - challenged].deadline_at == clock.now() + setting
        clock.advance(seconds=30)
        game = await play.start(ANN, game.duel.id)
    assert [seat.deadline_at for seat in game.seats] == [clock.now() + turn, None]
    first, second = ids(game)
    clock.advance(seconds=30)
    game = await play.offer_draw(second, game.duel.id)
    assert game.deadline_at == clock.now() - timedelta(seconds=30) + turn
    game = await play.guess(first, game.duel.id, wrong(0))
    assert [seat.deadline_at for seat in game.seats] == [None, clock.now() + turn]
    clock.advance(seconds=turn.total_seconds())
    game = await play.view(first, game.duel.id)
    assert (game.duel.ending, game.duel.winner) == (Ending.TIMED_OUT, 0)
    assert game.duel.finished_at == clock.now()
    assert game.seats[1].change is not None


async def test_a_challenge_can_be_accepted_at_the_live_pace_for_a_quarter_of_an_hour(
    services: Services, clock: FakeClock
) -> None:
    inviting, games = services.duels.inviting, services.duels.games
    game = await invited(services)
    assert game.now_until == NOON + 15 * MINUTE
    clock.set(NOON + 15 * MINUTE)
    with pytest.raises(NowPassedError) as passed:
        await inviting.accept(BEN, game.duel.id, *NOW)
    assert passed.value.view.now_until is None
    assert await games.sweep() == []
    (shown,) = await games.open_of(BEN)  # and is shown anew without that button
    assert (shown.duel.version, shown.deadline_at) == (game.duel.version + 1, NOON + 24 * HOUR)
    assert await games.sweep() == []
    assert (await inviting.accept(BEN, game.duel.id, *DAY)).duel.state is State.SETTING


async def test_an_outage_prolongs_the_quarter_of_an_hour_for_accepting_at_the_live_pace(
    services: Services, clock: FakeClock
) -> None:
    game = await invited(services)
    await services.heartbeat.beat()
    clock.advance(hours=2)
    await services.heartbeat.beat()
    assert await services.duels.games.sweep() == []
    (found,) = await services.duels.games.open_of(BEN)
    assert found.now_until == NOON + 2 * HOUR + 15 * MINUTE
    clock.advance(minutes=14)
    assert (await take(services, game)).duel.pace is Pace.LIVE


async def test_a_duel_not_begun_in_time_lapses_unrated(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    challenge, setting, race = [
        await invited(services),
        await accepted(services),
        await accepted(services, RACE),
    ]
    clock.set(NOON + 2 * MINUTE)
    with pytest.raises(DuelOverError) as not_started:
        await services.duels.playing.start(ANN, race.duel.id)
    clock.set(NOON + 10 * MINUTE)
    with pytest.raises(DuelOverError) as late:
        await services.duels.playing.set_secret(BEN, setting.duel.id, SECRETS[BEN])
    clock.set(NOON + 24 * HOUR)
    with pytest.raises(DuelOverError) as lapsed:
        await services.duels.inviting.accept(BEN, challenge.duel.id, *NOW)
    games = [error.value.view for error in (late, not_started, lapsed)]
    assert [(game.duel.ending, game.duel.winner) for game in games] == [(Ending.LAPSED, None)] * 3
    assert [[seat.target is None for seat in game.seats] for game in games] == [
        [True, True],
        [False, False],
        [True, True],
    ]
    assert sql(tmp_path, "SELECT * FROM rating_changes") == []


async def test_each_player_of_a_race_has_their_own_deadline(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    play = services.duels.playing
    game = await accepted(services, RACE)
    number = number_of(tmp_path, game.duel.id)
    ann, ben = game.duel.seat_of(ANN) or 0, game.duel.seat_of(BEN) or 0
    assert {seat.deadline_at for seat in game.seats} == {NOON + 2 * MINUTE}
    clock.set(NOON + MINUTE)
    await play.start(ANN, game.duel.id)
    clock.set(NOON + 1.5 * MINUTE)
    await play.start(BEN, game.duel.id)
    clock.set(NOON + 2.5 * MINUTE)
    game = await play.guess(ANN, game.duel.id, wrong(0, number))
    assert game.seats[ann].deadline_at == NOON + 4.5 * MINUTE
    assert game.seats[ben].deadline_at == game.deadline_at == NOON + 3.5 * MINUTE
    game = await play.guess(ANN, game.duel.id, number)
    assert game.seats[ann].deadline_at is None
    clock.set(NOON + HOUR)
    game = await play.view(ANN, game.duel.id)
    assert (game.duel.ending, game.duel.winner) == (Ending.TIMED_OUT, ann)
    assert game.duel.finished_at == NOON + 3.5 * MINUTE


async def test_a_player_who_never_starts_a_race_loses(services: Services, clock: FakeClock) -> None:
    game = await accepted(services, RACE)
    clock.advance(minutes=1)
    await services.duels.playing.start(BEN, game.duel.id)
    clock.advance(minutes=5)
    (game,) = await services.duels.games.sweep()
    assert (game.duel.ending, game.duel.winner) == (Ending.TIMED_OUT, game.duel.seat_of(BEN))
    assert game.duel.finished_at == NOON + 2 * MINUTE


async def test_a_race_is_a_draw_when_both_players_miss_the_deadline(
    services: Services, clock: FakeClock
) -> None:
    game = await playing(services, RACE)
    clock.advance(minutes=2)
    game = await services.duels.playing.view(BEN, game.duel.id)
    assert (game.duel.ending, game.duel.winner) == (Ending.TIMED_OUT, None)
    assert game.seats[0].change is not None


async def test_a_sweep_ends_each_overdue_duel_once(
    services: Services, clock: FakeClock, database_url: str, tmp_path: Path
) -> None:
    opened = [
        await invited(services),
        await playing(services),
        await playing(services, by=ANN, to=CAT),
        await playing(services, RELAXED, by=BEN, to=CAT),
    ]
    sql(tmp_path, f"UPDATE duels SET terms = NULL, pace = 'live' WHERE id = {opened[0].duel.id}")
    clock.set(NOON + 15 * MINUTE)
    async with open_services(database_url, clock) as other:
        both = await asyncio.gather(services.duels.games.sweep(), other.duels.games.sweep())
    assert sorted(game.duel.id for swept in both for game in swept) == [
        o.duel.id for o in opened[:3]
    ]
    assert {game.duel.ending for swept in both for game in swept} == {
        Ending.LAPSED,
        Ending.TIMED_OUT,
    }
    assert len(sql(tmp_path, "SELECT * FROM rating_changes")) == 4
    assert (await services.duels.playing.view(BEN, opened[3].duel.id)).duel.state is State.PLAYING


async def test_an_unreadable_duel_delays_no_other_and_its_traceback_is_logged_once(
    services: Services, clock: FakeClock, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    broken, sound = await playing(services), await playing(services, by=ANN, to=CAT)
    sql(tmp_path, f"UPDATE duels SET mode = 'of tomorrow' WHERE id = {broken.duel.id}")
    clock.advance(minutes=2)
    assert [game.duel.id for game in await services.duels.games.sweep()] == [sound.duel.id]
    for _ in range(2):
        assert await services.duels.games.sweep() == []
    complaints = [record for record in caplog.records if "deadline of duel" in record.message]
    assert [record.exc_info is not None for record in complaints] == [True, False]
    assert complaints[0].message == f"deadline of duel {broken.duel.id}: failed this time"


async def test_hours_of_an_outage_are_added_to_deadlines(
    services: Services, clock: FakeClock, database_url: str
) -> None:
    await services.heartbeat.beat()
    game = await playing(services, RELAXED)
    first, second = ids(game)
    clock.advance(minutes=1)
    await services.heartbeat.beat()
    clock.advance(hours=30)  # down, and nobody has noted it yet
    async with open_services(database_url, clock) as restarted:
        play, sweep = restarted.duels.playing, restarted.duels.games.sweep
        assert await sweep() == []
        game = await play.view(first, game.duel.id)
        assert game.deadline_at == NOON + 54 * HOUR
        await restarted.heartbeat.beat()
        for _ in range(3):
            clock.advance(seconds=60)
            await restarted.heartbeat.beat()
        assert (await play.view(CAT, game.duel.id)).deadline_at == NOON + 54 * HOUR
        game = await play.guess(first, game.duel.id, wrong(0))
        # What was before a turn began is not given back twice.
        assert game.seats[1].deadline_at == clock.now() + 24 * HOUR
        clock.advance(hours=10)
        await restarted.heartbeat.beat()
        assert [g.duel.id for g in await restarted.duels.games.open_of(second)] == [game.duel.id]


@pytest.mark.parametrize("ending", ["stopped", "killed after a beat", "killed after a move"])
async def test_the_time_of_a_short_restart_is_added_to_deadlines_once(
    clock: FakeClock, database_url: str, ending: str
) -> None:
    async with AsyncExitStack() as still_open:
        opened = open_services(database_url, clock)
        services = await still_open.enter_async_context(opened)
        await services.heartbeat.beat()
        game = await playing(services, EQUAL)
        first, second = ids(game)
        clock.advance(seconds=20)
        if ending == "killed after a beat":
            await services.heartbeat.beat()
        if ending == "killed after a move":
            game = await services.duels.playing.guess(first, game.duel.id, wrong(0))
            first, second = second, first
        due = game.deadline_at
        assert due is not None
        if ending == "stopped":
            clock.advance(seconds=15)
            await services.close()
        clock.advance(seconds=30)  # nobody can play
        async with open_services(database_url, clock) as restarted:
            view = restarted.duels.playing.view
            assert (await view(first, game.duel.id)).deadline_at == due + 30 * SECOND
            clock.advance(seconds=15)  # not connected yet
            for _ in range(2):
                await restarted.heartbeat.beat()
                assert (await view(first, game.duel.id)).deadline_at == due + 45 * SECOND
            clock.set(due)
            await restarted.heartbeat.beat()
            clock.set(due + 45 * SECOND - TICK)
            assert await restarted.duels.games.sweep() == []
            clock.set(due + 45 * SECOND)
            (swept,) = await restarted.duels.games.sweep()
            assert (swept.duel.ending, swept.duel.finished_at) == (Ending.TIMED_OUT, clock.now())
            assert swept.duel.winner == swept.duel.seat_of(second)


async def test_the_time_of_a_short_disconnection_is_added_to_deadlines(
    services: Services, clock: FakeClock
) -> None:
    await services.heartbeat.beat()
    await playing(services, EQUAL)
    clock.advance(seconds=20)
    for _ in range(2):  # it is told of every attempt to connect again
        await services.heartbeat.pause()
        clock.advance(seconds=10)
    await services.heartbeat.beat()
    (game,) = await services.duels.games.open_of(ANN)
    assert game.deadline_at == NOON + 2 * MINUTE + 20 * SECOND


async def test_stopping_a_disconnected_bot_does_not_shorten_its_outage(
    clock: FakeClock, database_url: str
) -> None:
    async with open_services(database_url, clock) as services:
        await services.heartbeat.beat()
        game = await playing(services, EQUAL)
        clock.advance(minutes=10)  # no beats: Discord cannot be heard
    clock.advance(seconds=5)
    async with open_services(database_url, clock) as restarted:
        await restarted.heartbeat.beat()
        game = await restarted.duels.playing.view(ANN, game.duel.id)
        assert game.deadline_at == NOON + 12 * MINUTE + 5 * SECOND


async def test_a_process_killed_before_its_first_heartbeat_hides_no_outage(
    clock: FakeClock, database_url: str
) -> None:
    async with open_services(database_url, clock) as services:
        await services.heartbeat.beat()
        game = await playing(services, EQUAL)
    async with AsyncExitStack() as killed:
        for _ in range(2):
            clock.advance(seconds=20)
            await killed.enter_async_context(open_services(database_url, clock))
        clock.advance(seconds=20)
        async with open_services(database_url, clock) as restarted:
            await restarted.heartbeat.beat()
            game = await restarted.duels.playing.view(ANN, game.duel.id)
            assert game.deadline_at == NOON + 3 * MINUTE


async def test_the_time_of_a_race_stops_at_the_last_move_before_the_bot_is_killed(
    services: Services, clock: FakeClock, database_url: str, tmp_path: Path
) -> None:
    await services.heartbeat.beat()
    game = await accepted(services, RACE)
    number = number_of(tmp_path, game.duel.id)
    for player in (ANN, BEN):
        await services.duels.playing.start(player, game.duel.id)
    clock.advance(seconds=40)
    await services.duels.playing.guess(ANN, game.duel.id, number)
    clock.advance(seconds=20)  # killed somewhere here
    async with open_services(database_url, clock) as restarted:
        await restarted.heartbeat.beat()
        clock.advance(seconds=1)
        game = await restarted.duels.playing.guess(BEN, game.duel.id, number)
    taken = {seat.player_id: seat.taken for seat in game.seats}
    assert taken == {ANN: 40 * SECOND, BEN: 41 * SECOND}
    assert game.duel.winner == game.duel.seat_of(ANN)


async def test_a_deadline_put_off_by_an_outage_still_ends_the_duel(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    await services.heartbeat.beat()
    game = await playing(services)
    clock.advance(minutes=60)
    await services.heartbeat.beat()
    down = clock.now() - NOON
    assert await services.duels.games.sweep() == []
    stored = sql(tmp_path, "SELECT deadline_at FROM duels")
    assert stored == [((NOON + down + 2 * MINUTE).strftime("%Y-%m-%d %H:%M:%S.%f"),)]
    clock.advance(minutes=1)
    await services.heartbeat.beat()
    clock.set(NOON + down + 2 * MINUTE - TICK)
    await services.heartbeat.beat()
    assert await services.duels.games.sweep() == []
    clock.advance(microseconds=1)
    (swept,) = await services.duels.games.sweep()
    assert (swept.duel.id, swept.duel.ending, swept.duel.winner) == (
        game.duel.id,
        Ending.TIMED_OUT,
        1,
    )
    assert swept.duel.finished_at == clock.now()


async def test_the_time_of_a_race_leaves_out_outages(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    play = services.duels.playing
    game = await accepted(services, RACE)
    number = number_of(tmp_path, game.duel.id)
    await play.start(ANN, game.duel.id)
    await play.start(BEN, game.duel.id)
    clock.advance(seconds=40)
    await play.guess(ANN, game.duel.id, number)
    await services.heartbeat.beat()
    clock.advance(minutes=10)
    await services.heartbeat.beat()
    game = await play.guess(BEN, game.duel.id, number)
    assert [seat.taken for seat in game.seats] == [timedelta(seconds=40)] * 2
    assert game.duel.ending is Ending.BOTH_SOLVED


async def test_in_a_duel_with_the_bot_only_the_player_has_a_deadline(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    game = await against_bot(services)
    mine = game.duel.seat_of(ANN) or 0
    number = number_of(tmp_path, game.duel.id, 1 - mine)
    game = await services.duels.playing.guess(ANN, game.duel.id, wrong(0, number))
    assert game.duel.to_move == mine
    assert game.seats[1 - mine].deadline_at is None
    clock.advance(days=1)
    (swept,) = await services.duels.games.sweep()
    assert (swept.duel.ending, swept.duel.winner) == (Ending.TIMED_OUT, 1 - mine)
    assert swept.head_to_head is None
    unset = await services.duels.inviting.rematch(ANN, swept.duel.id)
    clock.advance(days=1)
    assert [(g.duel.id, g.duel.ending) for g in await services.duels.games.sweep()] == [
        (unset.duel.id, Ending.LAPSED)
    ]


def test_overlapping_outages_count_once_and_only_within_the_turn() -> None:
    outages = [
        Outage(NOON - HOUR, NOON + MINUTE),
        Outage(NOON + 2 * MINUTE, NOON + 5 * MINUTE),
        Outage(NOON + 3 * MINUTE, NOON + 4 * MINUTE),
        Outage(NOON + 6 * MINUTE, NOON + 7 * MINUTE),
        Outage(NOON + 9 * MINUTE, NOON + 10 * MINUTE),
    ]
    downtime = Downtime(reversed(outages))
    for limit, end in ((1, 2), (1.5, 5.5), (2, 6), (3, 8), (4, 9), (4.5, 10.5)):
        assert downtime.end_of(NOON, limit * MINUTE) == NOON + end * MINUTE, limit
        assert downtime.between(NOON, NOON + end * MINUTE) == (end - limit) * MINUTE
    assert downtime.between(NOON + 3 * MINUTE, NOON + 4 * MINUTE) == MINUTE
    assert downtime.end_of(NOON + 11 * MINUTE, MINUTE) == NOON + 12 * MINUTE
