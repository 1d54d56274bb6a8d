"""The schema of a database as text, object by object, from outside the bot."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any, Final

Query = Callable[[str], list[tuple[Any, ...]]]
"""Runs one statement, and gives its rows."""

_COLUMNS: Final = """
    SELECT relname, attname, format_type(atttypid, atttypmod), attnotnull, attidentity::text,
        pg_get_expr(adbin, adrelid)
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
        AND attnum > 0 AND NOT attisdropped
    ORDER BY relname, attnum
"""
_CONSTRAINTS: Final = """
    SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
"""
_INDEXES: Final = """
    SELECT tablename, indexdef FROM pg_indexes
    WHERE schemaname = 'public' AND indexname NOT IN (SELECT conname FROM pg_constraint)
"""
_SEQUENCES: Final = "SELECT sequencename, data_type::text FROM pg_sequences"
_TRIGGERS: Final = "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal"


def objects(connection: sqlite3.Connection) -> dict[str, tuple[list[str], list[str]]]:
    """Every object of an SQLite file: its columns in their order, its constraints in any."""
    found: dict[str, tuple[list[str], list[str]]] = {}
    for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_schema"):
        plain = re.sub(r"\s*([(),])\s*", r"\1", re.sub(r"\s+", " ", (sql or "").replace('"', "")))
        head, _, rest = plain.partition("(")
        listed, _, tail = rest.rpartition(")")
        parts = re.split(r",(?![^(]*\))", listed)
        constraints = [part for part in parts if part.startswith("CONSTRAINT")]
        columns = [part for part in parts if part not in constraints]
        found[f"{kind} {name}"] = [head, *columns, tail], sorted(constraints)
    return found


def of_sqlite(connection: sqlite3.Connection) -> str:
    """The schema of an SQLite file."""
    lines: list[str] = []
    for name, ((head, *columns, tail), constraints) in sorted(objects(connection).items()):
        if head.startswith("CREATE TABLE"):
            lines += [f"{name} {tail}".rstrip(), *(f"  {part}" for part in columns + constraints)]
        else:
            lines.append(f"{name} {head}({','.join(columns)}){tail}" if head else name)
    return "\n".join(lines)


def of_postgres(query: Query) -> str:
    """The schema of a database of PostgreSQL's."""
    return "\n".join(_of_postgres(query))


def _of_postgres(query: Query) -> Iterator[str]:
    tables: dict[str, list[str]] = {}
    for table, name, kind, is_needed, identity, default in query(_COLUMNS):
        needed, given = "NOT NULL" if is_needed else "", f"DEFAULT {default}" if default else ""
        parts = filter(None, [name, kind, needed, identity and f"identity {identity}", given])
        tables.setdefault(table, []).append(" ".join(parts))
    for table, name, definition in sorted(query(_CONSTRAINTS)):
        tables[table].append(" ".join([name, *definition.split()]))
    for table, definition in sorted(query(_INDEXES)):
        tables[table].append(definition)
    for table, lines in sorted(tables.items()):
        yield from (f"table {table}", *(f"  {line}" for line in lines))
    for name, kind in sorted(query(_SEQUENCES)):
        yield f"sequence {name} {kind}"
    for name, definition in sorted(query(_TRIGGERS)):
        yield f"trigger {name} {definition}"
