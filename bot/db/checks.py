"""What the doctor looks at in a database: its schema and size, and how long a write takes."""

import asyncio
import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from sqlalchemy import inspect, text

from bot.db import keyed, keys
from bot.db.copies import opened
from bot.db.database import Database, Transaction
from bot.db.revisions import known_revisions, revision_of
from bot.db.sqlite import address_of, address_to_read, translated_errors
from bot.db.tables import metadata
from bot.errors import UnusableDatabaseError

_TRIED: Final = (
    "CREATE TABLE focdle_doctor (tried INTEGER)",
    "INSERT INTO focdle_doctor VALUES (1)",
)
_TOUCH: Final = "UPDATE alembic_version SET version_num = version_num"
_PAGE: Final = bytes(4096)
_INDEXES_OF_FILE: Final = "SELECT name FROM sqlite_master WHERE type = 'index'"
_INDEXES_OF_SERVER: Final = "SELECT indexname FROM pg_indexes WHERE schemaname = current_schema()"


async def schema_of(database: Database) -> tuple[str | None, list[str]]:
    """Read a database's last migration, None if it is new, and the tables and columns it lacks.

    They, and indexes, are looked for only if that migration is this version's last one.
    """

    def body(tx: Transaction) -> tuple[str | None, list[str]]:
        revision = revision_of(tx.connection)
        return revision, _lacks(tx) if revision == known_revisions()[-1] else []

    return await database.read(body)


def _lacks(tx: Transaction) -> list[str]:
    there = inspect(tx.connection)
    names = {*there.get_table_names()}
    is_file = tx.connection.dialect.name == "sqlite"
    # SQLAlchemy passes over indexes of expressions.
    names |= {*tx.execute(text(_INDEXES_OF_FILE if is_file else _INDEXES_OF_SERVER)).scalars()}
    for (_, table), columns in there.get_multi_columns().items():
        names |= {f"{table}.{column['name']}" for column in columns}
    wanted = set[str]()
    for name, table in metadata.tables.items():
        wanted |= {name, *(str(index.name) for index in table.indexes)}
        wanted |= {f"{name}.{column.name}" for column in table.columns if name in names}
    return sorted(wanted - names)


async def size_of(database: Database, file: Path | None) -> int:
    """Measure a database in bytes; an SQLite log counts. `file` is None for a server."""
    if file is not None:
        parts = (file, file.with_name(file.name + "-wal"))
        return sum(part.stat().st_size for part in parts if part.exists())
    return await database.read(keyed.size_in_bytes)


class _UndoneError(Exception):
    """Raised to roll a trial transaction back."""


async def time_write(database: Database, file: Path | None, patience: float) -> float:
    """Measure the seconds that a rolled-back write takes and, for a file, a flush to its disk."""
    began = time.monotonic()
    if file is not None:
        await _try_file(file, patience)
    else:
        await _try_server(database)
    return time.monotonic() - began


async def _try_file(file: Path, patience: float) -> None:
    query = "SELECT count(*) FROM sqlite_master WHERE name = 'alembic_version'"
    with translated_errors():
        # An open reader keeps the writer from checkpointing the log of a killed bot when it closes.
        async with opened(address_to_read(file)) as reads:
            ((is_old,),) = await reads.execute_fetchall(query)
            async with opened(address_of(file), patience) as writes:
                await writes.execute("BEGIN IMMEDIATE")
                for statement in (*_TRIED, *([_TOUCH] if is_old else [])):
                    await writes.execute(statement)
                await writes.execute("ROLLBACK")
    await asyncio.to_thread(_flush_beside, file)


def _flush_beside(file: Path) -> None:
    """Write and flush a page in the database's folder, as a commit does; then delete it."""
    try:
        with tempfile.TemporaryFile(dir=file.resolve().parent) as beside:
            beside.write(_PAGE)
            beside.flush()
            os.fsync(beside.fileno())
    except OSError as error:
        raise UnusableDatabaseError(error.strerror or str(error)) from error


async def _try_server(database: Database) -> None:
    def body(tx: Transaction) -> None:
        is_old = inspect(tx.connection).has_table("alembic_version")
        for statement in (*_TRIED, *([_TOUCH] if is_old else [])):
            tx.execute(text(statement))
        raise _UndoneError

    with suppress(_UndoneError):
        await database.write(body, keys.lease("doctor"))
