"""What gauges are told of transactions: how long they wait, how long they take, why they fail."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from bot.clock import wait_only
from bot.db import facts, keys
from bot.db.database import Database
from bot.db.transaction import Transaction
from bot.errors import StorageBusyError
from tests.support.open_transactions import opened
from tests.support.told import Told

MINE = keys.trial("mine")


class Watch:
    """A clock that stands still.

    Attributes:
        now: what it shows.
    """

    now = 1000.0


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    watch = Watch()
    monkeypatch.setattr("bot.db.database.perf_counter", lambda: watch.now)
    return watch


@pytest.fixture
async def database(database_url: str, told: Told) -> AsyncGenerator[Database]:
    database = await Database.open(database_url)
    database.measure(told)
    yield database
    await database.close()


def note(tx: Transaction) -> str:
    facts.put(tx, "name", "value")
    return "noted"


def look(tx: Transaction) -> str | None:
    return facts.get(tx, "name")


async def test_each_kind_of_transaction_is_timed(database: Database, told: Told) -> None:
    assert await database.write(note, MINE) == "noted"
    assert await database.read(look) == "value"
    assert await database.read(note, MINE) == "noted"  # which reads, and begins anew
    assert [kind for kind, *_ in told.transactions] == ["write", "read", "read", "write"]
    assert all(waited >= 0 and took is not None for _, waited, took in told.transactions)
    assert told.failures == []


async def test_time_spent_waiting_for_other_transactions_is_counted_as_waiting(
    database: Database, told: Told, watch: Watch
) -> None:
    async with opened(database.write, MINE):
        watch.now += 5
        later = asyncio.create_task(database.write(note, MINE))
        await asyncio.sleep(0)
        watch.now += 3
        assert told.transactions == []
    await later
    assert sorted(told.transactions) == [("write", 0, 8), ("write", 3, 0)]


async def test_a_transaction_refused_as_busy_counts_as_failed_and_takes_no_time(
    database: Database, database_url: str, told: Told, watch: Watch
) -> None:
    other = await Database.open(database_url)
    async with opened(other.write, MINE):
        watch.now += 5
        wait_only(lambda: 0.05)
        with pytest.raises(StorageBusyError):  # as another process is there
            await database.write(note, MINE)
    assert told.transactions == [("write", 0, None)]
    async with opened(database.write, MINE):
        with pytest.raises(StorageBusyError):
            await database.write(note, MINE)
    assert told.transactions[1:] == [("write", 0, None), ("write", 0, 0)]
    assert told.failures == [("write", "StorageBusyError")] * 2
    await other.close()


async def test_the_waiting_or_running_time_of_a_cancelled_transaction_is_recorded(
    database: Database, told: Told, watch: Watch
) -> None:
    async with opened(database.write, MINE) as tx:
        waiting = asyncio.create_task(database.write(note, MINE))
        await asyncio.sleep(0)
        watch.now += 3
        for task in (waiting, tx.task):
            task.cancel()
            await asyncio.wait({task})
    assert told.transactions == [("write", 3, None), ("write", 0, 3)]
    assert told.failures == []


async def test_an_error_raised_by_a_use_case_is_no_failure_of_the_database(
    database: Database, told: Told
) -> None:
    def refuse(tx: Transaction) -> None:
        note(tx)
        raise LookupError

    with pytest.raises(LookupError):
        await database.write(refuse, MINE)
    assert await database.read(look) is None
    assert len(told.transactions) == 2
    assert told.failures == []
