"""Statements that are compiled once for all the databases of a test run.

A statement is compiled once for each engine: in the running bot once, but anew in every test,
where that took a fifth of the time.
"""

from collections.abc import MutableMapping
from typing import Any, Final

from sqlalchemy import Engine
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite

_COMPILED: Final[MutableMapping[Any, Any]] = {}


class SharingDialect(SQLiteDialect_aiosqlite):
    """SQLite as the bot speaks it; what one engine has compiled, the next one takes."""

    supports_statement_cache = True

    @classmethod
    def engine_created(cls, engine: Engine) -> None:
        """Let the engine look for compiled statements where all others do."""
        engine.update_execution_options(compiled_cache=_COMPILED)

    # A dialect is a part of the key under which a statement is kept.
    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))


def share_compiled_statements() -> None:
    """Let every engine that is opened from now on share."""
    registry.register("sqlite.aiosqlite", __name__, SharingDialect.__name__)
