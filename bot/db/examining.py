"""A look at a database as it is: nothing is migrated, and nothing that is tried stays."""

import asyncio
import os
import sqlite3
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, text

from bot.db import keys
from bot.db.damage import address_to_read
from bot.db.database import Database, known_revisions, revision_of
from bot.db.sqlite import try_to_write
from bot.db.tables import metadata
from bot.errors import UnusableDatabaseError

_TRIED: Final = (
    "CREATE TABLE focdle_doctor (tried INTEGER)",
    "INSERT INTO focdle_doctor VALUES (1)",
)
_TOUCH: Final = "UPDATE alembic_version SET version_num = version_num"
_PAGE: Final = bytes(4096)


async def schema_of(database: Database) -> tuple[str | None, list[str]]:
    """The last migration that a database has had, None if it is empty; and tables that it lacks.

    Raises:
        OlderDatabaseError: only an earlier version of this program can bring it up to date.
        StorageError: it cannot be read.
    """

    def look(connection: Connection) -> tuple[str | None, list[str]]:
        revision, lacks = revision_of(connection), set[str]()
        if revision == known_revisions()[-1]:
            lacks = metadata.tables.keys() - {*inspect(connection).get_table_names()}
        return revision, sorted(lacks)

    async with database.reading() as tx:
        return await tx.run_sync(look)


async def size_of(database: Database, file: Path | None) -> int:
    """How many bytes a database takes, with the log of its last changes.

    Args:
        database: the database, as it is.
        file: where it is, if it is a file.

    Raises:
        StorageError: it cannot be read.
    """
    if file is not None:
        parts = (file, file.with_name(file.name + "-wal"))
        return sum(part.stat().st_size for part in parts if part.exists())
    async with database.reading() as tx:
        size: int = await tx.scalar(text("SELECT pg_database_size(current_database())"))
    return size


class _UndoneError(Exception):
    """Ends a transaction without a commit."""


async def seconds_of_a_write(database: Database, file: Path | None, patience: float) -> float:
    """How long a write takes that is then undone: the locks, a table, and the disk of a file.

    Args:
        database: the database, as it is.
        file: where it is, if it is a file.
        patience: how many seconds to wait for others.

    Raises:
        StorageBusyError: others write for longer.
        UnusableDatabaseError: it cannot be written.
    """
    began = time.monotonic()
    if file is not None:
        await asyncio.to_thread(_try_file, file, patience)
    else:
        await _try_server(database)
    return time.monotonic() - began


def _try_file(file: Path, patience: float) -> None:
    with closing(sqlite3.connect(address_to_read(file), uri=True)) as connection:
        query = "SELECT count(*) FROM sqlite_master WHERE name = 'alembic_version'"
        is_old = connection.execute(query).fetchone()[0]
    try_to_write(file, (*_TRIED, *([_TOUCH] if is_old else [])), patience)
    sync_beside(file)


def sync_beside(file: Path) -> None:
    """Write a page onto the disk beside a file, as a commit does, and take it away again.

    Raises:
        UnusableDatabaseError: the folder or the disk does not take it.
    """
    try:
        with tempfile.TemporaryFile(dir=file.resolve().parent) as beside:
            beside.write(_PAGE)
            beside.flush()
            os.fsync(beside.fileno())
    except OSError as error:
        raise UnusableDatabaseError(error.strerror or str(error)) from error


async def _try_server(database: Database) -> None:
    def attempt(connection: Connection) -> None:
        is_old = inspect(connection).has_table("alembic_version")
        for statement in (*_TRIED, *([_TOUCH] if is_old else [])):
            connection.execute(text(statement))

    with suppress(_UndoneError):
        async with database.transaction(keys.lease("doctor")) as tx:
            await tx.run_sync(attempt)
            raise _UndoneError
