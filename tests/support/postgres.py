"""A PostgreSQL of the tests' own: in a temporary folder, behind a socket, gone with its process."""

import asyncio
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from glob import glob
from importlib import import_module
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final, LiteralString

import psycopg

from bot.db.database import Database
from bot.db.keys import EVERYTHING
from bot.db.tables import metadata

_PLACES: Final = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
)
_USERS: Final = ("postgres", "nobody")
_EMPTY, _USED = "empty", "used"
_START_SECONDS: Final = 100.0
# Nobody pulls the plug in these tests; and a statement that waits for this process would for ever.
_SETTINGS: Final = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "16MB",
    "max_connections": "60",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "autovacuum": "off",
    "jit": "off",
}
_VERSION: Final = "SELECT min(version_num) FROM alembic_version"
_WAIT: Final = "SET lock_timeout = '100s'; SET client_min_messages = 'warning'"
_OTHERS: Final = "datname = current_database() AND pid <> pg_backend_pid()"
_DISCONNECT: Final = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {_OTHERS}"
_REWIND: Final = (
    "SELECT setval(format('%I', sequencename)::regclass, 1, false)"
    " FROM pg_sequences WHERE last_value IS NOT NULL"
)
# Whether a test has changed the schema itself.
_SHAPE: Final = (
    "SELECT string_agg(format('%s.%s', relname, attname), ' ' ORDER BY relname, attnum), "
    "(SELECT string_agg(tgname, ' ') FROM pg_trigger WHERE NOT tgisinternal) "
    "FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid "
    "WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0"
)


class PostgresMissingError(Exception):
    """There is no PostgreSQL on this machine, or nobody who could run it."""


@cache
def find_binaries() -> Path | None:
    """The folder with `initdb` and `postgres`, the newest that is found."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent
    config = shutil.which("pg_config")
    if config is not None:
        told = subprocess.run([config, "--bindir"], capture_output=True, text=True, check=False)
        if (Path(told.stdout.strip()) / "initdb").exists():
            return Path(told.stdout.strip())
    places = [Path(path) for place in _PLACES for path in glob(place)]  # noqa: PTH207 - absolute
    return max((path for path in places if (path / "initdb").exists()), key=_version, default=None)


def _version(binaries: Path) -> int:
    digits = "".join(filter(str.isdigit, binaries.parent.name))
    return int(digits or 0)


class PostgresServer:
    """A server for one process of the tests, with one database that is emptied between them.

    Args:
        keeps: whether what is committed outlives a crash of the server.

    Attributes:
        folder: where its socket is.
        name: the database that tests use.

    Raises:
        PostgresMissingError: it cannot be started on this machine.
    """

    name: Final = _USED

    def __init__(self, *, keeps: bool = False) -> None:
        self._settings = _SETTINGS | ({"synchronous_commit": "on"} if keeps else {})
        binaries = find_binaries()
        if binaries is None:
            raise PostgresMissingError("PostgreSQL's initdb is nowhere")
        user = _somebody_else()
        # A socket's path has 107 characters at most.
        self.folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
        if user:
            shutil.chown(self.folder, user["user"], user["group"])
        self._connection: psycopg.Connection[Any] | None = None
        self._process = self._start(binaries, user)
        self._prepare()

    @property
    def url(self) -> str:
        """The database that tests use."""
        return self._url_of(_USED)

    def empty(self) -> None:
        """Let the database be as if it had just been migrated, and disconnect whoever uses it."""
        assert self._connection is not None
        self._connection.execute(_DISCONNECT)
        version = None
        if self._found(_SHAPE) == self._shape:
            version = self._found(_VERSION)
        if version != self._version:
            self._copy()
            return
        # Without triggers, thus in any order.
        rows = [f"DELETE FROM {table.name}" for table in metadata.sorted_tables]
        everything = ["SET session_replication_role = replica", *rows, _REWIND]
        statements = "; ".join([*everything, "RESET session_replication_role"])
        self._connection.execute(statements.encode())

    def query(self, statement: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Run one statement and commit it; its columns' names, its rows as SQLite has them."""
        assert self._connection is not None
        cursor = self._connection.execute(statement.encode())
        rows = cursor.fetchall() if cursor.description else []
        names = [column.name for column in cursor.description or ()]
        return names, [tuple(map(as_sqlite_has, row)) for row in rows]

    @contextmanager
    def held(self) -> Generator[None]:
        """Only another program has the key for everything meanwhile."""
        with self._connect() as other, other.transaction():
            other.execute("SELECT pg_advisory_xact_lock(%s)", [EVERYTHING.number])
            yield

    def crash(self) -> None:
        """End it in the middle of whatever it does; it starts again at once."""
        assert self._process.stdin is not None
        self._process.stdin.write(b"\n")
        self._process.stdin.flush()

    def stop(self) -> None:
        """End the server, and whatever it has written."""
        assert self._process.stdin is not None
        self._disconnect()
        self._process.stdin.close()
        self._process.wait(_START_SECONDS)

    def _url_of(self, name: str) -> str:
        return f"postgresql://postgres@/{name}?host={self.folder}"

    def _start(self, binaries: Path, user: dict[str, Any]) -> "subprocess.Popen[Any]":
        """A shell that starts the server, and ends it when this process is gone."""
        settings = " ".join(f"-c {name}='{value}'" for name, value in self._settings.items())
        folder, found = shlex.quote(str(self.folder)), shlex.quote(str(binaries))
        script = f"""
            cd {folder}
            {found}/initdb --no-sync -A trust -U postgres -E UTF8 --locale=C -D data >log || exit
            run() {{ {found}/postgres -D data -k {folder} {settings} >>log 2>&1 <&- & }}
            run
            while read again; do kill -QUIT $!; wait; run; done
            kill -QUIT $!
            wait
            cd / && rm -rf {folder}
        """
        process = subprocess.Popen(
            ["sh", "-c", script],  # noqa: S607 - every system has it
            stdin=subprocess.PIPE,
            start_new_session=True,
            **user,
        )
        until = monotonic() + _START_SECONDS
        while not (self.folder / ".s.PGSQL.5432").exists():
            if monotonic() > until or process.poll() is not None:
                raise PostgresMissingError((self.folder / "log").read_text())
            sleep(0.01)
        return process

    def _prepare(self) -> None:
        until = monotonic() + _START_SECONDS
        while True:
            try:
                self._command(f"CREATE DATABASE {_EMPTY}")
                break
            except psycopg.OperationalError:  # it has yet to start
                if monotonic() > until:
                    raise
                sleep(0.01)

        async def migrate() -> None:
            database = await Database.open(self._url_of(_EMPTY))
            await database.close()

        asyncio.run(migrate())
        self._copy()

    def _copy(self) -> None:
        """Make the database anew, from the empty one."""
        self._disconnect()
        self._command(f"DROP DATABASE IF EXISTS {_USED} WITH (FORCE)")
        self._command(f"CREATE DATABASE {_USED} TEMPLATE {_EMPTY}")
        self._connection = self._connect()
        self._connection.execute(_WAIT)
        self._version, self._shape = self._found(_VERSION), self._found(_SHAPE)

    def _connect(self, name: str = _USED) -> psycopg.Connection[Any]:
        return psycopg.connect(host=str(self.folder), user="postgres", dbname=name, autocommit=True)

    def _command(self, command: str) -> None:
        with self._connect("postgres") as connection:
            connection.execute(command.encode())

    def _found(self, query: LiteralString) -> Any:
        assert self._connection is not None
        return self._connection.execute(query).fetchone()

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def as_sqlite_has(value: Any) -> Any:
    """A value as SQLite gives it to those who look into the database."""
    if isinstance(value, datetime):
        return value.isoformat(" ", "microseconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return int(value) if isinstance(value, bool) else value


def _somebody_else() -> dict[str, Any]:
    """The user who runs the server where the tests are root's: PostgreSQL refuses to."""
    if os.getuid():
        return {}
    for name in _USERS:
        with suppress(KeyError):
            group = import_module("pwd").getpwnam(name).pw_gid  # which not every system has
            return {"user": name, "group": group, "extra_groups": []}
    raise PostgresMissingError("nobody but root can run PostgreSQL here")
