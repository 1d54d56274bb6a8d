"""Par: worked out once for every daily that was opened, and kept."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.clock import PuzzleName
from bot.coach.analysis import par_openings, par_run
from bot.coach.pars import Pars
from bot.coach.queue import Queue
from bot.db.database import Database
from bot.db.leases import Leases
from bot.pool.pool import Pool
from bot.services import Services
from engine import Code
from tests.support.clock import FakeClock
from tests.support.masterminds import ANN, BEN, GUILD
from tests.support.sql import sql
from tests.support.table import SECRET
from tests.support.waiting import until, until_so

RUNS = 4
TODAY = PuzzleName(324, 10)


@pytest.fixture
async def pars(database_url: str, clock: FakeClock) -> AsyncGenerator[Pars]:
    """Pars of few runs, beside the services on the same database."""
    async with open_pars(database_url, clock) as opened:
        yield opened


@asynccontextmanager
async def open_pars(url: str, clock: FakeClock) -> AsyncGenerator[Pars]:
    database, pool = await Database.open(url), Pool.with_workers(0)
    queue = Queue(pool.solve)
    yield Pars(database, clock, queue, Leases(database, clock), runs=RUNS)
    await queue.close()
    await pool.close()
    await database.close()


def par_of(folder: Path, name: PuzzleName) -> float | None:
    which = f"number = {name.number} and length = {name.length}"
    return next((mean for (mean,) in sql(folder, f"select mean from pars where {which}")), None)


def openings(folder: Path) -> tuple[Code, ...]:
    """The first guesses that the par of today's daily comes from: only its salt tells them."""
    ((salt,),) = sql(folder, "select salt from puzzles where number = 324 and length = 10")
    assert salt is not None
    drawn = par_openings(10, 324, salt, RUNS)
    assert drawn != par_openings(10, 324, None, RUNS)
    return drawn


async def test_par_is_the_mean_of_the_solvers_games(
    services: Services, pars: Pars, tmp_path: Path
) -> None:
    await services.daily.open(ANN, GUILD)
    assert par_of(tmp_path, TODAY) is None
    sql(tmp_path, "update puzzles set salt = 'salt 0'")  # whose runs are not all alike
    await pars.work_out(TODAY)
    runs = [par_run(10, SECRET, opening) for opening in openings(tmp_path)]
    assert par_of(tmp_path, TODAY) == sum(runs) / RUNS
    assert len(set(runs)) > 1


async def test_only_a_daily_that_somebody_opened_has_a_par(
    services: Services, pars: Pars, tmp_path: Path
) -> None:
    await pars.work_out(TODAY)
    await pars.work_out_missing()
    assert sql(tmp_path, "select * from pars") == []
    for puzzle in (None, "324/9", "322/9", "321/9"):
        await services.daily.open(ANN, GUILD, puzzle=puzzle)
    await services.practice.open(ANN, GUILD, 7)
    await pars.work_out_missing()
    found = sql(tmp_path, "select number, length, runs from pars order by number, length")
    # Nobody waits for the day before yesterday's, or for what is older still.
    assert found == [(322, 9, RUNS), (324, 9, RUNS), (324, 10, RUNS)]


async def test_a_par_is_computed_once(services: Services, pars: Pars, tmp_path: Path) -> None:
    await services.daily.open(ANN, GUILD)
    await asyncio.gather(*(pars.work_out(TODAY) for _ in range(3)))
    sql(tmp_path, "update pars set mean = 9")
    await pars.work_out(TODAY)
    await pars.work_out_missing()
    assert par_of(tmp_path, TODAY) == 9


async def test_finished_boards_show_par(services: Services, pars: Pars, tmp_path: Path) -> None:
    play = await services.daily.open(ANN, GUILD)
    await pars.work_out(TODAY)
    sql(tmp_path, "update pars set mean = 3.6")
    assert (await services.daily.view(ANN, play.id)).ending.par is None
    assert (await services.daily.open(ANN, GUILD, guess=SECRET)).ending.par == 3.6


async def test_only_one_of_two_processes_computes_a_par(
    services: Services, pars: Pars, database_url: str, clock: FakeClock, tmp_path: Path
) -> None:
    await services.daily.open(ANN, GUILD)
    async with open_pars(database_url, clock) as other:
        tried = await asyncio.gather(pars.work_out(TODAY), other.work_out(TODAY))
        assert sorted(tried) == [False, True]
        assert len(sql(tmp_path, "select * from pars")) == 1
        assert await pars.work_out(TODAY)
        assert await other.work_out(TODAY)


async def test_a_second_process_continues_a_par_after_the_first_was_killed(
    services: Services, pars: Pars, clock: FakeClock, tmp_path: Path
) -> None:
    await services.daily.open(ANN, GUILD)
    await services.leases.claim(f"par of {TODAY.number}/{TODAY.length}")  # and nothing came of it
    await pars.work_out_missing()
    clock.advance(seconds=59)
    await pars.work_out_missing()
    assert sql(tmp_path, "select * from pars") == []
    clock.advance(seconds=1)
    await pars.work_out_missing()
    assert len(sql(tmp_path, "select * from pars")) == 1


async def test_a_par_is_computed_on_request(services: Services, pars: Pars, tmp_path: Path) -> None:
    await services.daily.open(ANN, GUILD, puzzle="300/9")
    pars.begin()
    pars.want(PuzzleName(300, 9))
    await until_found(tmp_path, PuzzleName(300, 9))
    await pars.close()


SPOILED = PuzzleName(324, 9)
"""The first of what is missing."""


def spoil(folder: Path, name: PuzzleName, *, by: str = "too short") -> str:
    """Let a puzzle have another secret, which no par can be worked out from; the one it had."""
    which = f"where number = {name.number} and length = {name.length}"
    ((secret,),) = sql(folder, f"select secret from puzzles {which}")
    sql(folder, f"update puzzles set secret = '{by}' {which}")
    return secret


async def until_found(folder: Path, name: PuzzleName) -> None:
    await until_so(lambda: asyncio.to_thread(par_of, folder, name))


async def until_failed(caplog: pytest.LogCaptureFixture) -> None:
    await until(lambda: caplog.records)


async def test_a_failing_par_delays_no_other_par(
    services: Services, pars: Pars, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for puzzle in ("324/9", "324/10", "323/9"):
        await services.daily.open(ANN, GUILD, puzzle=puzzle)
    spoil(tmp_path, SPOILED)
    await pars.work_out_missing()
    found = sql(tmp_path, "select number, length from pars order by number, length")
    assert found == [(323, 9), (324, 10)]
    assert [record.exc_info is not None for record in caplog.records] == [True]
    assert "too short" not in caplog.text


async def test_a_failed_par_is_tried_again_after_an_hour(
    services: Services, pars: Pars, tmp_path: Path, clock: FakeClock
) -> None:
    await services.daily.open(ANN, GUILD, puzzle="324/9")
    secret = spoil(tmp_path, SPOILED)
    await pars.work_out_missing()
    spoil(tmp_path, SPOILED, by=secret)
    clock.advance(minutes=59)
    await pars.work_out_missing()
    assert par_of(tmp_path, SPOILED) is None
    clock.advance(minutes=1)
    await pars.work_out_missing()
    assert par_of(tmp_path, SPOILED) is not None


async def test_a_requested_par_that_failed_is_tried_again_later_and_delays_no_other(
    services: Services,
    pars: Pars,
    tmp_path: Path,
    clock: FakeClock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    first, second, third = (PuzzleName(number, 9) for number in (300, 301, 302))
    for name in (first, second, third):
        await services.daily.open(ANN, GUILD, puzzle=f"{name.number}/9")
    secret = spoil(tmp_path, first)
    pars.begin()
    pars.want(first)
    await until_failed(caplog)
    pars.want(second)
    await until_found(tmp_path, second)
    # The pars are still being written: who waits for their end must not keep them from it.
    await asyncio.to_thread(spoil, tmp_path, first, by=secret)
    clock.advance(hours=1)
    pars.want(third)  # nobody has asked for the first again
    await until_found(tmp_path, third)
    await until_found(tmp_path, first)
    await pars.close()


async def test_an_older_daily_has_a_par_if_somebody_finished_it_on_its_date(
    services: Services, pars: Pars, clock: FakeClock, tmp_path: Path
) -> None:
    await services.daily.open(ANN, GUILD, guess=SECRET)  # 324, on its date
    await services.daily.open(ANN, GUILD, puzzle="324/9")
    clock.advance(days=5)
    await services.daily.open(BEN, GUILD, puzzle="324", guess=SECRET)
    await services.daily.open(BEN, GUILD, puzzle="323")
    await pars.work_out_missing()
    assert sql(tmp_path, "select number, length from pars") == [(324, 10)]
