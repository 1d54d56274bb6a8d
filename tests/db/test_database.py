"""A database in a file keeps what it promises, to the bot and to others who have the file."""

import asyncio
import os
import sqlite3
import stat
import threading
from collections.abc import AsyncGenerator, Generator
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from sqlalchemy import event, insert, select, text
from sqlalchemy.exc import IntegrityError, StatementError
from sqlalchemy.pool import Pool

from bot.clock import wait_only
from bot.db import facts
from bot.db import tables as schema
from bot.db.database import Database, Threads, Transaction
from bot.errors import ClosingError, StorageBusyError, UnusableDatabaseError
from bot.focdle import store as focdle_store
from tests.support.connections import number_open
from tests.support.open_transactions import opened
from tests.support.waiting import until

pytestmark = pytest.mark.sqlite  # its files

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture
async def database(database_url: str) -> AsyncGenerator[Database]:
    database = await Database.open(database_url)
    yield database
    await database.close()


@pytest.fixture
def other(database_url: str, tmp_path: Path) -> Generator[sqlite3.Connection]:
    """What another process has of the file; it waits for nobody."""
    assert database_url
    connection = sqlite3.connect(tmp_path / "test.db", timeout=0, isolation_level=None)
    with closing(connection):
        yield connection


async def put(database: Database, value: str) -> None:
    await database.write(lambda tx: facts.put(tx, "name", value))


async def look(database: Database) -> str | None:
    return await database.read(lambda tx: facts.get(tx, "name"))


async def test_connections_to_sqlite_are_opened_with_safe_settings(database_url: str) -> None:
    found = list[dict[str, object]]()

    def note(connection: sqlite3.Connection, _record: object, _pooled: object) -> None:
        pragmas = ("journal_mode", "foreign_keys", "synchronous", "secure_delete")
        found.append({each: connection.execute(f"PRAGMA {each}").fetchone()[0] for each in pragmas})

    event.listen(Pool, "checkout", note)  # before the tests let it wait for no disk
    database = await Database.open(database_url)
    await look(database)
    await database.close()
    event.remove(Pool, "checkout", note)
    careful = {"journal_mode": "wal", "foreign_keys": 1, "synchronous": 2, "secure_delete": 1}
    assert found == [careful] * 2


async def test_the_database_refuses_a_daily_or_play_twice_and_a_turn_or_code_twice_in_a_play(
    database: Database,
) -> None:
    add_play = partial(
        focdle_store.add_play, player_id=1, guild_id=None, zone="UTC", opened_at=NOON
    )
    add_puzzle = partial(focdle_store.add_puzzle, number=1, length=10, rules="r", salt="0")
    add_guess = partial(focdle_store.add_guess, guessed_at=NOON)

    def begin(tx: Transaction) -> tuple[int, int]:
        puzzle_id = add_puzzle(tx, secret="s")
        play_id = add_play(tx, puzzle_id=puzzle_id)
        add_guess(tx, play_id, turn=0, code="a")
        return play_id, puzzle_id

    play_id, puzzle_id = await database.write(begin)
    for again in (
        partial(add_guess, play_id=play_id, turn=0, code="b"),
        partial(add_guess, play_id=play_id, turn=1, code="a"),
        partial(add_play, puzzle_id=puzzle_id),
        partial(add_puzzle, secret="t"),
    ):
        with pytest.raises(IntegrityError):
            await database.write(again)


async def test_an_instant_is_read_back_as_it_was_stored(database: Database) -> None:
    tokyo = NOON.astimezone(timezone(timedelta(hours=9)))

    def play(tx: Transaction) -> tuple[datetime, object]:
        puzzle_id = focdle_store.add_puzzle(
            tx, number=1, length=10, rules="focdle:10/6", secret="12+34-5=41", salt="0"
        )
        play_id = focdle_store.add_play(
            tx, puzzle_id=puzzle_id, player_id=1, guild_id=None, zone="UTC", opened_at=tokyo
        )
        row = focdle_store.get_play(tx, play_id)
        assert row is not None
        return row.opened_at, tx.scalar(text("SELECT opened_at FROM plays"))

    opened_at, stored = await database.write(play)
    assert opened_at == NOON
    assert opened_at.tzinfo is UTC
    assert stored == "2026-11-20 12:00:00.000000"
    naive = select(schema.games.plays).where(
        schema.games.plays.c.opened_at == NOON.replace(tzinfo=None)
    )
    with pytest.raises(StatementError, match="naive"):
        await database.write(lambda tx: tx.execute(naive))


async def test_the_database_refuses_a_play_with_an_outcome_but_no_end(database: Database) -> None:
    def body(tx: Transaction) -> None:
        puzzle_id = focdle_store.add_puzzle(
            tx, number=1, length=10, rules="r", secret="s", salt="0"
        )
        values = {"puzzle_id": puzzle_id, "player_id": 1, "zone": "UTC", "opened_at": NOON}
        tx.execute(insert(schema.games.plays).values(**values, outcome="solved"))

    with pytest.raises(IntegrityError):
        await database.write(body)


async def test_a_write_takes_the_lock_before_it_reads(
    database: Database, other: sqlite3.Connection
) -> None:
    async with opened(database.write):
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
    other.execute("BEGIN IMMEDIATE")


async def test_a_write_waits_for_another_process_up_to_its_patience(
    database: Database, other: sqlite3.Connection
) -> None:
    other.execute("BEGIN IMMEDIATE")
    other.execute("INSERT INTO facts VALUES ('name', 'theirs')")
    wait_only(lambda: 0.05)
    with pytest.raises(StorageBusyError):
        await put(database, "never")
    assert await look(database) is None  # those who read do not wait
    wait_only(lambda: 100.0)
    waiting = asyncio.create_task(put(database, "ours"))
    await asyncio.sleep(0)
    other.execute("COMMIT")
    await waiting
    assert await look(database) == "ours"


async def test_a_write_cancelled_while_it_waits_is_done_only_if_it_had_begun(
    database: Database, other: sqlite3.Connection
) -> None:
    other.execute("BEGIN IMMEDIATE")
    begun = asyncio.create_task(put(database, "it has begun"))
    waiting = asyncio.create_task(put(database, "never"))
    await asyncio.sleep(0)
    for task in (waiting, begun):
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    other.execute("ROLLBACK")
    assert await database.write(lambda tx: facts.get(tx, "name")) == "it has begun"
    other.execute("BEGIN IMMEDIATE")


async def test_a_write_never_waits_longer_in_total_than_its_patience(database_url: str) -> None:
    database = await Database.open(database_url, patience=100.0)
    milliseconds = text("PRAGMA busy_timeout")

    async def left() -> int:
        return await database.write(lambda tx: tx.scalar(milliseconds))

    assert 0 < await left() <= 100_000
    async with opened(database.write):
        later = asyncio.create_task(left())
        await asyncio.sleep(0)
        since = monotonic()
        while (waited := monotonic() - since) < 0.01:
            await asyncio.sleep(0)
    assert await later <= 100_000 - round(waited * 1000)
    wait_only(lambda: -1.0)
    assert await left() == 0
    await database.close()


async def test_the_write_ahead_log_is_emptied_unless_a_reader_still_needs_it(
    database: Database, tmp_path: Path
) -> None:
    log = tmp_path / "test.db-wal"
    await put(database, "secret-1")
    async with opened(database.read) as reading:
        assert await reading.do(lambda tx: facts.get(tx, "name")) == "secret-1"
        await put(database, "secret-2")
        assert not await database.checkpoint()
        assert b"secret-1" in log.read_bytes()
    assert await database.checkpoint()
    assert log.read_bytes() == b""
    assert b"secret-1" not in (tmp_path / "test.db").read_bytes()
    assert await look(database) == "secret-2"
    await put(database, "secret-3")


def content(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


async def test_opening_a_database_read_only_changes_nothing_in_it(
    database_url: str, tmp_path: Path, other: sqlite3.Connection
) -> None:
    other.execute("UPDATE alembic_version SET version_num = '9999'")
    other.close()
    before = content(tmp_path)
    database = Database.unmigrated(database_url)
    assert await look(database) is None
    with pytest.raises(UnusableDatabaseError, match="readonly"):
        await put(database, "never")
    await database.close()
    assert content(tmp_path) == before


def modes(folder: Path) -> dict[str, int]:
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}


async def test_only_the_user_who_runs_the_bot_may_read_the_files_of_a_new_database(
    tmp_path: Path,
) -> None:
    umask = os.umask(0)
    try:
        database = await Database.open(f"sqlite:///{tmp_path}/new.db")
        made = modes(tmp_path)
    finally:
        os.umask(umask)
    await database.close()
    assert made == {"new.db": 0o600, "new.db-shm": 0o600, "new.db-wal": 0o600}


async def test_an_existing_database_keeps_its_file_mode(database_url: str, tmp_path: Path) -> None:
    (tmp_path / "test.db").chmod(0o640)
    database = await Database.open(database_url)
    assert await look(database) is None
    assert set(modes(tmp_path).values()) == {0o640}
    await database.close()
    assert [*modes(tmp_path)] == ["test.db"]


async def test_a_full_disk_during_a_write_is_reported_as_a_full_disk(database: Database) -> None:
    def leave_room(tx: Transaction, pages: int) -> None:
        used = tx.scalar(text("PRAGMA page_count"))
        tx.execute(text(f"PRAGMA max_page_count = {used + pages}"))

    def fill(tx: Transaction) -> None:
        for number in range(1000):
            tx.execute(insert(schema.bookkeeping.facts).values(name=f"{number}", value="x" * 256))

    await database.write(lambda tx: leave_room(tx, 0))
    with pytest.raises(UnusableDatabaseError, match=r"^database or disk is full$"):
        await database.write(fill)
    assert await database.read(lambda tx: facts.get(tx, "0")) is None
    await database.write(lambda tx: leave_room(tx, 100))
    await put(database, "x" * 256)


async def test_a_closed_database_leaves_no_thread_behind(database_url: str, tmp_path: Path) -> None:
    before = {*threading.enumerate()}

    def threads() -> set[str]:
        return {each.name for each in {*threading.enumerate()} - before}

    database = await Database.open(database_url)
    await look(database)
    assert {"database_0", "database reader_0"} <= threads()
    await database.close()
    (tmp_path / "no.db").write_text("no database" * 1000)
    for url in (f"{tmp_path}/nowhere/at.db", f"{tmp_path}/no.db"):
        with pytest.raises(UnusableDatabaseError):
            await Database.open(f"sqlite:///{url}")
    assert not [name for name in threads() if name.startswith("database")]


async def test_a_cancelled_close_goes_on_until_all_connections_are_closed(
    database_url: str,
) -> None:
    before = number_open()
    database = await Database.open(database_url)
    async with opened(database.read):
        closing = asyncio.create_task(database.close())
        with pytest.raises(ClosingError):
            while True:
                await look(database)
        closing.cancel()
        await asyncio.wait({closing})
        assert closing.cancelled()
    await until(lambda: number_open() == before)


async def test_a_read_only_database_is_refused(database_url: str) -> None:
    """Some other user owns the file: SQLite opens it all the same, and would fail later."""
    path = database_url.removeprefix("sqlite:///")
    with pytest.raises(UnusableDatabaseError, match="readonly"):
        await Database.open(f"sqlite:///file:{path}?mode=ro&uri=true")


async def test_a_cancelled_job_logs_nothing_and_frees_its_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As when Ctrl+C ends a loop that cancels all that runs in it."""
    loop, errors = asyncio.get_running_loop(), list[str]()
    threads = Threads(1, "test")
    doing: asyncio.Future[bool] = loop.create_future()

    def note(_: object, context: dict[str, Any]) -> None:
        errors.append(context["message"])

    def run(*_: object) -> asyncio.Future[bool]:
        return doing

    loop.set_exception_handler(note)
    with monkeypatch.context() as patched:
        patched.setattr(loop, "run_in_executor", run)
        caller = asyncio.create_task(threads.do(bool, monotonic()))
        await asyncio.sleep(0)
        doing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await caller
    assert await threads.do(int, monotonic()) == 0
    assert errors == []
    threads.close()
