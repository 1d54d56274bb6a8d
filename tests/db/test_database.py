"""The one door to the database keeps what it promises."""

import asyncio
import os
import sqlite3
import stat
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from bot.db.sqlite_thread import NAME, SqliteThread
from sqlalchemy import Connection, insert, select, text, update
from sqlalchemy.exc import IntegrityError, StatementError

from bot.db import facts
from bot.db import tables as schema
from bot.db.database import Database, Transaction
from bot.errors import ClosingError, NewerDatabaseError, StorageBusyError, UnusableDatabaseError
from bot.focdle import store as focdle_store

T = TypeVar("T")

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


class OnPurposeError(Exception):
    """Raised in a transaction to undo it."""


async def test_a_transaction_commits_at_its_end(database_url: str) -> None:
    database = await Database.open(database_url)

    def body(tx: Transaction) -> None:
        facts.put(tx, "name", "old")
        facts.put(tx, "name", "new")

    await database.write(body)
    await database.close()
    database = await Database.open(database_url)

    def body(tx: Transaction) -> None:
        assert facts.get(tx, "name") == "new"

    await database.write(body)
    await database.close()


async def test_a_neighbours_rollback_leaves_what_was_acknowledged(database_url: str) -> None:
    database = await Database.open(database_url)

    async def write(name: str, *, fails: bool) -> None:
        async with database.transaction() as tx:
            await facts.put(tx, name, "here")
            await asyncio.sleep(0)
            if fails:
                raise OnPurposeError

    await asyncio.gather(
        *(write(str(n), fails=n % 2 == 1) for n in range(20)), return_exceptions=True
    )
    kept = await database.write(lambda tx: [n for n in range(20) if facts.get(tx, str(n))])
    assert kept == list(range(0, 20, 2))
    await database.close()


async def test_a_cancelled_transaction_is_undone_and_the_door_opens_again(
    database_url: str,
) -> None:
    database = await Database.open(database_url)
    begun = asyncio.Event()

    async def hang() -> None:
        async with database.transaction() as tx:
            await facts.put(tx, "name", "never")
            begun.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(hang())
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    def body(tx: Transaction) -> None:
        assert facts.get(tx, "name") is None

    await database.write(body)
    await database.close()


async def test_the_write_lock_is_taken_before_anything_is_read(
    database_url: str, tmp_path: Path
) -> None:
    database = await Database.open(database_url)
    other = sqlite3.connect(tmp_path / "test.db", timeout=0, isolation_level=None)
    async with database.transaction():
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
    other.execute("BEGIN IMMEDIATE")
    other.close()
    await database.close()


async def test_a_lock_that_another_process_keeps_is_reported_in_time(
    database_url: str, tmp_path: Path
) -> None:
    database = await Database.open(database_url, patience=0.05)
    other = sqlite3.connect(tmp_path / "test.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageBusyError):
        async with database.transaction():
            pass
    other.execute("ROLLBACK")
    other.close()
    await database.write(lambda tx: facts.put(tx, "name", "now"))
    await database.close()


async def test_a_lock_that_a_neighbour_keeps_is_reported_in_time(database_url: str) -> None:
    database = await Database.open(database_url, patience=0.05)
    async with database.transaction():
        with pytest.raises(StorageBusyError):
            async with database.transaction():
                pass
    await database.close()


async def test_closing_waits_for_the_open_transaction_and_refuses_new_ones(
    database_url: str,
) -> None:
    database = await Database.open(database_url)
    async with database.transaction() as tx:
        closing = asyncio.create_task(database.close())
        await asyncio.sleep(0)
        with pytest.raises(ClosingError):
            async with database.transaction():
                pass
        assert not closing.done()
        await facts.put(tx, "name", "kept")
    await closing
    await database.close()
    database = await Database.open(database_url)

    def body(tx: Transaction) -> None:
        assert facts.get(tx, "name") == "kept"

    await database.write(body)
    await database.close()


async def test_a_database_of_a_newer_version_is_refused(database_url: str) -> None:
    database = await Database.open(database_url)
    await database.write(
        lambda tx: tx.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    )
    await database.close()
    with pytest.raises(NewerDatabaseError):
        await Database.open(database_url)


async def test_the_migrations_make_the_schema(database_url: str) -> None:
    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection)
        return list(compare_metadata(context, schema.metadata))

    database = await Database.open(database_url)

    def body(tx: Transaction) -> None:
        assert tx.run_sync(differences) == []

    await database.write(body)
    await database.close()


@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("foreign_keys", 1), ("synchronous", 2)]
)
async def test_connections_are_careful(database_url: str, pragma: str, value: object) -> None:
    database = await Database.open(database_url)

    def body(tx: Transaction) -> None:
        assert tx.scalar(text(f"PRAGMA {pragma}")) == value

    await database.write(body)
    await database.close()


async def test_foreign_keys_are_enforced(database_url: str) -> None:
    database = await Database.open(database_url)
    with pytest.raises(IntegrityError):
        await database.write(
            lambda tx: focdle_store.add_guess(tx, 99, turn=0, code="1+1", guessed_at=NOON)
        )
    await database.close()


async def test_a_puzzle_is_played_once_and_a_turn_written_once(database_url: str) -> None:
    database = await Database.open(database_url)
    add_play = partial(
        focdle_store.add_play, player_id=1, guild_id=None, zone="UTC", opened_at=NOON
    )

    def body(tx: Transaction) -> tuple[TODO, TODO]:
        puzzle_id = focdle_store.add_puzzle(tx, number=1, length=10, rules="r", secret="s")
        play_id = add_play(tx, puzzle_id=puzzle_id)
        focdle_store.add_guess(tx, play_id, turn=0, code="a", guessed_at=NOON)
        return play_id, puzzle_id

    play_id, puzzle_id = await database.write(body)
    for turn, code in ((0, "b"), (1, "a")):
        with pytest.raises(IntegrityError):
            await database.write(
                lambda tx: focdle_store.add_guess(
                    tx, play_id, turn=turn, code=code, guessed_at=NOON
                )
            )
    with pytest.raises(IntegrityError):
        await database.write(lambda tx: add_play(tx, puzzle_id=puzzle_id))
    with pytest.raises(IntegrityError):
        await database.write(
            lambda tx: focdle_store.add_puzzle(tx, number=1, length=10, rules="r", secret="t")
        )
    await database.close()


async def test_instants_come_back_as_they_were(database_url: str) -> None:
    database = await Database.open(database_url)
    tokyo = NOON.astimezone(timezone(timedelta(hours=9)))

    def body(tx: Transaction) -> tuple[TODO, TODO]:
        puzzle_id = focdle_store.add_puzzle(tx, number=1, length=10, rules="r", secret="s")
        play_id = focdle_store.add_play(
            tx, puzzle_id=puzzle_id, player_id=1, guild_id=None, zone="UTC", opened_at=tokyo
        )
        row = focdle_store.get_play(tx, play_id)
        stored = tx.scalar(text("SELECT opened_at FROM plays"))
        return row, stored

    row, stored = await database.write(body)
    assert row is not None
    assert row.opened_at == NOON
    assert row.opened_at.tzinfo is UTC
    assert stored == "2026-11-20 12:00:00.000000"
    with pytest.raises(StatementError, match="naive"):
        await database.write(
            lambda tx: tx.execute(
                select(schema.plays).where(schema.plays.c.opened_at == NOON.replace(tzinfo=None))
            )
        )
    await database.close()


async def test_the_outcome_and_the_end_come_together(database_url: str) -> None:
    database = await Database.open(database_url)
    with pytest.raises(IntegrityError):

        def body(tx: Transaction) -> None:
            puzzle_id = focdle_store.add_puzzle(tx, number=1, length=10, rules="r", secret="s")
            values = {"puzzle_id": puzzle_id, "player_id": 1, "zone": "UTC", "opened_at": NOON}
            tx.execute(insert(schema.plays).values(**values, outcome="solved"))

        await database.write(body)
    await database.close()


async def test_a_statement_is_one_trip_to_the_databases_thread(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    trips: list[object] = []
    do = SqliteThread.do

    async def note(self: SqliteThread, work: Callable[[], T]) -> T:
        trips.append(work)
        return await do(self, work)

    monkeypatch.setattr(SqliteThread, "do", note)
    # SQLite refuses to be used from another thread.
    database = await Database.open(f"{database_url}?check_same_thread=true")
    trips.clear()

    def body(tx: Transaction) -> None:
        made = insert(schema.puzzles).returning(schema.puzzles.c.id)
        puzzle = {"number": 7, "length": 10, "rules": "r", "secret": "s"}
        assert (tx.execute(made.values(puzzle))).all() == [(1,)]
        tx.execute(insert(schema.facts), [{"name": n, "value": n} for n in "abc"])
        renamed = tx.execute(update(schema.facts).values(value="x"))
        assert renamed.rowcount == len("abc")
        names = tx.execute(select(schema.facts.c.name).order_by(schema.facts.c.name.desc()))
        assert names.scalars().all() == ["c", "b", "a"]

    await database.write(body)
    assert len(trips) == len(["begin", *"iius", "commit"])
    await database.close()


async def test_the_last_thing_is_done_once_after_all_others_and_kept(database_url: str) -> None:
    database = await Database.open(database_url)
    done: list[str] = []

    async def last(tx: Transaction) -> None:
        with pytest.raises(ClosingError):
            async with database.transaction():
                pass
        done.append("last")
        await tx.execute(insert(schema.facts).values(name="last", value="x"))

    async with database.transaction():
        closing = asyncio.create_task(database.close(last))
        await asyncio.sleep(0.05)
        done.append("before")
    await closing
    await database.close(last)
    assert done == ["before", "last"]
    reopened = await Database.open(database_url)

    def body(tx: Transaction) -> None:
        assert facts.get(tx, "last") == "x"

    await reopened.write(body)
    await reopened.close()


async def test_a_database_is_closed_though_the_last_thing_fails(database_url: str) -> None:
    database = await Database.open(database_url)

    def fail(tx: Transaction) -> None:
        tx.execute(insert(schema.facts).values(name="last", value="x"))
        raise OnPurposeError

    with pytest.raises(OnPurposeError):
        await database.close(fail)
    await database.close()
    reopened = await Database.open(database_url)

    def body(tx: Transaction) -> None:
        assert facts.get(tx, "last") is None

    await reopened.write(body)
    await reopened.close()


def modes(folder: Path) -> dict[str, int]:
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}


async def test_the_files_of_a_new_database_are_its_owners_alone(tmp_path: Path) -> None:
    umask = os.umask(0)
    try:
        database = await Database.open(f"sqlite:///{tmp_path}/new.db")
        made = modes(tmp_path)
    finally:
        os.umask(umask)
    await database.close()
    assert made == {"new.db": 0o600, "new.db-shm": 0o600, "new.db-wal": 0o600}


async def test_a_database_that_is_there_keeps_its_mode(database_url: str, tmp_path: Path) -> None:
    (tmp_path / "test.db").chmod(0o640)
    database = await Database.open(database_url)
    assert set(modes(tmp_path).values()) == {0o640}
    await database.close()


async def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "no.db").write_text("not a database, but long enough to be read as one" * 20)
    for url in (f"{tmp_path}/no.db", f"{tmp_path}/nowhere/at.db"):
        with pytest.raises(UnusableDatabaseError):
            await Database.open(f"sqlite:///{url}")


async def test_a_disk_that_fills_meanwhile_is_told_by_name(database_url: str) -> None:
    database = await Database.open(database_url)

    def body(tx: Transaction) -> TODO:
        pages = tx.scalar(text("PRAGMA page_count"))
        tx.execute(text(f"PRAGMA max_page_count = {pages}"))
        return pages

    pages = await database.write(body)
    with pytest.raises(UnusableDatabaseError, match=r"^database or disk is full$"):

        def body(tx: Transaction) -> None:
            for number in range(1000):
                tx.execute(insert(schema.facts).values(name=f"{number}", value="x" * 256))

        await database.write(body)

    def body(tx: Transaction) -> None:
        assert facts.get(tx, "0") is None
        tx.execute(text(f"PRAGMA max_page_count = {pages + 100}"))
        facts.put(tx, "0", "x" * 256)

    await database.write(body)
    await database.close()


async def test_no_thread_is_left_behind(database_url: str, tmp_path: Path) -> None:
    def threads() -> int:
        return sum(thread.name == NAME for thread in threading.enumerate())

    before = threads()
    database = await Database.open(database_url)
    assert threads() == before + 1
    await database.close()
    assert threads() == before
    with pytest.raises(UnusableDatabaseError):
        await Database.open(f"sqlite:///{tmp_path}/nowhere/at.db")
    assert threads() == before


async def test_who_is_cancelled_while_a_transaction_begins_leaves_the_lock_free(
    database_url: str, tmp_path: Path
) -> None:
    database = await Database.open(database_url)
    other = sqlite3.connect(tmp_path / "test.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")  # so that beginning takes a while

    async def begin() -> None:
        async with database.transaction():
            raise AssertionError

    task = asyncio.create_task(begin())
    await asyncio.sleep(0.05)
    task.cancel()
    await asyncio.sleep(0.05)
    assert not task.done()  # it waits until what it began can be undone
    other.execute("ROLLBACK")
    with pytest.raises(asyncio.CancelledError):
        await task
    other.execute("BEGIN IMMEDIATE")
    other.close()
    await database.close()


async def test_the_url_of_the_driver_that_the_bot_had_before_is_understood(tmp_path: Path) -> None:
    database = await Database.open(f"sqlite+aiosqlite:///{tmp_path}/test.db")
    await database.close()
    assert (tmp_path / "test.db").is_file()


async def test_a_database_that_may_only_be_read_is_refused(database_url: str) -> None:
    """Some other user owns the file: SQLite opens it all the same, and would fail later."""
    path = database_url.removeprefix("sqlite:///")
    with pytest.raises(UnusableDatabaseError, match="readonly"):
        await Database.open(f"sqlite:///file:{path}?mode=ro&uri=true")
