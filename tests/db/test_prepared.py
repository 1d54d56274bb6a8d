"""Prepared statements give what SQLAlchemy gives, of every type and every kind of statement."""

import gc
import sqlite3
import weakref
from collections.abc import Collection, Generator
from datetime import UTC, date, datetime, timedelta, timezone
from enum import Enum
from typing import Any, Final

import pytest
from bot.db.prepared import Rows, execute
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import (
    BigInteger,
    Boolean,
    Connection,
    Date,
    Float,
    Integer,
    LargeBinary,
    Select,
    String,
    Text,
    bindparam,
    create_engine,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError, StatementError
from sqlalchemy.types import TypeEngine

from bot.db.keyed import once
from bot.db.tables import facts, guilds, metadata, puzzles, streak_changes
from bot.db.tables.kinds import UtcDateTime, Word
from bot.streaks.model import Reason
from tests.support.effort import examples

KINDS: Final[dict[str, TypeEngine[Any]]] = {
    repr(column.type).split("(")[0]: column.type
    for table in metadata.tables.values()
    for column in table.c
}
_ZONES: Final = st.integers(-12, 14).map(lambda hours: timezone(timedelta(hours=hours)))
_TEXTS: Final = st.text(st.characters(codec="utf-8"))
_NUMBERS: Final = st.integers(-(2**63), 2**63 - 1)
VALUES: Final[dict[type[Any], st.SearchStrategy[Any]]] = {
    UtcDateTime: st.datetimes(timezones=_ZONES).filter(lambda at: 2 < at.year < 9999),
    Boolean: st.booleans(),
    Date: st.dates(),
    Float: st.floats(allow_nan=False),
    Integer: _NUMBERS,
    BigInteger: _NUMBERS,
    String: _TEXTS,
    LargeBinary: st.binary(),
    Text: _TEXTS,
}
NOON: Final = datetime(2026, 11, 20, 12, tzinfo=UTC)


def values(kind: TypeEngine[Any]) -> st.SearchStrategy[Any]:
    """What a column of this type may have."""
    if isinstance(kind, Word):
        words: type[Enum] = kind.kind
        return st.sampled_from([*words])
    return VALUES[type(kind)]


@pytest.fixture
def connection() -> Generator[Connection]:
    engine = create_engine("sqlite://", hide_parameters=True)
    with engine.connect() as connection:
        metadata.create_all(connection)
        yield connection
    engine.dispose()


def prepared(connection: Connection, statement: Any, parameters: Any = None) -> Rows[*tuple[Any]]:
    """What a statement gives that was met before."""
    execute(connection, statement, parameters)
    found = execute(connection, statement, parameters)
    assert isinstance(found, Rows)
    return found


@examples(10, 500)
@given(data=st.data())
def test_values_of_every_type_come_back_as_from_sqlalchemy(data: st.DataObject) -> None:
    with create_engine("sqlite://").connect() as connection:
        for kind in KINDS.values():
            taken = select(bindparam("value", type_=kind).label("value"), func.max(1).label("one"))
            value = data.draw(values(kind) | st.none())
            as_ever = connection.execute(taken, {"value": value})
            found = prepared(connection, taken, {"value": value})
            assert list(found.keys()) == list(as_ever.keys())
            (row,), (other,) = found.all(), as_ever.all()
            assert tuple(row) == tuple(other) == (value, 1)
            assert (type(row.value), row.one) == (type(other.value), other.one)
            # A value that stands in the statement is a parameter, too.
            fixed = select(bindparam("value", value, type_=kind))
            assert prepared(connection, fixed).scalar() == value


def test_every_kind_of_statement_is_executed(connection: Connection) -> None:
    added = insert(facts).returning(facts.c.name, facts.c.value)
    for name in "abc":
        row = execute(connection, added, {"name": name, "value": name * 2}).one()
        assert (row.name, row.value, row[0]) == (name, name * 2, name)
    assert prepared(connection, select(func.count()).select_from(facts)).scalar_one() == 3
    changed = update(facts).where(facts.c.name == bindparam("of_name"))
    for name, count in (("a", 1), ("b", 1), ("z", 0)):
        found = execute(connection, changed, {"of_name": name, "value": "new"})
        assert found.rowcount == count
    several = select(facts.c.name, facts.c.value.label("what")).order_by(facts.c.name.desc())
    assert prepared(connection, several).mappings().all() == [
        {"name": "c", "what": "cc"},
        {"name": "b", "what": "new"},
        {"name": "a", "what": "new"},
    ]
    assert prepared(connection, several).first() == ("c", "cc")
    names = [row[facts.c.name] for row in prepared(connection, several).mappings()]
    assert names == ["c", "b", "a"]
    assert prepared(connection, several.limit(bindparam("most")), {"most": 1}).all() == [
        ("c", "cc")
    ]
    assert prepared(connection, delete(facts).where(facts.c.value == "no")).rowcount == 0
    both = select(facts.c.name).union(select(facts.c.value)).order_by("name")
    assert prepared(connection, both).scalars().all() == ["a", "b", "c", "cc", "new"]


def test_many_rows_are_written_at_once(connection: Connection) -> None:
    statement = insert(streak_changes)
    values = [
        {
            "player_id": player,
            "day": date(2026, 11, 20),
            "reason": Reason.SOLVED,
            "before": 1,
            "after": 0,
            "freezes": 0,
        }
        for player in range(9)
    ]
    for three in (values[:3], values[3:6], values[6:]):
        assert execute(connection, statement, three).rowcount == 3
    assert isinstance(execute(connection, statement, [{**values[0], "player_id": 10}]), Rows)
    found = connection.execute(select(streak_changes.c.player_id, streak_changes.c.reason)).all()
    assert sorted(found) == [(player, Reason.SOLVED) for player in [*range(9), 10]]


def test_lists_have_a_text_for_each_length(connection: Connection) -> None:
    names = [chr(ord("a") + number) for number in range(25)]
    for name in names:
        connection.execute(insert(facts), {"name": name, "value": name.upper()})
    some = (
        select(facts.c.name)
        .where(facts.c.name.in_(bindparam("some")), facts.c.value.in_(bindparam("values")))
        .where(facts.c.name.in_([*"abcdefghijklmnopqrstuvwxyz"]), facts.c.value != "B")
        .order_by(facts.c.name)
    )
    for count in (0, 1, 2, 3, 20, 21, 25, 2, 0):
        wanted = names[:count]
        for values in (wanted, ["A"], names[::-1]):
            # Others of the same length make no other text.
            upper = [value.upper() for value in values]
            found = execute(connection, some, {"some": wanted, "values": upper})
            kept = [name for name in wanted if name.upper() in upper and name != "b"]
            assert found.scalars().all() == kept
            is_short = max(count, len(upper)) <= 20
            found = execute(connection, some, {"some": wanted, "values": upper})
            assert isinstance(found, Rows) == is_short
            assert found.scalars().all() == kept


def test_columns_that_fill_themselves_are_left_to_sqlalchemy(connection: Connection) -> None:
    added = insert(guilds)
    for guild_id in range(3):
        assert not isinstance(execute(connection, added, {"guild_id": guild_id}), Rows)
    assert set(connection.scalars(select(guilds.c.post_hour))) == {9}


@once
def _named(name: str, values: Collection[str]) -> Select[str, str]:
    return (
        select(facts.c.name, facts.c.value)
        .where(facts.c.name == name, facts.c.value.in_(values))
        .limit(1)
    )


def test_a_statement_is_built_once_whatever_it_is_asked_for(connection: Connection) -> None:
    connection.execute(insert(facts), [{"name": name, "value": name * 2} for name in "abc"])
    first, _ = _named("a", ["aa"])
    for name, values, found in (
        ("b", {"bb"}, [("b", "bb")]),
        ("c", ("x", "cc"), [("c", "cc")]),
        ("c", ["aa", "bb"], []),
        ("a", {"aa": 1}.keys(), [("a", "aa")]),
    ):
        statement, parameters = _named(name, values=values)
        assert statement is first
        assert execute(connection, statement, parameters).all() == found


def test_other_parameters_make_another_statement(connection: Connection) -> None:
    added = insert(puzzles)
    one = {"length": 10, "rules": "r", "secret": "s"}
    for number, more in enumerate([{}, {}, {"salt": "a"}, {}, {"salt": "b"}]):
        execute(connection, added, {**one, "number": number, **more})
    found = connection.execute(select(puzzles.c.salt).order_by(puzzles.c.number)).scalars().all()
    assert found == [None, None, "a", None, "b"]


def test_errors_are_sqlalchemys_and_quote_no_values(connection: Connection) -> None:
    added = insert(facts)
    for name in "ab":
        execute(connection, added, {"name": name, "value": "a secret"})
    with pytest.raises(IntegrityError) as raised:
        execute(connection, added, {"name": "a", "value": "a secret"})
    assert isinstance(raised.value.orig, sqlite3.IntegrityError)
    assert "INSERT INTO facts" in str(raised.value)
    assert "a secret" not in str(raised.value)
    when = select(bindparam("instant", type_=UtcDateTime()))
    assert prepared(connection, when, {"instant": NOON}).scalar() == NOON
    with pytest.raises(StatementError, match="a naive datetime is no instant"):
        execute(connection, when, {"instant": NOON.replace(tzinfo=None)})
    for wrong in ({}, {"other": NOON}):
        with pytest.raises(StatementError, match="instant"):
            execute(connection, when, wrong)


def test_statements_that_are_gone_are_forgotten(connection: Connection) -> None:
    connection.execution_options(compiled_cache=None)  # which is full at some time
    statement = select(facts.c.name).where(facts.c.value == bindparam("of_value"))
    prepared(connection, statement, {"of_value": ""})
    gone = weakref.ref(statement)
    del statement
    gc.collect()
    assert gone() is None
