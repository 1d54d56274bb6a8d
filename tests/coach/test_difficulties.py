"""How hard puzzles are: worked out once for each daily, and for practices that are ready."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from bot.coach.difficulties import READY, Difficulties
from bot.coach.queue import Queue
from bot.db.database import Database
from bot.db.leases import Leases
from bot.focdle.model import NoneReadyError, Play
from bot.pool.pool import Pool
from bot.services import Services, open_services
from engine import Code, Focdle
from engine.focdle import LONGEST, SHORTEST
from engine.levels import Difficulty, Level
from engine.solvers.difficulty import difficulty
from tests.support.clock import FakeClock
from tests.support.masterminds import ANN, BEN, GUILD
from tests.support.sql import sql, statements
from tests.support.table import KEY, SECRET
from tests.support.waiting import until_so


@pytest.fixture
async def keeper(database_url: str, clock: FakeClock) -> AsyncGenerator[Difficulties]:
    async with open_keeper(database_url, clock) as opened:
        yield opened


@asynccontextmanager
async def open_keeper(url: str, clock: FakeClock) -> AsyncGenerator[Difficulties]:
    database, pool = await Database.open(url), Pool.with_workers(0)
    queue = Queue(pool.solve, rest=0)
    keeper = Difficulties(database, queue, Leases(database, clock))
    yield keeper
    await keeper.close()
    await queue.close()
    await pool.close()
    await database.close()


def make_ready(folder: Path, length: int, level: Level, count: int = 1) -> list[Code]:
    """Have so many practices of a length and level ready; their secrets."""
    rng = Random(f"{length} {level}")
    (hundredths,) = [n for n in range(250, 800) if Difficulty(length, n).level is level][-1:]
    drawn = [Focdle(length).draw(rng) for _ in range(count)]
    for secret in drawn:
        row = f"({length}, '{secret}', {hundredths})"
        sql(folder, f"insert into ready_practices (length, secret, difficulty) values {row}")
    return drawn


def ready(folder: Path) -> Counter[int]:
    return Counter(of for (of,) in sql(folder, "select length from ready_practices"))


def levels(folder: Path) -> Counter[tuple[int, Level]]:
    rows = sql(folder, "select length, difficulty from ready_practices")
    return Counter((length, Difficulty(length, of).level) for length, of in rows)


async def test_only_dailies_that_somebody_opened_get_a_difficulty(
    services: Services, keeper: Difficulties, tmp_path: Path
) -> None:
    await keeper.work()
    await services.daily.open(ANN, GUILD)
    await services.daily.open(ANN, GUILD, puzzle="300/9")
    await services.daily.seals(ANN, GUILD)  # of which nobody has opened tomorrow's
    await services.practice.open(ANN, GUILD, 7)
    await keeper.work()
    found = sql(tmp_path, "select number, length, secret, difficulty from puzzles order by id")
    for number, length, secret, hundredths in found:
        is_opened = (number, length) in {(324, 10), (300, 9)}
        expected = difficulty(Focdle(length), secret).hundredths if is_opened else None
        assert hundredths == expected
    sql(tmp_path, "update puzzles set difficulty = 9 where number = 300")
    await keeper.work()
    assert sql(tmp_path, "select difficulty from puzzles where number = 300") == [(9,)]


async def test_dailies_with_an_unreadable_secret_do_not_delay_the_difficulty_of_others(
    services: Services, keeper: Difficulties, tmp_path: Path
) -> None:
    for puzzle in ("324", "323", "322", "321", "320", "300/9"):
        await services.daily.open(ANN, GUILD, puzzle=puzzle)
    sql(tmp_path, "update puzzles set secret = 'too short' where number >= 320")
    await keeper.work()
    await keeper.work()
    found = dict(sql(tmp_path, "select number, difficulty from puzzles"))
    assert {number for number, difficulty in found.items() if difficulty is not None} == {300}


async def test_the_level_with_the_fewest_ready_practices_gets_the_next_one(
    keeper: Difficulties, tmp_path: Path
) -> None:
    assert await keeper.work()
    assert [*ready(tmp_path)] == [10]
    for length in range(SHORTEST, LONGEST + 1):
        for level in Level:
            if (length, level) != (8, Level.HARD):
                make_ready(tmp_path, length, level, READY)
    before = ready(tmp_path)
    while ready(tmp_path) == before:  # what has another level is not added
        assert await keeper.work()
    assert ready(tmp_path) - before == {8: 1}
    make_ready(tmp_path, 8, Level.HARD, READY)
    with statements() as made:
        assert not await keeper.work()
    assert {word.split()[0] for words in made for word in words} == {"SELECT"}


async def test_only_one_process_at_a_time_computes_difficulties(
    services: Services, keeper: Difficulties, tmp_path: Path
) -> None:
    await services.leases.claim("difficulties")
    assert not await keeper.work()
    assert not ready(tmp_path)
    await services.leases.release("difficulties")
    assert await keeper.work()


async def test_a_practice_of_a_level_is_drawn_from_those_that_are_ready_and_only_once(
    services: Services, tmp_path: Path
) -> None:
    drawn = make_ready(tmp_path, 9, Level.HARD, 2)
    make_ready(tmp_path, 9, Level.EASY)
    make_ready(tmp_path, 10, Level.HARD)
    opened = [await services.practice.open(who, None, 9, Level.HARD) for who in (ANN, BEN)]
    assert sorted(play.game.secret for play in opened) == sorted(drawn)
    assert [play.level for play in opened] == [Level.HARD] * 2
    assert await services.practice.open(ANN, None, 9, Level.HARD) == opened[0]  # it goes on
    await services.practice.give_up(ANN, opened[0].id)
    with pytest.raises(NoneReadyError):
        await services.practice.open(ANN, None, 9, Level.HARD)
    assert (await services.practice.open(ANN, None, 9)).level is None
    assert (await services.practice.open(ANN, None, level=Level.HARD)).rules.length == 10


async def test_players_who_ask_at_once_get_different_ready_practices_while_any_are_left(
    services: Services, tmp_path: Path
) -> None:
    make_ready(tmp_path, 9, Level.EASY, 5)
    asked = (services.practice.open(who, None, 9, Level.EASY) for who in range(1, 8))
    found = await asyncio.gather(*asked, return_exceptions=True)
    secrets = [play.game.secret for play in found if not isinstance(play, BaseException)]
    assert len(secrets) == len({*secrets}) == 5
    assert sum(isinstance(error, NoneReadyError) for error in found) == 2


async def test_two_processes_at_once_give_no_ready_practice_to_two_players(
    services: Services,
    keeper: Difficulties,
    database_url: str,
    clock: FakeClock,
    tmp_path: Path,
) -> None:
    for length in range(SHORTEST, LONGEST + 1):
        for level in Level:
            make_ready(tmp_path, length, level, READY - (length == SHORTEST))
    async with (
        open_services(database_url, clock, puzzle_key=KEY, par_runs=0) as others,
        open_keeper(database_url, clock) as second,
    ):
        for _ in range(6):
            await asyncio.gather(keeper.work(), second.work())
        assert max(levels(tmp_path).values()) == READY
        asked = [
            process.practice.open(player, None, SHORTEST, Level.EASY)
            for player in range(1, READY)
            for process in (services, others)  # a player who asks twice has one practice
        ]
        before = levels(tmp_path).total()
        with statements() as made:
            opened = await asyncio.gather(*asked, keeper.work(), second.work())
    added = sum(word.startswith("INSERT INTO ready_practices") for words in made for word in words)
    dealt = {play.puzzle_id for play in opened if isinstance(play, Play)}
    assert len(dealt) == before + added - levels(tmp_path).total() == READY - 1
    assert max(levels(tmp_path).values()) == READY


async def test_a_practice_of_a_level_is_made_ready_after_a_player_wanted_one(
    keeper: Difficulties, tmp_path: Path
) -> None:
    keeper.want(7, Level.VERY_HARD)
    keeper.begin()

    async def is_there() -> bool:
        rows = sql(tmp_path, "select length, difficulty from ready_practices")
        return any(Difficulty(*row).level is Level.VERY_HARD and row[0] == 7 for row in rows)

    await until_so(is_there)


async def test_only_a_player_who_has_finished_a_daily_is_told_its_level(
    services: Services, tmp_path: Path
) -> None:
    play = await services.daily.open(ANN, GUILD)
    sql(tmp_path, "update puzzles set difficulty = 410")
    assert (await services.daily.view(ANN, play.id)).level is None
    assert "410" not in repr(await services.daily.view(ANN, play.id))
    assert (await services.daily.guess(ANN, play.id, SECRET)).level is Level.HARD
    assert (await services.daily.open(BEN, GUILD)).level is None


async def test_the_archive_has_the_levels_of_dates_that_have_ended_everywhere(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    for puzzle in ("324", "323", "322"):
        await services.daily.open(ANN, GUILD, puzzle=puzzle)
    sql(tmp_path, "update puzzles set difficulty = 410 where number > 322")

    async def levels() -> list[Level | None]:
        entries = await services.daily.archive(BEN, GUILD, "")
        return [entry.level for entry in entries if entry.puzzle.number in {322, 323, 324}]

    clock.set(datetime(2026, 11, 20, 11, 59, tzinfo=UTC))  # a minute to midnight in the last zone
    assert await levels() == [None, None, None]
    clock.advance(minutes=1)
    assert await levels() == [None, Level.HARD, None]
