"""Copies all that a database has into another, of whatever kind, and proves that it is there."""

import json
from collections.abc import Callable, Generator
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from hashlib import blake2b
from typing import Any, Final

from sqlalchemy import Select, Table, func, insert, select, text, tuple_

from bot.db.database import Transaction
from bot.db.tables import metadata

_PAGE: Final = 5000
_DIGEST_BYTES: Final = 16

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Content:
    """What a table has.

    Attributes:
        table: its name.
        rows: how many.
        checksum: what no other rows have, in whatever order; in hexadecimal digits.
    """

    table: str
    rows: int
    checksum: str


class DifferentContentError(Exception):
    """A table has not become what it was; `table` is its name."""

    def __init__(self, table: str) -> None:
        super().__init__(table)
        self.table = table


def first_with_rows(tx: Transaction) -> str | None:
    """The name of a table that has any row; None if there is nothing at all."""
    for table in metadata.sorted_tables:
        if tx.execute(select(text("1")).select_from(table).limit(1)).first() is not None:
            return table.name
    return None


def copy(
    source: Transaction, target: Transaction, tell: Callable[[Content], None]
) -> list[Content]:
    """Copy every table, those first that others refer to.

    Args:
        source: where nobody writes meanwhile.
        target: where there is nothing yet.
        tell: is told of each table that is there.

    Raises:
        DifferentContentError: a table has not become what it was.
    """
    found: list[Content] = []
    for table in metadata.sorted_tables:
        summed, addition = _Sum(table), insert(table)
        names = [column.name for column in table.columns]
        for page in _pages(source, table):
            summed.add(page)
            target.execute(addition, [dict(zip(names, row, strict=True)) for row in page])
        before = summed.content
        if content(target, table) != before:
            raise DifferentContentError(table.name)
        tell(before)
        found.append(before)
    _continue_ids(source, target)
    return found


def content(tx: Transaction, table: Table) -> Content:
    """What a table has."""
    summed = _Sum(table)
    for page in _pages(tx, table):
        summed.add(page)
    return summed.content


class _Sum:
    """Sums up the rows of a table."""

    def __init__(self, table: Table) -> None:
        self._table = table.name
        self._rows = self._sum = 0

    def add(self, page: list[Row]) -> None:
        """Add rows. A sum does not depend on their order, which is not the same everywhere."""
        self._rows += len(page)
        for row in page:
            told = json.dumps(row, default=_told, ensure_ascii=False, separators=(",", ":"))
            digest = blake2b(told.encode(), digest_size=_DIGEST_BYTES).digest()
            self._sum += int.from_bytes(digest, "big")

    @property
    def content(self) -> Content:
        """What they come to."""
        whole = self._sum % (1 << 8 * _DIGEST_BYTES)
        return Content(self._table, self._rows, f"{whole:0{2 * _DIGEST_BYTES}x}")


def _told(value: object) -> object:
    """What JSON has no word for: an instant, a date, one of an enum's members, bytes."""
    match value:
        case bytes():
            return value.hex()
        case datetime() | date():
            return value.isoformat()
        case Enum():
            return value.value
        case _:
            raise TypeError(f"{type(value).__name__} cannot be told")


def _pages(tx: Transaction, table: Table) -> Generator[list[Row]]:
    """The rows of a table in the order of their keys, some thousand at a time."""
    key = [*table.primary_key]
    places = [[*table.columns].index(column) for column in key]
    first: Select[Any] = select(table).order_by(*key).limit(_PAGE)
    query = first
    while rows := [tuple(row) for row in tx.execute(query)]:
        yield rows
        if len(rows) < _PAGE:
            return
        last = [rows[-1][place] for place in places]
        query = first.where(tuple_(*key) > tuple_(*last))


def _continue_ids(source: Transaction, target: Transaction) -> None:
    """Let new rows have ids that none had before: old buttons know those of rows that are gone."""
    for table in metadata.sorted_tables:
        column = table.autoincrement_column
        if column is None:
            continue
        there: int | None = target.scalar(select(func.max(column)))
        last = max(last_id(source, table) or 0, there or 0)
        if last:
            set_last_id(target, table, last)


def last_id(tx: Transaction, table: Table) -> int | None:
    """The last id that a table has given; None if it has given none, or does not remember."""
    if _is_sqlite(tx):
        if not table.dialect_options["sqlite"]["autoincrement"]:
            return None
        query = text("SELECT seq FROM sqlite_sequence WHERE name = :table")
        return tx.scalar(query, {"table": table.name})
    sequence = _sequence(tx, table)
    return tx.scalar(text(f"SELECT last_value FROM {sequence} WHERE is_called"))  # noqa: S608 - a name of ours


def set_last_id(tx: Transaction, table: Table, last: int) -> None:
    """Let the next id that a table gives be one more."""
    if not _is_sqlite(tx):
        values = {"sequence": _sequence(tx, table), "last": last}
        tx.execute(text("SELECT setval(CAST(:sequence AS regclass), :last)"), values)
    elif table.dialect_options["sqlite"]["autoincrement"]:
        values = {"table": table.name, "last": last}
        for statement in (
            "DELETE FROM sqlite_sequence WHERE name = :table",
            "INSERT INTO sqlite_sequence (name, seq) VALUES (:table, :last)",
        ):
            tx.execute(text(statement), values)


def _sequence(tx: Transaction, table: Table) -> str:
    """What PostgreSQL calls the sequence of a table's ids."""
    column = table.autoincrement_column
    if column is None:
        raise RuntimeError("only tables with ids have a sequence")
    query = text("SELECT pg_get_serial_sequence(:table, :column)")
    found = tx.scalar(query, {"table": table.name, "column": column.name})
    return str(found)


def _is_sqlite(tx: Transaction) -> bool:
    return tx.connection.dialect.name == "sqlite"
