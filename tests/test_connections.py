"""Whoever leaves a connection to a file open is told so in the test that opened it."""

import sqlite3
from pathlib import Path

import pytest

from bot.db import facts
from bot.db.copies import opened
from bot.db.database import Database
from bot.db.sqlite import address_of
from tests.support.connections import all_closed

pytestmark = pytest.mark.sqlite


def test_a_connection_left_open_is_reported_with_the_line_that_opened_it(tmp_path: Path) -> None:
    left: list[sqlite3.Connection] = []
    with pytest.raises(AssertionError, match=r"tests/test_connections\.py"), all_closed():
        left.append(sqlite3.connect(tmp_path / "test.db"))
    left[0].close()


async def test_connections_of_the_bots_database_and_of_its_backups_are_counted(
    database_url: str, tmp_path: Path
) -> None:
    database = Database.unmigrated(database_url)
    with pytest.raises(AssertionError, match=r"bot/db/sqlite\.py"), all_closed():
        await database.read(lambda tx: facts.get(tx, "name"))
    await database.close()
    backup = opened(address_of(tmp_path / "test.db"))
    with pytest.raises(AssertionError, match="aiosqlite"), all_closed():
        await backup.__aenter__()
    await backup.__aexit__(None, None, None)
