"""Shards log in one after the other, whatever process they are in and whatever its clock says."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from bot.db.database import Database
from bot.shards.game import Logins
from tests.support.sql import sql

# SQLite tells whole seconds only, and tests may be slow.
_SLACK = 2.0

pytestmark = pytest.mark.usefixtures("keys_watched")


@pytest.fixture
async def processes(database_url: str) -> AsyncGenerator[list[Logins]]:
    databases = [await Database.open(database_url) for _ in range(2)]
    yield [Logins(database) for database in databases]
    for database in databases:
        await database.close()


async def test_each_login_bucket_admits_one_shard_at_a_time(
    processes: list[Logins], tmp_path: Path
) -> None:
    first, second = processes
    waits = [
        (await logins.take(shard, 2)).total_seconds()
        for logins, shard in ((first, 0), (second, 2), (first, 4), (second, 1), (first, 3))
    ]
    for wait, least in zip(waits, (0, 5.25, 10.5, 0, 5.25), strict=True):
        assert least - _SLACK < wait <= least
    # Those who come much later need not wait, nor those who come after the clock was set back.
    for free_at in ("2026-01-01 12:00:00.000000", "2126-01-01 12:00:00.000000"):
        sql(tmp_path, f"UPDATE login_slots SET free_at = '{free_at}'")
        assert (await first.take(0, 2)).total_seconds() == 0
