"""A look at the database from outside the bot, and at what the bot asks it."""

import sqlite3
from collections.abc import Callable, Generator, Iterable
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from bot.storage.sqlite_thread import ReadingCursor


def sql(folder: Path, statement: str) -> list[tuple[Any, ...]]:
    """Run one statement on a test's database, commit it, and give its rows."""
    with closing(sqlite3.connect(folder / "test.db")) as database:
        database.execute("PRAGMA synchronous = OFF")  # nobody pulls the plug in these tests
        with database:
            return database.execute(statement).fetchall()


def multiply(folder: Path, table: str, key: str, times: int) -> None:
    """Copy a table's rows, which have number 1, for the numbers up to `times`."""
    columns = [row[1] for row in sql(folder, f"PRAGMA table_info({table})")]
    values = ", ".join("n" if column == key else column for column in columns)
    numbers = f"SELECT 2 AS n UNION ALL SELECT n + 1 FROM numbers WHERE n < {times}"  # noqa: S608
    copies = f"WITH RECURSIVE numbers AS ({numbers}) SELECT {values} FROM {table}, numbers"  # noqa: S608
    sql(folder, f"INSERT INTO {table} ({', '.join(columns)}) {copies}")


@contextmanager
def overheard(
    note: Callable[[str, tuple[Any, ...]], None], *, by_row: bool = True
) -> Generator[None]:
    """Tell of whatever databases are asked meanwhile, but how they are to work.

    Args:
        note: takes a statement and its values.
        by_row: whether one statement with values for many rows is told of for each.
    """
    one, many = ReadingCursor.execute, ReadingCursor.executemany

    def execute(self: ReadingCursor, sql: str, parameters: Any = ()) -> ReadingCursor:
        if not sql.startswith("PRAGMA"):
            note(sql, tuple(parameters))
        return one(self, sql, parameters)

    def executemany(self: ReadingCursor, sql: str, parameters: Iterable[Any]) -> ReadingCursor:
        values = [*parameters]
        for each in values if by_row else values[:1]:
            note(sql, tuple(each))
        return many(self, sql, values)

    ReadingCursor.execute, ReadingCursor.executemany = execute, executemany
    try:
        yield
    finally:
        ReadingCursor.execute, ReadingCursor.executemany = one, many


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
