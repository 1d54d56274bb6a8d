"""Which database the tests use: a file of SQLite's in a folder, or a server of PostgreSQL's."""

import shutil
import sqlite3
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any, Protocol

from tests.support.postgres import PostgresServer

Rows = tuple[list[str], list[tuple[Any, ...]]]
NewDatabase = Callable[[Path], str]
"""Makes an empty, migrated database that belongs to a folder; its URL."""


class Databases(Protocol):
    """What makes databases, and looks into them from outside the bot."""

    def new(self, folder: Path) -> str:
        """An empty, migrated database that belongs to a folder; its URL."""
        ...

    def url(self, folder: Path) -> str:
        """The URL of a folder's database."""
        ...

    def leave_to_the_bot(self, folder: Path) -> str:
        """Let a folder's database be the one that a bot finds there; its URL if it must be told."""
        ...

    def are_whole(self, folder: Path) -> bool:
        """Whether a folder's database has all that it refers to, and nothing is damaged."""
        ...

    def has_been_given(self, folder: Path, table: str) -> None:
        """Know that somebody else has chosen ids for rows of a table."""
        ...

    def refuse(self, folder: Path, doing: str, table: str, condition: str = "true") -> None:
        """From now on, fail at what is done to rows for which this holds."""
        ...

    def allow(self, folder: Path, table: str) -> None:
        """Fail at nothing any more that is done to a table."""
        ...

    def held(self, folder: Path) -> AbstractContextManager[object]:
        """Another program holds a folder's database meanwhile: nobody else may write."""
        ...

    def query(self, folder: Path, statement: str) -> Rows:
        """Run one statement on a folder's database and commit it; names of columns, and rows."""
        ...


class SqliteFiles:
    """A file in each folder.

    Args:
        template: a migrated database without rows, to be copied: migrating costs more than a test.
    """

    def __init__(self, template: Path | None = None) -> None:
        self._template = template
        self._name = "test.db"

    def new(self, folder: Path) -> str:
        assert self._template is not None
        shutil.copy(self._template, folder / self._name)
        return self.url(folder)

    def url(self, folder: Path) -> str:
        return f"sqlite:///{folder / self._name}"

    def leave_to_the_bot(self, folder: Path) -> str:
        self._name = "focdle.db"
        return ""

    def has_been_given(self, folder: Path, table: str) -> None:
        pass  # it looks for the largest by itself

    def refuse(self, folder: Path, doing: str, table: str, condition: str = "true") -> None:
        begin = f"CREATE TRIGGER refuse BEFORE {doing} ON {table} WHEN {condition} BEGIN"
        self.query(folder, f"{begin} SELECT RAISE(ABORT, 'no room'); END")

    def allow(self, folder: Path, table: str) -> None:
        self.query(folder, "DROP TRIGGER refuse")

    def are_whole(self, folder: Path) -> bool:
        damaged = self.query(folder, "PRAGMA integrity_check")[1] != [("ok",)]
        return not damaged and not self.query(folder, "PRAGMA foreign_key_check")[1]

    @contextmanager
    def held(self, folder: Path) -> Generator[None]:
        with closing(sqlite3.connect(folder / self._name, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")

    def query(self, folder: Path, statement: str) -> Rows:
        with closing(sqlite3.connect(folder / self._name)) as database:
            database.execute("PRAGMA synchronous = OFF")  # nobody pulls the plug in these tests
            database.execute("PRAGMA foreign_keys = ON")
            with database:
                cursor = database.execute(statement)
                return [name for name, *_ in cursor.description or ()], cursor.fetchall()


class PostgresDatabase:
    """The one that a server has: another folder's, and it is emptied."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server

    def new(self, folder: Path) -> str:
        self._server.empty()
        return self._server.url

    def url(self, folder: Path) -> str:
        return self._server.url

    def leave_to_the_bot(self, folder: Path) -> str:
        return self.new(folder)

    def has_been_given(self, folder: Path, table: str) -> None:
        counter = f"pg_get_serial_sequence('{table}', 'id')"
        self.query(folder, f"SELECT setval({counter}, max(id)) FROM {table}")

    def refuse(self, folder: Path, doing: str, table: str, condition: str = "true") -> None:
        body = "LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION $$no room$$; END'"
        self.query(folder, f"CREATE OR REPLACE FUNCTION refuse() RETURNS trigger {body}")
        when = f"FOR EACH ROW WHEN ({condition}) EXECUTE FUNCTION refuse()"
        self.query(folder, f"CREATE TRIGGER refuse BEFORE {doing} ON {table} {when}")

    def allow(self, folder: Path, table: str) -> None:
        self.query(folder, f"DROP TRIGGER refuse ON {table}")

    def are_whole(self, folder: Path) -> bool:
        return True  # it is the server's affair, and that is not killed

    def held(self, folder: Path) -> AbstractContextManager[object]:
        return self._server.held()

    def query(self, folder: Path, statement: str) -> Rows:
        return self._server.query(statement)


_used: list[Databases] = [SqliteFiles()]


def used() -> Databases:
    """What the test that runs now uses."""
    return _used[-1]


@contextmanager
def using(databases: Databases) -> Generator[None]:
    """Let tests use these meanwhile."""
    _used.append(databases)
    try:
        yield
    finally:
        _used.pop()
