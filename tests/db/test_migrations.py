"""What this version can use and what not, and how a later one would bring it up to date."""

import asyncio
import hashlib
import logging
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import (
    BigInteger,
    Column,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from bot.db import revisions
from bot.db.database import Database
from bot.db.revisions import BASELINE, known_revisions
from bot.db.tables import metadata
from bot.errors import NewerDatabaseError, StorageError, TrialDatabaseError
from tests.support import later
from tests.support.databases import Databases
from tests.support.schemas import of_postgres, of_sqlite
from tests.support.waiting import until

ROOT: Final = Path(__file__).parents[2]
STAMP: Final = "SELECT version_num FROM alembic_version"
PLAYERS: Final = [(1, "Ann"), (2, "Ben")]


# What migrations have added to the tables of 1.0, as it is written there, and where it stands.
ADDED: Final = ("\tlanguage VARCHAR(8), \n",)
LANGUAGES: Final = ("preferences", "guilds", "players")


def digest_of(tables: MetaData, *but: str) -> str:
    """16 hexadecimal digits that follow from all columns, constraints, indexes, but some lines."""
    dialects: list[Dialect] = [sqlite.dialect(), postgresql.dialect()]
    statements = sorted(
        str(statement.compile(dialect=dialect))
        for dialect in dialects
        for table in tables.tables.values()
        for statement in (CreateTable(table), *map(CreateIndex, table.indexes))
    )
    schema = "\n".join(statements)
    for line in but:
        schema = schema.replace(line, "")
    return hashlib.sha256(schema.encode()).hexdigest()[:16]


def tables(*more: Any, length: int = 8, is_given: bool = True, **options: Any) -> MetaData:
    """Two tables, which differ by what a test asks for."""
    made = MetaData()
    columns = Column("name", String(length), nullable=not is_given), *more
    Table("players", made, Column("id", Integer, primary_key=True), *columns, **options)
    Table("games", made, Column("player", Integer, ForeignKey("players.id")))
    return made


def test_the_digest_of_tables_follows_from_whatever_a_database_is_made_with() -> None:
    other_order = MetaData()
    for table in reversed(tables().sorted_tables):
        table.to_metadata(other_order)
    assert digest_of(other_order) == digest_of(tables())
    where = Index("some", "name", sqlite_where=Column("name") == "a")  # pyright: ignore[reportArgumentType]
    every = [
        tables(),
        tables(Column("more", Integer)),
        tables(Column("more", Integer().with_variant(BigInteger(), "postgresql"))),
        tables(length=9),
        tables(is_given=False),
        tables(Index("some", "name")),
        tables(Index("some", "name", unique=True)),
        tables(where),
        tables(sqlite_autoincrement=True),
    ]
    assert len({digest_of(each) for each in every}) == len(every)


def test_tables_change_only_by_migrations() -> None:
    assert digest_of(metadata, *ADDED) == BASELINE.partition("_")[2]


async def test_a_database_of_1_0_gets_the_tables_that_a_new_one_has(
    databases: Databases, tmp_path: Path
) -> None:
    url = databases.new(tmp_path)
    add_players(databases, tmp_path)
    now = schema_of(databases, url, tmp_path)
    for table in LANGUAGES:
        databases.query(tmp_path, f"ALTER TABLE {table} DROP COLUMN language")
    stamp(databases, tmp_path, BASELINE)
    assert schema_of(databases, url, tmp_path) != now
    await open_and_close(url)
    assert schema_of(databases, url, tmp_path) == now
    assert databases.query(tmp_path, STAMP)[1] == [(known_revisions()[-1],)]
    rows = databases.query(tmp_path, "SELECT player_id, name, language FROM players ORDER BY 1")
    assert rows[1] == [(*each, None) for each in PLAYERS]


def test_migrations_are_one_chain_in_the_order_of_their_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    later.come(monkeypatch.setattr)
    folders = [str(folder) for folder in revisions.folders]
    script = ScriptDirectory(str(ROOT / "bot" / "db" / "migrations"), version_locations=folders)
    found = [each.revision for each in script.walk_revisions()]  # the last comes first
    assert tuple(reversed(found)) == known_revisions()
    assert found[0] == later.REVISION


def stamp(databases: Databases, folder: Path, revision: str) -> None:
    databases.query(folder, f"UPDATE alembic_version SET version_num = '{revision}'")


def add_players(databases: Databases, folder: Path) -> None:
    for number, name in PLAYERS:
        values = f"VALUES ({number}, '{name}', '2026-11-20 12:00:00.000000')"
        databases.query(folder, f"INSERT INTO players (player_id, name, seen_at) {values}")


def bytes_of(databases: Databases, url: str, folder: Path) -> object:
    """A file's bytes; of a server, each row with its place and the transaction that wrote it."""
    if url.startswith("sqlite"):
        return {file.name: file.read_bytes() for file in folder.iterdir()}
    query = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
    names = [name for (name,) in databases.query(folder, query)[1]]
    rows = "SELECT ctid::text, xmin::text, t::text FROM {} t ORDER BY 1"
    return {name: databases.query(folder, rows.format(name)) for name in names}


def schema_of(databases: Databases, url: str, folder: Path) -> str:
    if not url.startswith("sqlite"):
        return of_postgres(lambda statement: databases.query(folder, statement)[1])
    with closing(sqlite3.connect(folder / "test.db")) as connection:
        return of_sqlite(connection)


@pytest.mark.parametrize(
    ("revision", "why"),
    [
        ("0001", TrialDatabaseError),
        ("0065", TrialDatabaseError),  # version 0.3.0
        (f"0100_{'0' * 16}", TrialDatabaseError),
        ("0100", TrialDatabaseError),
        ("of another program", TrialDatabaseError),
        ("0102", NewerDatabaseError),
        (f"9999_{'0' * 16}", NewerDatabaseError),
    ],
)
async def test_a_database_with_another_stamp_is_refused_unchanged(
    revision: str, why: type[StorageError], databases: Databases, tmp_path: Path
) -> None:
    url = databases.new(tmp_path)
    add_players(databases, tmp_path)
    stamp(databases, tmp_path, revision)
    before = bytes_of(databases, url, tmp_path)
    with pytest.raises(why):
        await Database.open(url)
    assert bytes_of(databases, url, tmp_path) == before


async def open_and_close(url: str) -> None:
    database = await Database.open(url)
    await database.close()


def nicknames(databases: Databases, folder: Path) -> object:
    query = f"SELECT player_id, name, {later.COLUMN} FROM players ORDER BY 1"
    return databases.query(folder, query)[1]


async def test_a_later_version_migrates_a_database_and_keeps_its_rows(
    databases: Databases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = databases.new(tmp_path)
    add_players(databases, tmp_path)
    later.come(monkeypatch.setattr)
    for _ in range(2):
        await open_and_close(url)
        assert databases.query(tmp_path, STAMP)[1] == [(later.REVISION,)]
        assert nicknames(databases, tmp_path) == [(*each, each[1]) for each in PLAYERS]


async def test_a_migration_that_fails_leaves_the_database_as_it_was(
    databases: Databases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise ZeroDivisionError

    url = databases.new(tmp_path)
    add_players(databases, tmp_path)
    before = databases.query(tmp_path, "SELECT * FROM players ORDER BY 1")
    later.come(monkeypatch.setattr)
    monkeypatch.setattr(later, "halfway", fail)
    with pytest.raises(ZeroDivisionError):
        await open_and_close(url)
    assert databases.query(tmp_path, "SELECT * FROM players ORDER BY 1") == before
    assert databases.query(tmp_path, STAMP)[1] == [(later.BEFORE,)]


async def test_one_migrates_the_database_while_others_wait(
    databases: Databases,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "bot")
    url = databases.new(tmp_path)
    add_players(databases, tmp_path)
    begun, may_end = list[int](), threading.Event()

    def wait() -> None:
        begun.append(1)
        may_end.wait()

    later.come(monkeypatch.setattr)
    monkeypatch.setattr(later, "halfway", wait)

    def is_told(often: int) -> Callable[[], bool]:
        line = "waiting for the process that brings the database up to date"
        return lambda: caplog.messages.count(line) == often

    try:
        opening = [
            asyncio.create_task(Database.open(url, patience=0.05, waits=True)) for _ in range(3)
        ]
        await until(is_told(2))
    finally:
        may_end.set()
    for each in opening:
        await (await each).close()
    assert begun == [1]
    assert nicknames(databases, tmp_path) == [(*each, each[1]) for each in PLAYERS]
