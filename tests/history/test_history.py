"""Many processes, one database, and everything that can go wrong: nothing is lost or doubled."""

import random
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Final

import pytest

from tests.history.program import Plan, live
from tests.history.record import Outcome
from tests.support.postgres import PostgresServer

pytestmark = pytest.mark.long(only=True)

_LEAST_PLAYED: Final = 50
_MOST_LIVES: Final = 5


@pytest.fixture
def server() -> Generator[PostgresServer]:
    """One of its own, since it crashes."""
    server = PostgresServer(keeps=True)
    yield server
    server.stop()


async def test_the_database_agrees_with_all_answers_to_players_despite_kills(
    tmp_path: Path, server: PostgresServer
) -> None:
    plan = Plan(60, seed=random.randrange(10**6), kill_every=8, harm_every=8)
    sys.stderr.write(f"{plan}\n")  # pytest shows it with a test that failed
    told = await live(plan, tmp_path, server)
    assert not told.faults
    assert told.acts[Outcome.PLAYED] > _LEAST_PLAYED
    assert told.harms["kill"] > 1


async def test_the_check_finds_faults_when_transactions_take_no_locks(
    tmp_path: Path, server: PostgresServer
) -> None:
    for seed in range(_MOST_LIVES):
        folder = tmp_path / str(seed)
        folder.mkdir()
        plan = Plan(5, players=60, seed=seed, kill_every=1000, harm_every=1000, broken=True)
        if (await live(plan, folder, server)).faults:
            return
        server.empty()
    raise AssertionError("nothing was found wrong")
