"""Tables that hold a noun under each key, pages of ids, statements built once."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import Field, dataclass, fields
from datetime import datetime
from functools import cache, wraps
from inspect import signature
from typing import Any, ClassVar, Final, Generic, ParamSpec, Protocol, TypeVar, TypeVarTuple, cast

from sqlalchemy import (
    Column,
    ColumnElement,
    Executable,
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
    """Whether a row's server is on one of these shards; direct messages are, where it has none.

    Args:
        guild_id: the column that names the server.
        shards: those of a process.
    """
    if shards.is_all:
        return true()
    number = func.coalesce(guild_id, 0) // 2**ID_BITS % shards.count
    return number.between(shards.first, shards.last)


# Tables that hold a noun under each key, and columns that are named after a noun's fields. Only
# what every such table has is here; any other statement is written where it is needed.


class Noun(Protocol):
    """A dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


N = TypeVar("N", bound=Noun)
Key = TypeVarTuple("Key")


def columns_of(
    noun: type[Noun], *sources: FromClause, **others: ColumnElement[Any]
) -> list[ColumnElement[Any]]:
    """What to select so that a row has a noun's fields, in their order.

    Args:
        noun: a dataclass.
        sources: where the columns are; the first that has one is taken.
        others: what a field is that no source has.
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
    """A table with a noun under each key. What the noun does not tell stays as it is.

    Args:
        noun: a dataclass; the table has a column for each of its fields.
        table: the table; its primary key is the key.
    """

    def __init__(self, noun: type[N], table: Table) -> None:
        self._noun = noun
        self._table = table
        self._key: Final = [column.name for column in table.primary_key]
        self._fields: Final = [field.name for field in fields(noun)]
        is_it = _under(table, self._key)
        self._select = select(*columns_of(noun, table)).where(*is_it)
        self._delete = delete(table).where(*is_it)

    def get(self, tx: Transaction, *key: *Key) -> N | None:
        """What is stored under a key, if anything is."""
        row = tx.execute(self._select, self._bound(key)).mappings().one_or_none()
        return None if row is None else self._noun(**row)

    def put(self, tx: Transaction, noun: N, *key: *Key) -> bool:
        """Store something under a key, in place of what was there; whether nothing was."""
        return put(tx, self._table, self._named(key), self._told(noun))

    def add(self, tx: Transaction, noun: N, *key: *Key) -> None:
        """Store something under a key that has nothing yet."""
        tx.execute(_addition(self._table), {**self._named(key), **self._told(noun)})

    def drop(self, tx: Transaction, *key: *Key) -> bool:
        """Forget what is stored under a key; whether anything was."""
        return tx.execute(self._delete, self._bound(key)).rowcount > 0

    def _named(self, key: tuple[object, ...]) -> dict[str, object]:
        return dict(zip(self._key, key, strict=True))

    def _bound(self, key: tuple[object, ...]) -> dict[str, object]:
        return {_of(name): value for name, value in self._named(key).items()}

    def _told(self, noun: N) -> dict[str, object]:
        return {name: getattr(noun, name) for name in self._fields}


class Schedule:
    """When each row of a table is to be looked at; null for never.

    Args:
        at: the column that says it, in a table with one id for a key.
    """

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
        """The ids of rows to look at now, those that have waited longest first.

        Args:
            tx: the transaction.
            now: the present instant.
            most: how many at most.
            shards: where the table has a `guild_id`, of servers of these alone.
        """
        due = self._due
        if not shards.is_all:
            due = due.where(is_served(self._table.c.guild_id, shards))
        return list(tx.scalars(due, {"now": now, "most": most}).all())

    def count_due(self, tx: Transaction, now: datetime, shards: ShardRange = ALL) -> int:
        """How many rows were to be looked at by an instant; as `find_due` in the rest."""
        due = self._count
        if not shards.is_all:
            due = due.where(is_served(self._table.c.guild_id, shards))
        return tx.scalar(due, {"now": now}) or 0

    def put_off(self, tx: Transaction, number: int, later: datetime) -> None:
        """Look again later, if at all."""
        tx.execute(self._put_off, {"of_number": number, "later": later})


def put(
    tx: Transaction, table: Table, key: Mapping[str, object], values: Mapping[str, object]
) -> bool:
    """Let the row under a key have these values; whether it is new.

    It is changed if it is there, else inserted: every database can do both.
    """
    where = {_of(name): value for name, value in key.items()}
    if tx.execute(_change(table, tuple(key)), {**where, **values}).rowcount:
        return False
    tx.execute(_addition(table), {**key, **values})
    return True


@cache
def _addition(table: Table) -> Insert:
    return insert(table)


@cache
def _change(table: Table, key: tuple[str, ...]) -> Update:
    """What changes the row under a key; whoever executes it says in which columns."""
    return update(table).where(*_under(table, key))


def _under(table: Table, key: Iterable[str]) -> list[ColumnElement[bool]]:
    return [table.c[name] == bindparam(_of(name)) for name in key]


def _of(name: str) -> str:
    """What a value of a key is called in a statement: columns' own names are taken there."""
    return f"of_{name}"


@dataclass(frozen=True, slots=True)
class IdPage:
    """A page: the ids above one, the lowest first, up to a number of them."""

    after: int = 0
    most: int = 50


def find_ids(
    tx: Transaction, number: Column[Any], condition: ColumnElement[bool], page: IdPage
) -> list[int]:
    """The ids of a page for which a rare condition holds, ascending."""
    # Those few have an index; in the order of ids, all rows would be looked at to find them.
    place = number + 0
    query = select(number).where(condition, place > page.after).order_by(place).limit(page.most)
    return list(tx.scalars(query).all())


_SIZE: Final = {
    "sqlite": text("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"),
    "postgresql": text("SELECT pg_database_size(current_database())"),
}


def bytes_of(tx: Transaction) -> int:
    """How many bytes all of it takes; of a file, without the log of the last changes beside it."""
    found = tx.scalar(_SIZE[tx.connection.dialect.name])
    return int(found or 0)


P = ParamSpec("P")
S = TypeVar("S", bound=Executable)


def once(build: Callable[P, S]) -> Callable[P, tuple[S, dict[str, Any]]]:
    """Let a function build its statement once, with parameters in place of its arguments.

    The function sees no value: it can put an argument into a statement, and nothing else, and
    none is ever None. What is called then gives the statement and its parameters:

        @once
        def _find(number: int) -> Select[int]:
            return select(puzzles.c.id).where(puzzles.c.number == number)

        await tx.scalar(*_find(number))
    """
    names = {name: f"of_{name}" for name in signature(build).parameters}
    built: list[S] = []

    @wraps(build)
    def bound(*values: P.args, **others: P.kwargs) -> tuple[S, dict[str, Any]]:
        if not built:
            of_any: Callable[..., S] = build
            built.append(of_any(**{name: bindparam(of) for name, of in names.items()}))
        found = dict(zip(names.values(), values, strict=False))
        found |= {names[name]: value for name, value in others.items()}
        return built[0], {name: _listed(value) for name, value in found.items()}

    return bound


def _listed(value: object) -> object:
    """A value; what are several, as the list that a statement takes."""
    if isinstance(value, Collection) and not isinstance(value, str):
        return list(cast("Collection[object]", value))
    return value
