"""Statements that are compiled once for all the databases of a test run.

A statement is compiled once for each engine: in the running bot once, but anew in every test,
where that took a fifth of the time.
"""

from collections.abc import MutableMapping
from typing import Any, Final

from sqlalchemy import Engine, event
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from tests.support.in_loop import InLoopConnection

_COMPILED: Final[MutableMapping[Any, Any]] = {}


class SharingDialect(SQLiteDialect_aiosqlite):
    """SQLite as the bot speaks it; what one engine has compiled, the next one takes."""

    supports_statement_cache = True

    @classmethod
    def engine_created(cls, engine: Engine) -> None:
        """Let the engine look for compiled statements where all others do."""
        engine.update_execution_options(compiled_cache=_COMPILED)
        event.listen(engine.pool, "checkout", _wait_for_no_disk)

    def connect(self, *arguments: Any, **options: Any) -> DBAPIConnection:
        """Connect in the loop, where that is wanted."""
        if InLoopConnection.is_wanted:
            options["async_creator_fn"] = InLoopConnection
        return super().connect(*arguments, **options)

    # A dialect is a part of the key under which a statement is kept.
    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))


def _wait_for_no_disk(_adapted: object, record: ConnectionPoolEntry, _pooled: object) -> None:
    driver = record.driver_connection
    if isinstance(driver, InLoopConnection) and not record.info:
        driver.execute_now("PRAGMA synchronous = OFF")
        record.info["waits"] = False


def share_compiled_statements() -> None:
    """Let every engine that is opened from now on share."""
    registry.register("sqlite.aiosqlite", __name__, SharingDialect.__name__)
