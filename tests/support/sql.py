"""A look at the database from outside the bot, and at what the bot asks it."""

import re
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Boolean, Column
from sqlalchemy.dialects.postgresql.asyncpg import AsyncAdapt_asyncpg_cursor

from bot.db.sqlite_thread import ReadingCursor
from bot.db.tables import metadata
from tests.support.databases import used
from tests.support.postgres import as_sqlite_has, asyncpg


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


@contextmanager
def overheard(note: Note, *, by_row: bool = True) -> Generator[None]:
    """Tell of whatever databases are asked meanwhile, but how they are to work.

    What is asked of PostgreSQL is told as if it were SQLite.

    Args:
        note: takes a statement and its values.
        by_row: whether one statement with values for many rows is told of for each.
    """
    with ExitStack() as stack:
        for cursor in (ReadingCursor, AsyncAdapt_asyncpg_cursor):
            stack.enter_context(_around(cursor, "execute", partial(_one, note)))
            stack.enter_context(_around(cursor, "executemany", partial(_many, note, by_row)))
        stack.enter_context(_around(asyncpg.Connection, "execute", partial(_begin, note)))
        yield


def _one(note: Note, execute: Callable[..., Any]) -> Callable[..., Any]:
    def overheard(self: object, sql: str, parameters: Iterable[Any] | None = ()) -> Any:
        if not sql.startswith("PRAGMA"):
            note(_plain(sql), tuple(map(as_sqlite_has, parameters or ())))
        return execute(self, sql, parameters)

    return overheard


def _many(note: Note, by_row: bool, execute: Callable[..., Any]) -> Callable[..., Any]:
    def overheard(self: object, sql: str, parameters: Iterable[Any]) -> Any:
        values = [*parameters]
        for each in values if by_row else values[:1]:
            note(_plain(sql), tuple(map(as_sqlite_has, each)))
        return execute(self, sql, values)

    return overheard


def _begin(note: Note, execute: Callable[..., Any]) -> Callable[..., Any]:
    def overheard(self: object, sql: str, *others: Any) -> Any:
        if sql.startswith("BEGIN"):
            note("BEGIN" if "READ ONLY" in sql else "BEGIN IMMEDIATE", ())
        return execute(self, sql, *others)

    return overheard


@contextmanager
def _around(
    kind: type, name: str, other: Callable[[Callable[..., Any]], Callable[..., Any]]
) -> Generator[None]:
    """Something else in place of a method, which knows the method."""
    is_own, method = name in vars(kind), getattr(kind, name)
    setattr(kind, name, other(method))
    try:
        yield
    finally:
        if is_own:
            setattr(kind, name, method)
        else:
            delattr(kind, name)


def _plain(statement: str) -> str:
    return re.sub(r"\$\d+::\w+( WITHOUT TIME ZONE)?", "?", statement)


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
