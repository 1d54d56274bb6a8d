"""A look at the database from outside the bot, and at what the bot asks it."""

import re
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Boolean, Column, Connection, Engine, event

from bot.db.tables import metadata
from tests.support.databases import used
from tests.support.postgres import as_sqlite_has


def sql(folder: Path, statement: str) -> list[tuple[Any, ...]]:
    """Run one statement on a test's database, commit it, and give its rows.

    Instants and dates are text in them, as SQLite has them, and what is true or false is 1 or 0.
    """
    return [tuple(row) for row in used().query(folder, statement)[1]]


def named(folder: Path, statement: str) -> list[dict[str, Any]]:
    """As `sql`, with the names of the columns."""
    names, rows = used().query(folder, statement)
    return [dict(zip(names, row, strict=True)) for row in rows]


def insert(folder: Path, table: str, row: Mapping[str, object]) -> None:
    """Add a row, as `named` gives them."""
    columns = metadata.tables[table].columns
    values = [_literal(columns[name], value) for name, value in row.items()]
    sql(folder, f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join(values)})")
    if "id" in row:
        used().has_been_given(folder, table)


def _literal(column: Column[Any], value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(column.type, Boolean):
        return str(bool(value))
    return "'{}'".format(value.replace("'", "''")) if isinstance(value, str) else str(value)


def multiply(folder: Path, table: str, key: str, times: int) -> None:
    """Copy a table's rows, which have number 1, for the numbers up to `times`."""
    columns = metadata.tables[table].columns.keys()
    values = ", ".join("n" if column == key else column for column in columns)
    numbers = f"SELECT 2 AS n UNION ALL SELECT n + 1 FROM numbers WHERE n < {times}"
    copies = f"WITH RECURSIVE numbers AS ({numbers}) SELECT {values} FROM {table}, numbers"
    sql(folder, f"INSERT INTO {table} ({', '.join(columns)}) {copies}")


Note = Callable[[str, tuple[Any, ...]], None]
"""Takes a statement and its values."""


_HEARERS: Final[list[tuple[Note, bool]]] = []


@contextmanager
def overheard(note: Note, *, by_row: bool = True) -> Generator[None]:
    """Tell of whatever databases are asked meanwhile, but how they are to work.

    What is asked of PostgreSQL is told as if it were SQLite.

    Args:
        note: takes a statement and its values; called in the database's thread.
        by_row: whether one statement with values for many rows is told of for each.
    """
    hearer = note, by_row
    _HEARERS.append(hearer)
    try:
        yield
    finally:
        _HEARERS.remove(hearer)


# Once for all: nobody may come or go while a thread is being told of its statement.
@event.listens_for(Engine, "before_cursor_execute")
def _executes(
    _connection: Connection,
    _cursor: object,
    sql: str,
    parameters: Any,
    _context: object,
    is_many: bool,
) -> None:
    if not _HEARERS or sql.startswith("PRAGMA") or " pg_" in sql or "(pg_" in sql:
        return
    several = parameters if is_many else [parameters]
    for note, by_row in tuple(_HEARERS):
        for each in several if by_row else several[:1]:
            note(*_plain(sql, each))


@event.listens_for(Engine, "begin")
def _begins(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        is_read_only = connection.get_execution_options().get("postgresql_readonly")
        for note, _ in tuple(_HEARERS):
            note("BEGIN" if is_read_only else "BEGIN IMMEDIATE", ())


def _plain(sql: str, parameters: Any) -> tuple[str, tuple[Any, ...]]:
    """A statement and its values as SQLite is given them."""
    if not isinstance(parameters, Mapping):
        return sql, tuple(map(as_sqlite_has, parameters or ()))
    names = re.findall(r"%\((\w+)\)s", sql)
    plain = re.sub(r"%\(\w+\)s(::\w+( WITHOUT TIME ZONE)?)?", "?", sql)
    return plain, tuple(as_sqlite_has(parameters[name]) for name in names)


@contextmanager
def statements() -> Generator[list[list[str]]]:
    """The statements that are made inside, by transaction."""
    made: list[list[str]] = []

    def note(statement: str, _values: object) -> None:
        if statement.startswith("BEGIN"):
            made.append([])
        else:
            made[-1].append(statement)

    with overheard(note, by_row=False):
        yield made
