"""How hard dailies are: worked out once for each that was opened, and told to some."""

from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.coach.difficulties import Difficulties
from bot.db.database import Database
from bot.pool.pool import Pool
from bot.services import Services
from cogs.hosting import UpkeepCog
from engine import Focdle
from engine.levels import Level
from engine.solvers.focdle.difficulty import difficulty
from tests.support.clock import FakeClock
from tests.support.masterminds import ANN, BEN, GUILD
from tests.support.sql import sql, statements
from tests.support.table import SECRET, Table
from tests.support.waiting import until


@pytest.fixture
async def keeper(database_url: str) -> AsyncGenerator[Difficulties]:
    database, pool = await Database.open(database_url), Pool.with_workers(0)
    yield Difficulties(database, pool)
    await pool.close()
    await database.close()


async def test_only_dailies_that_somebody_opened_get_a_difficulty(
    services: Services, keeper: Difficulties, tmp_path: Path
) -> None:
    await keeper.work_out()
    await services.daily.open(ANN, GUILD)
    await services.daily.open(ANN, GUILD, puzzle="300/9")
    await services.daily.seals(ANN, GUILD)  # of which nobody has opened tomorrow's
    await services.practice.open(ANN, GUILD, 7)
    await keeper.work_out()
    found = sql(tmp_path, "select number, length, secret, difficulty from puzzles order by id")
    for number, length, secret, hundredths in found:
        is_opened = (number, length) in {(324, 10), (300, 9)}
        expected = difficulty(Focdle(length), secret).hundredths if is_opened else None
        assert hundredths == expected
    sql(tmp_path, "update puzzles set difficulty = 9 where number = 300")
    await keeper.work_out()
    assert sql(tmp_path, "select difficulty from puzzles where number = 300") == [(9,)]
    with statements() as made:
        await keeper.work_out()
    assert {word.split()[0] for words in made for word in words} == {"SELECT"}


async def test_dailies_with_an_unreadable_secret_do_not_delay_the_difficulty_of_others(
    services: Services, keeper: Difficulties, tmp_path: Path
) -> None:
    for puzzle in ("324", "323", "322", "321", "320", "300/9"):
        await services.daily.open(ANN, GUILD, puzzle=puzzle)
    sql(tmp_path, "update puzzles set secret = 'too short' where number >= 320")
    await keeper.work_out()
    await keeper.work_out()
    found = dict(sql(tmp_path, "select number, difficulty from puzzles"))
    assert {number for number, difficulty in found.items() if difficulty is not None} == {300}


async def test_the_bot_works_difficulties_out_from_the_second_round_of_its_loop_on(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first falls into the start, which has players to answer."""
    await table.focdle(table.ann)
    await table.restart()
    difficulties, loop = table.services.coach.difficulties, table.cog(UpkeepCog).work_out
    await until(lambda: not loop.is_running())
    work_out, rounds = difficulties.work_out, list[int]()

    async def noted() -> None:
        rounds.append(loop.current_loop)
        await work_out()

    monkeypatch.setattr(difficulties, "work_out", noted)
    loop.change_interval(seconds=0)
    loop.start()
    query = "SELECT count(difficulty) FROM puzzles WHERE number IS NOT NULL"
    await until(lambda: sql(tmp_path, query) == [(1,)])
    loop.cancel()
    assert rounds[0] == 1


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
