"""Statements that are compiled once for all the databases of a test run.

A statement is compiled once for each engine: in the running bot once, but anew in every test,
where that took a fifth of the time.
"""

from collections.abc import MutableMapping
from typing import Any, Final

from sqlalchemy import Engine, event
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

_WAITS: Final = "waits"
_COMPILED: Final[MutableMapping[Any, Any]] = {}


class SharingDialect(SQLiteDialect_pysqlite):
    """SQLite as the bot speaks it; what one engine has compiled, the next one takes."""

    supports_statement_cache = True

    @classmethod
    def engine_created(cls, engine: Engine) -> None:
        """Let the engine look for compiled statements where all others do."""
        engine.update_execution_options(compiled_cache=_COMPILED)
        event.listen(engine.pool, "checkout", _wait_for_no_disk)

    # A dialect is a part of the key under which a statement is kept.
    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))


class SharingPostgresDialect(PGDialect_psycopg):
    """PostgreSQL likewise."""

    supports_statement_cache = True

    @classmethod
    def engine_created(cls, engine: Engine) -> None:
        """Let the engine look for compiled statements where all others do."""
        engine.update_execution_options(compiled_cache=_COMPILED)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))


def _wait_for_no_disk(
    connection: DBAPIConnection, record: ConnectionPoolEntry, _pooled: object
) -> None:
    """Nobody pulls the plug in these tests; processes that are killed have no such dialect."""
    if record.info.get(_WAITS, True):
        connection.cursor().execute("PRAGMA synchronous = OFF")
        record.info[_WAITS] = False


def share_compiled_statements() -> None:
    """Let every engine that is opened from now on share."""
    registry.register("sqlite", __name__, SharingDialect.__name__)
    registry.register("postgresql.psycopg", __name__, SharingPostgresDialect.__name__)
