"""Who only reads waits for nobody who writes; and nobody waits longer than they can be answered."""

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from sqlalchemy import text

from bot.db import facts
from bot.db.database import Database
from bot.db.transaction import MustWriteError, Transaction
from bot.errors import StorageBusyError
from bot.patience import wait_only


def elsewhere(what: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Do something in another loop, and wait for it."""
    thread = Thread(target=lambda: asyncio.run(what()))
    thread.start()
    thread.join()


async def put_anew(url: str, value: str) -> None:
    database = await Database.open(url)
    await put(database, value)
    await database.close()


async def put(database: Database, value: str) -> None:
    await database.write(lambda tx: facts.put(tx, "name", value))


async def read(database: Database) -> str | None:
    return await database.read(lambda tx: facts.get(tx, "name"))


async def test_reading_waits_for_no_writer_within_the_process_or_without(
    database_url: str, tmp_path: Path
) -> None:
    database = await Database.open(database_url, patience=0.05)
    await put(database, "old")
    async with database.transaction() as tx:
        await facts.put(tx, "name", "new")
        assert await read(database) == "old"
    assert await read(database) == "new"
    other = sqlite3.connect(tmp_path / "test.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    other.execute("UPDATE facts SET value = 'newer'")
    assert await read(database) == "new"
    other.execute("COMMIT")
    other.close()
    assert await read(database) == "newer"
    await database.close()


async def test_what_is_read_is_of_one_moment(database_url: str) -> None:
    database = await Database.open(database_url)
    await put(database, "old")
    async with database.reading() as tx:
        assert await facts.get(tx, "name") == "old"
        await put(database, "new")
        assert await facts.get(tx, "name") == "old"
    await database.close()


async def test_several_read_at_once_and_more_wait_their_turn(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.db.database._FOR_READERS_SECONDS", 0.05)
    database = await Database.open(database_url, patience=0.05)
    async with database.reading(), database.reading():
        with pytest.raises(StorageBusyError):
            await read(database)
    assert [await read(database) for _ in range(3)] == [None] * 3
    await database.close()


async def test_who_has_no_time_left_still_waits_for_others_who_read(database_url: str) -> None:
    database = await Database.open(database_url)
    wait_only(lambda: -1.0)
    assert await asyncio.gather(*(read(database) for _ in range(9))) == [None] * 9
    await database.close()


async def test_what_only_reads_can_write_nothing(database_url: str) -> None:
    database = await Database.open(database_url)
    with pytest.raises(MustWriteError):
        await database.read(lambda tx: facts.put(tx, "name", "never"))
    assert await read(database) is None
    await put(database, "now")
    await database.close()


async def test_who_finds_that_they_must_write_begins_anew_with_the_write_lock(
    database_url: str,
) -> None:
    database = await Database.open(database_url)
    await put(database, "0")
    seen: list[str] = []

    async def count(tx: Transaction) -> str:
        found = await facts.get(tx, "name") or ""
        seen.append(found)
        if len(seen) == 1:
            elsewhere(lambda: put_anew(database_url, "5"))  # somebody else, in between
        await facts.put(tx, "name", str(int(found) + 1))
        return found

    assert await database.read(count) == "5"
    assert seen == ["0", "5"]
    assert await read(database) == "6"
    await database.close()


async def test_who_looks_and_has_nothing_to_write_waits_for_nobody(database_url: str) -> None:
    database = await Database.open(database_url, patience=0.05)
    async with database.transaction():
        assert await database.read(lambda tx: facts.get(tx, "name")) is None
        with pytest.raises(StorageBusyError):
            await database.read(lambda tx: facts.put(tx, "name", "x"))
    await database.close()


async def test_a_transaction_that_is_over_is_used_no_more(database_url: str) -> None:
    database = await Database.open(database_url)
    for begun in (database.transaction, database.reading):
        async with begun() as tx:
            assert await facts.get(tx, "name") is None
        with pytest.raises(RuntimeError, match="over"):
            await facts.get(tx, "name")
    await database.close()


async def test_the_door_and_the_lock_have_one_patience_together(database_url: str) -> None:
    database = await Database.open(database_url, patience=100.0)
    asked = text("PRAGMA busy_timeout")

    async def milliseconds_left() -> int:
        return await database.write(lambda tx: tx.scalar(asked))

    assert 1000 < await milliseconds_left() <= 100_000
    async with database.transaction():
        second = asyncio.create_task(milliseconds_left())
        await asyncio.sleep(0.2)  # at the door
    assert await second <= 99_800
    await database.close()


async def test_nobody_waits_who_can_not_be_answered_any_more(
    database_url: str, tmp_path: Path
) -> None:
    database = await Database.open(database_url)

    async def late(value: str) -> None:
        wait_only(lambda: -1.0)
        await put(database, value)

    await asyncio.create_task(late("nobody is before it"))
    async with database.transaction():
        with pytest.raises(StorageBusyError):
            await asyncio.create_task(late("x"))
    other = sqlite3.connect(tmp_path / "test.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageBusyError):
        await asyncio.create_task(late("x"))
    other.close()
    assert await read(database) == "nobody is before it"
    await database.close()
