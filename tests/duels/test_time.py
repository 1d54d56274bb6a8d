"""Deadlines of duels: by a read, by a sweep, and with the bot's own absence given back."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from bot.duels.challenges import Challenge
from bot.duels.model import DuelOverError, Ending, State
from bot.outages import Downtime, Outage
from bot.services import Services, open_services
from tests.support.clock import NOON, FakeClock
from tests.support.duels import (
    ANN,
    BEN,
    CAT,
    CLASSIC,
    EQUAL,
    SECRETS,
    accept,
    against_bot,
    ids,
    invited,
    number_of,
    playing,
    wrong,
)
from tests.support.sql import sql

TICK = timedelta(microseconds=1)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


async def test_a_challenge_and_each_turn_of_a_duel_last_a_day(
    services: Services, clock: FakeClock
) -> None:
    play = services.duels.playing
    game = await invited(services)
    assert game.deadline_at == NOON + DAY
    clock.set(NOON + DAY - TICK)
    game = await accept(services, game)
    assert game.deadline_at == clock.now() + DAY
    first, second = ids(game)
    clock.advance(hours=23)
    game = await play.offer_draw(second, game.duel.id)
    assert game.deadline_at == clock.now() + HOUR  # an offer gives nobody time
    game = await play.guess(first, game.duel.id, wrong(0))
    assert game.deadline_at == clock.now() + DAY
    clock.advance(days=1)
    game = await play.view(first, game.duel.id)
    assert (game.duel.ending, game.duel.winner) == (Ending.TIMED_OUT, 0)
    assert game.duel.finished_at == clock.now()
    assert game.seats[1].change is not None


async def test_a_challenge_that_nobody_answers_lapses_unrated(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    game = await invited(services)
    clock.advance(days=1)
    for attempt in (
        services.duels.inviting.prepare_accept(BEN, game.duel.id, 0),
        services.duels.inviting.accept(BEN, game.duel.id, 0, SECRETS[BEN]),
    ):
        with pytest.raises(DuelOverError) as lapsed:
            await attempt
        over = lapsed.value.view
        assert (over.duel.ending, over.duel.winner) == (Ending.LAPSED, None)
        assert [seat.target for seat in over.seats] == [None, None]
    assert sql(tmp_path, "SELECT * FROM rating_changes") == []


async def test_no_time_runs_against_the_bot(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    unset = await services.duels.inviting.challenge(Challenge(ANN, None), CLASSIC)
    game = await against_bot(services)
    mine = game.duel.seat_of(ANN) or 0
    clock.advance(days=40)
    assert await services.duels.games.sweep() == []
    number = number_of(tmp_path, game.duel.id, 1 - mine)
    game = await services.duels.playing.guess(ANN, game.duel.id, wrong(0, number))
    assert (game.duel.to_move, game.deadline_at, unset.deadline_at) == (mine, None, None)
    open_of = [found.duel.id for found in await services.duels.games.open_of(ANN)]
    assert open_of == [game.duel.id, unset.duel.id]


async def test_a_sweep_ends_each_overdue_duel_once(
    services: Services, clock: FakeClock, database_url: str, tmp_path: Path
) -> None:
    opened = [
        await invited(services),
        await playing(services),
        await playing(services, by=ANN, to=CAT),
    ]
    clock.advance(minutes=1)
    later = await playing(services, by=BEN, to=CAT)
    clock.set(NOON + DAY)
    async with open_services(database_url, clock) as other:
        both = await asyncio.gather(services.duels.games.sweep(), other.duels.games.sweep())
    assert sorted(game.duel.id for swept in both for game in swept) == [o.duel.id for o in opened]
    assert {game.duel.ending for swept in both for game in swept} == {
        Ending.LAPSED,
        Ending.TIMED_OUT,
    }
    assert len(sql(tmp_path, "SELECT * FROM rating_changes")) == 4
    assert (await services.duels.playing.view(BEN, later.duel.id)).duel.state is State.PLAYING


async def test_an_unreadable_duel_delays_no_other_and_its_traceback_is_logged_once(
    services: Services, clock: FakeClock, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    broken, sound = await playing(services), await playing(services, by=ANN, to=CAT)
    sql(tmp_path, f"UPDATE duels SET mode = 'of tomorrow' WHERE id = {broken.duel.id}")
    clock.advance(days=1)
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
    game = await playing(services, EQUAL)
    first, second = ids(game)
    clock.advance(minutes=1)
    await services.heartbeat.beat()
    clock.advance(hours=30)  # down, and nobody has noted it yet
    async with open_services(database_url, clock) as restarted:
        play, sweep = restarted.duels.playing, restarted.duels.games.sweep
        assert await sweep() == []
        game = await play.view(first, game.duel.id)
        assert game.deadline_at == NOON + 30 * HOUR + DAY
        await restarted.heartbeat.beat()
        for _ in range(3):
            clock.advance(seconds=60)
            await restarted.heartbeat.beat()
        assert (await play.view(CAT, game.duel.id)).deadline_at == NOON + 30 * HOUR + DAY
        game = await play.guess(first, game.duel.id, wrong(0))
        # What was before a turn began is not given back twice.
        assert game.deadline_at == clock.now() + DAY
        clock.advance(hours=10)
        await restarted.heartbeat.beat()
        assert [g.duel.id for g in await restarted.duels.games.open_of(second)] == [game.duel.id]


async def test_a_deadline_put_off_by_an_outage_still_ends_the_duel(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    await services.heartbeat.beat()
    game = await playing(services)
    clock.advance(days=2)
    await services.heartbeat.beat()
    down = clock.now() - NOON
    assert await services.duels.games.sweep() == []
    stored = sql(tmp_path, "SELECT deadline_at FROM duels")
    assert stored == [((NOON + down + DAY).strftime("%Y-%m-%d %H:%M:%S.%f"),)]
    sql(tmp_path, "DELETE FROM pulses")
    clock.set(NOON + down + DAY - TICK)
    assert await services.duels.games.sweep() == []
    clock.advance(microseconds=1)
    (swept,) = await services.duels.games.sweep()
    assert (swept.duel.id, swept.duel.ending, swept.duel.winner) == (
        game.duel.id,
        Ending.TIMED_OUT,
        1,
    )
    assert swept.duel.finished_at == clock.now()


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
