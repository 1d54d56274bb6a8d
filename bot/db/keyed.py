"""Helpers for SQL: tables with a dataclass under each key, rows that fall due, pages of ids."""

from collections.abc import Iterable, Mapping
from dataclasses import Field, fields
from datetime import datetime
from functools import cache
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar, TypeVarTuple

from sqlalchemy import (
    Column,
    ColumnElement,
    FromClause,
    Insert,
    Table,
    Update,
    bindparam,
    delete,
    func,
    insert,
    select,
    text,
    true,
    update,
)

from bot.db.database import Transaction
from bot.outages import ALL, ID_BITS, ShardRange


def is_served(guild_id: Column[int], shards: ShardRange) -> ColumnElement[bool]:
    """Match rows whose server is on these shards; rows of direct messages are on shard 0."""
    if shards.is_all:
        return true()
    number = func.coalesce(guild_id, 0) // 2**ID_BITS % shards.count
    return number.between(shards.first, shards.last)


class Noun(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


N = TypeVar("N", bound=Noun)
Key = TypeVarTuple("Key")


def columns_of(
    noun: type[Noun], *sources: FromClause, **others: ColumnElement[Any]
) -> list[ColumnElement[Any]]:
    """List the columns of a noun's fields for a `select`, in the fields' order.

    Args:
        sources: tables; a field's column is that of the first table that has one of its name.
        others: expressions that stand for fields, in place of columns.
    """

    def column(name: str) -> ColumnElement[Any]:
        if name in others:
            return others[name].label(name)
        for source in sources:
            if name in source.c:
                return source.c[name]
        raise TypeError(f"{noun.__name__}.{name} is no column")

    return [column(field.name) for field in fields(noun)]


class Keyed(Generic[N, *Key]):
    """A table that holds a dataclass under each primary key.

    The table has a column for each field; `put` does not change its other columns.
    """

    def __init__(self, noun: type[N], table: Table) -> None:
        self._noun = noun
        self._table = table
        self._key: Final = [column.name for column in table.primary_key]
        self._fields: Final = [field.name for field in fields(noun)]
        is_it = _matching(table, self._key)
        self._select = select(*columns_of(noun, table)).where(*is_it)
        self._delete = delete(table).where(*is_it)

    def get(self, tx: Transaction, *key: *Key) -> N | None:
        row = tx.execute(self._select, self._bound(key)).mappings().one_or_none()
        return None if row is None else self._noun(**row)

    def put(self, tx: Transaction, noun: N, *key: *Key) -> bool:
        """Update the row of a key, or insert it; return true for a new row."""
        return put(tx, self._table, self._named(key), self._values(noun))

    def add(self, tx: Transaction, noun: N, *key: *Key) -> None:
        tx.execute(_addition(self._table), {**self._named(key), **self._values(noun)})

    def drop(self, tx: Transaction, *key: *Key) -> bool:
        return tx.execute(self._delete, self._bound(key)).rowcount > 0

    def _named(self, key: tuple[object, ...]) -> dict[str, object]:
        return dict(zip(self._key, key, strict=True))

    def _bound(self, key: tuple[object, ...]) -> dict[str, object]:
        return {_parameter(name): value for name, value in self._named(key).items()}

    def _values(self, noun: N) -> dict[str, object]:
        return {name: getattr(noun, name) for name in self._fields}


class Schedule:
    """A column that says when each row is due; null means never."""

    def __init__(self, at: Column[datetime]) -> None:
        self._table = at.table
        (number,) = at.table.primary_key
        self._due = (
            select(number)
            .where(at <= bindparam("now"))
            .order_by(at, number)
            .limit(bindparam("most"))
        )
        self._count = select(func.count()).select_from(at.table).where(at <= bindparam("now"))
        self._put_off = (
            update(at.table)
            .where(number == bindparam("of_number"), at.is_not(None))
            .values({at: bindparam("later")})
        )

    def find_due(
        self, tx: Transaction, now: datetime, *, most: int, shards: ShardRange = ALL
    ) -> list[int]:
        """Find the ids of at most `most` due rows, the longest due first.

        With `shards`, only rows of their servers; rows of direct messages are on shard 0.
        """
        due = self._due
        if not shards.is_all:
            due = due.where(is_served(self._table.c.guild_id, shards))
        return list(tx.scalars(due, {"now": now, "most": most}).all())

    def count_due(self, tx: Transaction, now: datetime, shards: ShardRange) -> int:
        """Count the rows that `find_due` would find without a limit."""
        due = self._count
        if not shards.is_all:
            due = due.where(is_served(self._table.c.guild_id, shards))
        return tx.scalar(due, {"now": now}) or 0

    def put_off(self, tx: Transaction, number: int, later: datetime) -> None:
        """Set when a row is due next; a row that is never due stays so."""
        tx.execute(self._put_off, {"of_number": number, "later": later})


def put(
    tx: Transaction, table: Table, key: Mapping[str, object], values: Mapping[str, object]
) -> bool:
    """Update the row of a key, or insert it; return true for a new row.

    Two statements do this in both databases, whose upserts differ.
    """
    where = {_parameter(name): value for name, value in key.items()}
    if tx.execute(_change(table, tuple(key)), {**where, **values}).rowcount:
        return False
    tx.execute(_addition(table), {**key, **values})
    return True


@cache
def _addition(table: Table) -> Insert:
    return insert(table)


@cache
def _change(table: Table, key: tuple[str, ...]) -> Update:
    return update(table).where(*_matching(table, key))


def _matching(table: Table, key: Iterable[str]) -> list[ColumnElement[bool]]:
    return [table.c[name] == bindparam(_parameter(name)) for name in key]


def _parameter(name: str) -> str:
    """Name the parameter for a key column in `WHERE`.

    It differs from the column's own name, which is the parameter for a new value.
    """
    return f"of_{name}"


PAGE: Final = 50
"""The most ids of a page."""


def find_ids(
    tx: Transaction, number: Column[Any], condition: ColumnElement[bool], after: int
) -> list[int]:
    """Find a page of the ids above `after` of rows that a condition matches; fast if they are few.

    They are ascending.
    """
    # `+ 0` keeps SQLite from scanning by id: the few matching rows have an index of their own.
    place = number + 0
    query = select(number).where(condition, place > after).order_by(place).limit(PAGE)
    return list(tx.scalars(query).all())


_SIZE: Final = {
    "sqlite": text("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"),
    "postgresql": text("SELECT pg_database_size(current_database())"),
}


def size_in_bytes(tx: Transaction) -> int:
    """Measure the database's size in bytes; an SQLite log is not counted."""
    found = tx.scalar(_SIZE[tx.connection.dialect.name])
    return int(found or 0)
