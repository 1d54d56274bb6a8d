"""Statements that are compiled once for all the databases of a test run.

A statement is compiled once for each engine: in the running bot once, but anew in every test,
where that took a fifth of the time.
"""

from collections.abc import MutableMapping
from typing import Any, Final

from sqlalchemy import Engine, event
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from tests.support import in_loop

_WAITS: Final = "waits"
_COMPILED: Final[MutableMapping[Any, Any]] = {}


class SharingDialect(SQLiteDialect_pysqlite):
    """SQLite as the bot speaks it; what one engine has compiled, the next one takes."""

    supports_statement_cache = True

    @classmethod
    def engine_created(cls, engine: Engine) -> None:
        """Let the engine look for compiled statements where all others do."""
        engine.update_execution_options(compiled_cache=_COMPILED)
        if in_loop.is_wanted():
            event.listen(engine.pool, "checkout", _wait_for_nothing)

    # A dialect is a part of the key under which a statement is kept.
    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))


class SharingPostgresDialect(PGDialect_asyncpg):
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


def _wait_for_nothing(
    connection: DBAPIConnection, record: ConnectionPoolEntry, _pooled: object
) -> None:
    """Neither for the disk nor, as long as the loop stands still, for a lock."""
    if record.info.get(_WAITS, True):
        for pragma in ("PRAGMA synchronous = OFF", "PRAGMA busy_timeout = 0"):
            connection.cursor().execute(pragma)
        record.info[_WAITS] = False


def share_compiled_statements() -> None:
    """Let every engine that is opened from now on share."""
    registry.register("sqlite", __name__, SharingDialect.__name__)
    registry.register("postgresql.asyncpg", __name__, SharingPostgresDialect.__name__)
