"""What reads and what writes: what is kept, who waits for whom, what those who break off leave.

On both kinds of databases.
"""

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from contextlib import AsyncExitStack
from contextvars import ContextVar
from traceback import format_exception
from typing import Any, TypeVar

import pytest
from sqlalchemy import event, insert
from sqlalchemy.exc import IntegrityError, ResourceClosedError
from sqlalchemy.pool import Pool

from bot.clock import wait_only
from bot.db import facts, keys
from bot.db.database import Database, Transaction
from bot.db.tables.bookkeeping import facts as rows
from bot.errors import ClosingError, StorageBusyError
from tests.support.open_transactions import OpenTransaction, opened
from tests.support.unhurried import AMPLE_SECONDS
from tests.support.waiting import until

T = TypeVar("T")

ANN, BEN = keys.player(1), keys.player(2)
WHO: ContextVar[str] = ContextVar("who", default="nobody")


class OnPurposeError(Exception):
    """Raised in a transaction to undo it."""


@pytest.fixture
async def database(database_url: str) -> AsyncGenerator[Database]:
    database = await Database.open(database_url)
    yield database
    await database.close()


@pytest.fixture
def in_use() -> Generator[set[object]]:
    """Connections that somebody has at the moment, of all databases that are open."""
    found: set[object] = set()

    def take(_connection: object, record: object, _pooled: object) -> None:
        found.add(record)

    def give_back(_connection: object, record: object) -> None:
        found.discard(record)

    event.listen(Pool, "checkout", take)
    event.listen(Pool, "checkin", give_back)
    yield found
    event.remove(Pool, "checkout", take)
    event.remove(Pool, "checkin", give_back)


def put(name: str, value: str) -> Callable[[Transaction], None]:
    return lambda tx: facts.put(tx, name, value)


def get(name: str) -> Callable[[Transaction], str | None]:
    return lambda tx: facts.get(tx, name)


def both(tx: Transaction) -> tuple[str | None, str | None]:
    return facts.get(tx, "name"), facts.get(tx, "other")


def count(tx: Transaction) -> None:
    """Count in two places, which are the same if nothing was ever half done."""
    for name in ("name", "other"):
        facts.put(tx, name, str(int(facts.get(tx, name) or "0") + 1))


async def within(seconds: float, what: Coroutine[Any, Any, T]) -> T:
    """What comes of something that may wait for others for so long."""

    async def wait() -> T:
        wait_only(lambda: seconds)
        return await what

    return await asyncio.create_task(wait())


async def in_vain(what: Coroutine[Any, Any, object]) -> None:
    """Something that is not done, since others are about the same."""
    with pytest.raises(StorageBusyError):
        await within(0.05, what)


async def rounds(number: int) -> None:
    """Let the loop do what it can, so many times."""
    for _ in range(number):
        await asyncio.sleep(0)


async def test_a_transaction_keeps_its_writes_and_returns_its_result(database_url: str) -> None:
    database = await Database.open(database_url)

    def body(tx: Transaction) -> str | None:
        facts.put(tx, "name", "old")
        facts.put(tx, "name", "new")
        return facts.get(tx, "name")

    assert await database.write(body) == "new"
    assert await database.read(get("name")) == "new"
    await database.close()
    database = await Database.open(database_url)
    assert await database.read(get("name")) == "new"
    await database.close()


async def test_a_failed_transaction_leaves_nothing_and_its_neighbours_keep_their_writes(
    database: Database,
) -> None:
    def write(number: int) -> Callable[[Transaction], None]:
        def body(tx: Transaction) -> None:
            facts.put(tx, str(number), "here")
            if number % 2:
                raise OnPurposeError

        return body

    found = await asyncio.gather(
        *(database.write(write(number)) for number in range(20)), return_exceptions=True
    )
    assert [type(error) for error in found[1::2]] == [OnPurposeError] * 10
    kept = await database.read(lambda tx: [n for n in range(20) if facts.get(tx, str(n))])
    assert kept == list(range(0, 20, 2))


async def test_writes_run_in_the_order_they_were_requested(database: Database) -> None:
    done: list[int] = []

    def write(number: int) -> Callable[[Transaction], None]:
        def body(tx: Transaction) -> None:
            count(tx)
            done.append(number)

        return body

    async with opened(database.write, ANN) as tx:
        await tx.do(count)
        others = [asyncio.create_task(database.write(write(n), ANN)) for n in range(20)]
        await rounds(3)
        assert done == []
    await asyncio.gather(*others)
    assert done == list(range(20))
    assert await database.read(both) == ("21", "21")


async def test_a_transaction_that_gives_up_waiting_has_done_nothing(database: Database) -> None:
    async with opened(database.write, ANN):
        await in_vain(database.write(put("name", "never"), ANN))
        await in_vain(database.write(put("name", "never")))
    assert await database.read(get("name")) is None


async def test_a_write_without_time_left_still_runs_when_nothing_blocks_it(
    database: Database,
) -> None:
    await within(-1.0, database.write(put("name", "nobody is before it"), ANN))
    async with opened(database.write, ANN):
        with pytest.raises(StorageBusyError):
            await within(-1.0, database.write(put("name", "never"), ANN))
    reading = (within(-1.0, database.read(get("name"))) for _ in range(20))
    assert set(await asyncio.gather(*reading)) == {"nobody is before it"}


async def test_a_read_waits_for_no_write_and_sees_only_committed_rows(
    database: Database,
) -> None:
    await database.write(put("name", "old"))
    async with opened(database.write) as writing:
        await writing.do(put("name", "new"))
        assert await within(-1.0, database.read(get("name"))) == "old"
    assert await database.read(get("name")) == "new"


async def test_a_read_sees_one_snapshot(database: Database) -> None:
    await database.write(put("name", "old"))
    async with opened(database.read) as reading:
        assert await reading.do(get("name")) == "old"
        await database.write(put("name", "new"))
        assert await reading.do(get("name")) == "old"
    assert await database.read(get("name")) == "new"


async def test_a_few_reads_run_at_once_and_more_wait_their_turn(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.db.database._FOR_READERS_SECONDS", 0.05)
    reading = list[OpenTransaction]()
    async with AsyncExitStack() as stack:
        wait_only(lambda: 0.05)
        with pytest.raises(StorageBusyError):
            while True:
                reading.append(await stack.enter_async_context(opened(database.read)))
        wait_only(lambda: AMPLE_SECONDS)
        more = [asyncio.create_task(database.read(get("name"))) for _ in range(9)]
        assert [await tx.do(get("name")) for tx in reading] == [None] * len(reading)
        assert len(reading) > 1
        assert not any(task.done() for task in more)
    assert await asyncio.gather(*more) == [None] * 9


async def test_a_read_that_turns_out_to_write_starts_over_as_a_write(
    database: Database, database_url: str
) -> None:
    await database.write(put("name", "0"))
    seen: list[str | None] = []
    is_seen = asyncio.Event()
    goes_on = threading.Event()
    loop = asyncio.get_running_loop()

    def add(tx: Transaction) -> str:
        found = facts.get(tx, "name") or ""
        seen.append(found)
        if len(seen) == 1:
            loop.call_soon_threadsafe(is_seen.set)
            assert goes_on.wait(AMPLE_SECONDS)
        facts.put(tx, "name", str(int(found) + 1))
        return found

    adding = asyncio.create_task(database.read(add, ANN))
    await is_seen.wait()
    other = await Database.open(database_url)
    await other.write(put("name", "5"), ANN)  # somebody else, in between
    await other.close()
    async with opened(database.write, ANN):
        goes_on.set()
        await in_vain(database.read(put("name", "never"), ANN))
        assert seen == ["0"]
    assert await adding == "5"
    assert seen == ["0", "5"]
    assert await database.read(get("name")) == "6"


async def test_a_transaction_runs_outside_the_main_thread_with_the_context_of_its_caller(
    database: Database,
) -> None:
    WHO.set("Ann")

    def body(tx: Transaction) -> tuple[str, bool]:
        facts.get(tx, "name")
        who = WHO.get()
        WHO.set("Bob")
        return who, threading.current_thread() is threading.main_thread()

    for way in (database.read, database.write):
        assert await way(body) == ("Ann", False)
        assert WHO.get() == "Ann"


async def test_a_finished_transaction_cannot_be_used(database: Database) -> None:
    for way in (database.read, database.write):
        kept = await way(lambda tx: tx)
        with pytest.raises(ResourceClosedError):
            facts.get(kept, "name")


async def test_errors_of_the_database_quote_no_values(database: Database) -> None:
    row = {"name": None, "value": "a secret"}
    with pytest.raises(IntegrityError) as raised:
        await database.write(lambda tx: tx.execute(insert(rows), row))
    told = "".join(format_exception(raised.value))
    assert "INSERT INTO facts" in told
    assert "a secret" not in told


async def test_a_transaction_cancelled_before_it_begins_never_runs(
    database: Database, in_use: set[object]
) -> None:
    for steps in range(10):
        async with opened(database.write, ANN):
            waiting = [
                asyncio.create_task(database.write(put("other", "never"), ANN, *more))
                for more in ((), (BEN,))
            ]
            await rounds(steps)
            last = asyncio.create_task(database.write(put("name", str(steps)), ANN))
            await rounds(steps)
            for task in waiting:
                task.cancel()
            found = await asyncio.gather(*waiting, return_exceptions=True)
            assert [type(error) for error in found] == [asyncio.CancelledError] * 2
        await last
        assert await database.read(get("name")) == str(steps)
        assert await database.read(get("other")) is None
    await until(lambda: not in_use)


async def test_a_running_transaction_is_finished_though_its_caller_is_cancelled(
    database: Database, in_use: set[object]
) -> None:
    async with opened(database.write, ANN) as tx:
        await tx.do(put("name", "kept"))
        tx.task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await tx.task
        await in_vain(database.write(put("name", "never"), ANN))
        next_one = asyncio.create_task(database.write(get("name"), ANN))
        await rounds(10)
        assert not next_one.done()
    assert await next_one == "kept"
    await until(lambda: not in_use)


async def test_a_cancellation_at_any_moment_leaves_no_partial_write(
    database: Database, in_use: set[object]
) -> None:
    for steps in range(40):
        for asked in (database.write(count, ANN), database.read(count, ANN), database.read(both)):
            task = asyncio.create_task(asked)
            await rounds(steps)
            task.cancel()
            await asyncio.wait({task})
            name, other = await database.read(both)
            assert name == other
    await until(lambda: not in_use)
    await database.write(put("name", "afterwards"), ANN)
    assert await database.read(get("name")) == "afterwards"


async def test_a_transaction_that_fails_after_its_caller_was_cancelled_logs_nothing(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_tx: Transaction) -> None:
        raise OnPurposeError

    async with opened(database.write, ANN) as tx:
        await tx.do(put("name", "never"))
        tx.task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await tx.do(fail)
    assert await database.write(get("name"), ANN) is None
    assert not caplog.records


async def test_closing_waits_for_running_transactions_and_refuses_new_ones(
    database_url: str,
) -> None:
    database = await Database.open(database_url)
    async with opened(database.write, ANN) as tx, opened(database.read) as reading:
        waiting = asyncio.create_task(database.write(put("name", "never"), ANN))
        await rounds(3)
        closing = asyncio.create_task(database.close(put("last", "done")))
        await rounds(3)
        never = put("name", "never")
        for refused in (
            database.write(never, BEN),
            database.write(never, ANN),
            database.read(get("name")),
            database.checkpoint(),
        ):
            with pytest.raises(ClosingError):
                await refused
        await tx.do(put("name", "kept"))
        assert await reading.do(get("name")) is None
        assert not closing.done()
    with pytest.raises(ClosingError):
        await waiting
    await closing
    await database.close()
    for refused in (database.write(count), database.read(get("name")), database.checkpoint()):
        with pytest.raises(ClosingError):
            await refused
    database = await Database.open(database_url)
    assert await database.read(get("name")) == "kept"
    await database.close()


async def test_the_final_transaction_runs_once_after_all_others(
    database_url: str,
) -> None:
    database = await Database.open(database_url, patience=0.05)
    other = await Database.open(database_url)
    done: list[str] = []

    def last(tx: Transaction) -> None:
        done.append("last")
        facts.put(tx, "last", "done")

    async with opened(database.write, ANN) as tx:
        closing = [asyncio.create_task(database.close(last)) for _ in range(2)]
        for _ in range(3):
            await in_vain(other.write(count, ANN))
        await tx.do(lambda _tx: done.append("before"))
    await asyncio.gather(*closing)
    await database.close(last)
    assert done == ["before", "last"]
    assert await other.read(get("last")) == "done"
    await other.close()


async def test_a_database_is_closed_though_its_final_transaction_fails(database_url: str) -> None:
    database = await Database.open(database_url)

    def fail(tx: Transaction) -> None:
        facts.put(tx, "last", "done")
        raise OnPurposeError

    with pytest.raises(OnPurposeError):
        await database.close(fail)
    with pytest.raises(ClosingError):
        await database.read(get("last"))
    await database.close()
    database = await Database.open(database_url)
    assert await database.read(get("last")) is None
    await database.close()
