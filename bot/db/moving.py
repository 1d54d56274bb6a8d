"""Copying all rows of a database into another one, of any kind, and verifying them."""

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
    """A table's number of rows and a checksum of them that does not depend on their order."""

    table: str
    rows: int
    checksum: str


class DifferentContentError(Exception):
    """The copy of a table differs from the original."""

    def __init__(self, table: str) -> None:
        super().__init__(table)
        self.table = table


def first_with_rows(tx: Transaction) -> str | None:
    """Return the name of a table that has rows; None if all are empty."""
    for table in metadata.sorted_tables:
        if tx.execute(select(text("1")).select_from(table).limit(1)).first() is not None:
            return table.name
    return None


def copy(
    source: Transaction, target: Transaction, tell: Callable[[Content], None]
) -> list[Content]:
    """Copy and verify every table, and call `tell` after each.

    Tables that others refer to come first. New rows get ids after the last ones of the source.

    Raises:
        DifferentContentError: the copy of a table differs from the original.
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
    summed = _Sum(table)
    for page in _pages(tx, table):
        summed.add(page)
    return summed.content


class _Sum:
    def __init__(self, table: Table) -> None:
        self._table = table.name
        self._rows = self._sum = 0

    def add(self, page: list[Row]) -> None:
        """Add rows, whose order does not matter: each kind of database sorts differently."""
        self._rows += len(page)
        for row in page:
            told = json.dumps(row, default=_encode, ensure_ascii=False, separators=(",", ":"))
            digest = blake2b(told.encode(), digest_size=_DIGEST_BYTES).digest()
            self._sum += int.from_bytes(digest, "big")

    @property
    def content(self) -> Content:
        whole = self._sum % (1 << 8 * _DIGEST_BYTES)
        return Content(self._table, self._rows, f"{whole:0{2 * _DIGEST_BYTES}x}")


def _encode(value: object) -> object:
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
    key = [*table.primary_key]
    places = [[*table.columns].index(column) for column in key]
    first: Select[Any] = select(table).order_by(*key).limit(_PAGE)
    query = first
    while rows := [tuple(row) for row in tx.execute(query)]:
        yield rows
        if len(rows) < _PAGE:
            return
        # PostgreSQL would take an instant without its column's type for one of the session's zone.
        last = tuple_(*(rows[-1][place] for place in places), types=[column.type for column in key])
        query = first.where(tuple_(*key) > last)


def _continue_ids(source: Transaction, target: Transaction) -> None:
    """Let new rows of the target get ids after the source's: old buttons must not lead to them."""
    for table in metadata.sorted_tables:
        column = table.autoincrement_column
        if column is None:
            continue
        there: int | None = target.scalar(select(func.max(column)))
        last = max(last_id(source, table) or 0, there or 0)
        if last:
            set_last_id(target, table, last)


def last_id(tx: Transaction, table: Table) -> int | None:
    """Read the last id given to a table's rows; None if no row had one, or ids are not stored."""
    if _is_sqlite(tx):
        if not table.dialect_options["sqlite"]["autoincrement"]:
            return None
        query = text("SELECT seq FROM sqlite_sequence WHERE name = :table")
        return tx.scalar(query, {"table": table.name})
    sequence = _sequence(tx, table)
    return tx.scalar(text(f"SELECT last_value FROM {sequence} WHERE is_called"))  # noqa: S608 - a name of ours


def set_last_id(tx: Transaction, table: Table, last: int) -> None:
    """Let a table's next row get the id after `last`, if the table keeps its last id."""
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
    column = table.autoincrement_column
    if column is None:
        raise RuntimeError("only tables with ids have a sequence")
    query = text("SELECT pg_get_serial_sequence(:table, :column)")
    found = tx.scalar(query, {"table": table.name, "column": column.name})
    return str(found)


def _is_sqlite(tx: Transaction) -> bool:
    return tx.connection.dialect.name == "sqlite"
