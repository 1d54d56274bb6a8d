"""Workers as the system has them: they end with the bot, and the bot goes on without them."""

import asyncio
import os
import random
import signal
import sys
import time
from collections.abc import AsyncGenerator
from datetime import date
from functools import partial
from multiprocessing.context import SpawnProcess
from pathlib import Path

import pytest

from bot.coach.analysis import examine
from bot.errors import ClosingError
from bot.games.model import Record
from bot.pool.pool import Lane, ProcessExecutor, WorkQueue
from bot.refused import PoolFailedError
from bot.statistics.model import CalendarDay, YearReview
from bot.statistics.words import DRAW_YEAR
from bot.text.language import in_this_language
from engine import BullsAndCows, Focdle, InconsistentFeedback, Mastermind, Turn
from tests.support import chores
from tests.support.unhurried import AMPLE_SECONDS
from tests.support.waiting import until

SECRETS = {"DISCORD_TOKEN": "a token", "PUZZLE_KEY": "a key", "DATABASE_URL": "sqlite:///x.db"}
ENOUGH = AMPLE_SECONDS
DAY = date(2026, 1, 1)
YEAR = YearReview(
    year=2026,
    days=(DAY, DAY),
    calendar={DAY: CalendarDay(4, solved=True)},
    solved=1,
    best_streak=1,
    best=3,
    opening=None,
    masterminds=(0, 0),
    duels=(0, 0),
    opponent=None,
    others=(),
)

# A bot whose worker hangs, and which is killed with it.
BOT = """
import asyncio, functools, os, sys, time
from bot.pool.pool import Pool

async def run():
    pool = Pool.with_workers(1)
    print(await pool.solve(os.getpid), flush=True)
    await pool.solve(functools.partial(time.sleep, 60))

asyncio.run(run())
"""


@pytest.fixture
async def line(monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[WorkQueue]:
    for name, secret in SECRETS.items():
        monkeypatch.setenv(name, secret)
    opened = WorkQueue(ProcessExecutor())
    yield opened
    await opened.close()


async def test_a_worker_gets_no_secrets_and_survives_interrupts_and_errors(line: WorkQueue) -> None:
    pid = await line.add(os.getpid, ENOUGH, Lane.PLAYING).result
    assert pid != os.getpid()
    environment = await line.add(chores.environment, ENOUGH, Lane.PLAYING).result
    assert not environment.keys() & SECRETS.keys()
    assert not await line.add(chores.libraries, ENOUGH, Lane.PLAYING).result & {
        "discord",
        "sqlalchemy",
        "asyncio",
    }
    os.kill(pid, signal.SIGINT)  # as Ctrl-C in a terminal, which reaches all of a group
    assert await line.add(chores.chatter, ENOUGH, Lane.PLAYING).result == "done"
    with pytest.raises(InconsistentFeedback) as contradiction:
        await line.add(chores.contradict, ENOUGH, Lane.PLAYING).result
    assert contradiction.value.turns == (0, 2)
    assert "chores.py" in str(contradiction.value.__cause__)
    assert await line.add(os.getpid, ENOUGH, Lane.PLAYING).result == pid


@pytest.mark.long(only=True)
async def test_a_worker_computes_the_same_result_as_the_bot(line: WorkQueue) -> None:
    for rules in (Focdle(7), Mastermind(), BullsAndCows()):
        secret, guess = rules.draw(random.Random(1)), rules.draw(random.Random(2))
        turns = tuple(Turn(code, rules.feedback(code, secret)) for code in (guess, secret))
        look = partial(examine, Record(rules, "", secret, turns))
        assert await line.add(look, ENOUGH, Lane.PLAYING).result == look()


@pytest.mark.long(only=True)
async def test_a_worker_draws_the_same_picture_as_the_bot_itself(line: WorkQueue) -> None:
    draw = in_this_language(DRAW_YEAR, YEAR)
    assert await line.add(draw, ENOUGH, Lane.PLAYING).result == draw()


async def test_a_task_whose_worker_dies_is_tried_once_more_by_another_worker(
    line: WorkQueue, tmp_path: Path
) -> None:
    assert (
        await line.add(partial(chores.die_once, tmp_path / "mark"), ENOUGH, Lane.PLAYING).result
        == "done"
    )
    with pytest.raises(PoolFailedError):
        await line.add(chores.die, ENOUGH, Lane.PLAYING).result
    pid = await line.add(os.getpid, ENOUGH, Lane.PLAYING).result
    os.kill(pid, signal.SIGKILL)  # while it has no work
    assert await line.add(os.getpid, ENOUGH, Lane.PLAYING).result != pid


async def test_a_worker_that_hangs_is_killed_and_replaced(line: WorkQueue) -> None:
    pid = await line.add(os.getpid, ENOUGH, Lane.PLAYING).result
    with pytest.raises(PoolFailedError):
        await line.add(partial(time.sleep, 60), 0.05, Lane.PLAYING).result
    assert not is_running(pid)
    assert await line.add(os.getpid, ENOUGH, Lane.PLAYING).result != pid


async def test_after_a_worker_that_could_not_be_started_the_next_is_whole(
    line: WorkQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(process: SpawnProcess) -> None:
        raise BlockingIOError(process)

    with monkeypatch.context() as patch:
        patch.setattr(SpawnProcess, "start", fail)
        with pytest.raises(BlockingIOError):
            await line.add(os.getpid, ENOUGH, Lane.PLAYING).result
    await line.add(os.getpid, ENOUGH, Lane.PLAYING).result
    assert line.is_free


async def test_an_idle_worker_exits_and_is_started_again_on_demand() -> None:
    line = WorkQueue(ProcessExecutor(), idle_seconds=0.05)
    pid = await line.add(os.getpid, ENOUGH, Lane.PLAYING).result
    await ended(pid)
    assert await line.add(os.getpid, ENOUGH, Lane.PLAYING).result != pid
    await line.close()


async def test_a_stopping_bot_does_not_wait_for_busy_workers(line: WorkQueue) -> None:
    pid = await line.add(os.getpid, ENOUGH, Lane.PLAYING).result
    working, waiting = (line.add(partial(time.sleep, 60), ENOUGH, Lane.PLAYING) for _ in range(2))
    await asyncio.sleep(0.05)
    await line.close()
    assert not is_running(pid)
    for job in (working, waiting):
        with pytest.raises(ClosingError):
            await job.result


async def test_no_worker_survives_a_killed_bot() -> None:
    bot = await asyncio.create_subprocess_exec(
        sys.executable, "-c", BOT, stdout=asyncio.subprocess.PIPE
    )
    assert bot.stdout is not None
    pid = int(await bot.stdout.readline())
    assert is_running(pid)
    bot.kill()
    await bot.wait()
    await ended(pid)
    await bot.stdout.read()  # its transport closes at the end of the file


async def ended(pid: int) -> None:
    """Wait until a process has ended."""
    await until(lambda: not is_running(pid))


def is_running(pid: int) -> bool:
    """Whether a process goes on; one whose end nobody has asked for yet does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
