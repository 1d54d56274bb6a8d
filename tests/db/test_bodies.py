"""A transaction that is handed over whole, as a body, is as good as one that is held open."""

import asyncio
import threading
from collections.abc import Awaitable
from contextvars import ContextVar

import pytest

from bot.db import facts
from bot.db.database import Database
from bot.db.transaction import MustWriteError, Transaction
from bot.errors import ClosingError, StorageBusyError

WHO: ContextVar[str] = ContextVar("who", default="nobody")


class OutOfLuckError(Exception):
    """Something that goes wrong in a body."""


async def read(database: Database) -> str | None:
    return await database.read(lambda tx: facts.get(tx, "name"))


async def test_what_a_body_writes_is_committed_and_what_it_finds_is_given(
    database_url: str,
) -> None:
    database = await Database.open(database_url)

    async def body(tx: Transaction) -> str:
        await facts.put(tx, "name", "Ann")
        return await facts.get(tx, "name") or ""

    assert await database.write(body) == "Ann"
    assert await read(database) == "Ann"
    await database.close()
    database = await Database.open(database_url)
    assert await read(database) == "Ann"
    await database.close()


async def test_of_a_body_that_fails_nothing_stays_and_the_next_one_may(database_url: str) -> None:
    database = await Database.open(database_url)

    async def body(tx: Transaction) -> None:
        await facts.put(tx, "name", "Ann")
        raise OutOfLuckError

    with pytest.raises(OutOfLuckError):
        await database.write(body)
    assert await read(database) is None
    await database.write(lambda tx: facts.put(tx, "name", "Bob"))
    assert await read(database) == "Bob"
    await database.close()


async def test_a_body_that_waits_for_something_else_is_refused(database_url: str) -> None:
    database = await Database.open(database_url)
    other = asyncio.get_running_loop().create_future()

    async def wait(tx: Transaction, what: Awaitable[None]) -> None:
        await facts.put(tx, "name", "Ann")
        await what

    for what in (asyncio.sleep(0), other):
        with pytest.raises(RuntimeError, match="wait for nothing"):
            await database.write(lambda tx, what=what: wait(tx, what))
    assert await read(database) is None
    await database.close()


async def test_a_body_runs_in_the_thread_of_the_database_and_knows_who_asked(
    database_url: str,
) -> None:
    database = await Database.open(database_url)
    WHO.set("Ann")

    async def body(tx: Transaction) -> tuple[str, str]:
        await facts.get(tx, "name")
        return WHO.get(), threading.current_thread().name

    assert await database.read(body) == ("Ann", "database")
    assert await database.write(body) == ("Ann", "database")
    await database.close()


async def test_bodies_that_write_come_one_after_the_other(database_url: str) -> None:
    database = await Database.open(database_url)

    async def count(tx: Transaction) -> None:
        await facts.put(tx, "name", str(int(await facts.get(tx, "name") or "0") + 1))

    await asyncio.gather(*(database.write(count) for _ in range(50)))
    assert await read(database) == "50"
    await database.close()


async def test_whoever_breaks_off_leaves_nothing_half_done(database_url: str) -> None:
    database = await Database.open(database_url)

    async def count(tx: Transaction) -> None:
        for name in ("name", "other"):
            await facts.put(tx, name, str(int(await facts.get(tx, name) or "0") + 1))

    for steps in range(12):
        task = asyncio.create_task(database.write(count))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})
        before = int(await read(database) or "0")
        await database.write(count)
        assert await read(database) == str(before + 1)
        assert await database.read(lambda tx: facts.get(tx, "other")) == str(before + 1)
    await database.close()


async def test_a_body_that_reads_writes_nothing_and_looks_again_where_it_may(
    database_url: str,
) -> None:
    database = await Database.open(database_url)
    with pytest.raises(MustWriteError):
        await database.read(lambda tx: facts.put(tx, "name", "never"))
    assert await read(database) is None
    await database.read(lambda tx: facts.put(tx, "name", "now"))
    assert await read(database) == "now"
    await database.close()


async def test_a_body_waits_behind_the_door_like_others_and_not_after_the_end(
    database_url: str,
) -> None:
    database = await Database.open(database_url, patience=0.05)
    async with database.transaction():
        with pytest.raises(StorageBusyError):
            await database.write(lambda tx: facts.put(tx, "name", "x"))
        assert await read(database) is None
    await database.close()
    with pytest.raises(ClosingError):
        await read(database)
    with pytest.raises(ClosingError):
        await database.write(lambda tx: facts.put(tx, "name", "x"))


async def test_a_transaction_that_is_over_is_used_no_more(database_url: str) -> None:
    database = await Database.open(database_url)

    async def keep(tx: Transaction) -> Transaction:
        return tx

    for kept in (await database.read(keep), await database.write(keep)):
        with pytest.raises(RuntimeError, match="over"):
            await facts.get(kept, "name")
    await database.close()
