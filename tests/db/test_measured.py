"""What gauges are told of transactions: how long they wait, how long they take, why they fail."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from bot.db import facts, keys
from bot.db.database import Database
from bot.db.transaction import Transaction
from bot.errors import StorageBusyError
from tests.support.told import Told

MINE = keys.trial("mine")


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
async def database(database_url: str, told: Told) -> AsyncGenerator[Database]:
    database = await Database.open(database_url)
    database.measure(told)
    yield database
    await database.close()


async def note(tx: Transaction) -> str:
    await facts.put(tx, "name", "value")
    return "noted"


async def look(tx: Transaction) -> str | None:
    return await facts.get(tx, "name")


async def test_each_way_into_the_database_is_timed(database: Database, told: Told) -> None:
    assert await database.write(note, MINE) == "noted"
    assert await database.read(look) == "value"
    await database.write(lambda tx: note(tx), MINE)

    def body(tx: Transaction) -> None:
        assert look(tx) == "value"

    await database.read(body)
    assert [kind for kind, *_ in told.transactions] == ["write", "read", "write", "read"]
    assert all(waited >= 0 and took is not None for _, waited, took in told.transactions)
    assert told.failures == []


@pytest.mark.parametrize("is_a_body", [True, False])
async def test_who_waits_for_others_has_waited_and_who_waits_in_vain_has_failed(
    database: Database, database_url: str, told: Told, is_a_body: bool
) -> None:
    async def write(database: Database) -> None:
        if is_a_body:
            await database.write(note, MINE)
            return
        await database.write(lambda tx: note(tx), MINE)

    async with database.transaction(MINE):
        later = asyncio.create_task(write(database))
        await asyncio.sleep(0.2)
    await later
    (_, _, took), (_, waited_later, took_later) = told.transactions
    assert took is not None
    assert took_later is not None
    assert took >= 0.19
    assert waited_later >= 0.1
    hasty = await Database.open(database_url, patience=0.2)
    hasty.measure(told)
    async with database.transaction(MINE):
        with pytest.raises(StorageBusyError):
            await write(hasty)
    await hasty.close()
    (_, waited_in_vain, never), _ = told.transactions[2:]
    assert never is None
    assert waited_in_vain >= 0.1
    assert told.failures == [("write", "StorageBusyError")]


async def test_what_a_use_case_raises_is_no_failure_of_the_database(
    database: Database, told: Told
) -> None:
    async def refuse(tx: Transaction) -> None:
        await note(tx)
        raise LookupError

    with pytest.raises(LookupError):
        await database.write(refuse, MINE)
    assert await database.read(look) is None
    assert len(told.transactions) == 2
    assert told.failures == []
