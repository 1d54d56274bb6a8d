"""Trying, locking and replacing a database's file: for the doctor and for restoring a backup."""

import asyncio
import os
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from sqlalchemy import URL, inspect, text

from bot.db import keyed, keys
from bot.db.copies import (
    ONLY_OWNER,
    DifferentCopyError,
    address_of,
    address_to_read,
    code_of,
    discard,
    fill,
    flush,
    flush_folder,
    is_damage,
    is_whole,
    opened,
    reason,
    require_locks,
)
from bot.db.database import Database, Transaction
from bot.db.moving import last_id, set_last_id
from bot.db.revisions import known_revisions, revision_of
from bot.db.sqlite import translated_errors
from bot.db.tables import metadata
from bot.errors import (
    DamagedDatabaseError,
    NoDatabaseError,
    StorageError,
    UnfitDatabaseError,
    UnusableDatabaseError,
)

# Locks. SQLite locks these bytes of a file while a database is open in WAL mode, as the bot's
# always is; taking the same locks from the operating system shows whether any program has it open,
# and keeps others out. A killed process holds no lock, and a damaged file can be locked, too.

# SQLite never stores anything in these bytes.
_FIRST: Final = 0x40000000
_BYTES: Final = 512

if sys.platform == "win32":
    import msvcrt

    def _lock(number: int) -> None:
        os.lseek(number, _FIRST, os.SEEK_SET)
        msvcrt.locking(number, msvcrt.LK_NBLCK, _BYTES)
else:
    import fcntl

    def _lock(number: int) -> None:
        fcntl.lockf(number, fcntl.LOCK_EX | fcntl.LOCK_NB, _BYTES, _FIRST)


class StillOpenError(StorageError):
    pass


class FileLock:
    """A file that is locked against everybody else; `was_there` says if it existed before."""

    def __init__(self, number: int, *, was_there: bool) -> None:
        self.number = number
        self.was_there = was_there
        self._is_held = True

    def release(self) -> None:
        if self._is_held:
            self._is_held = False
            os.close(self.number)


async def checkpoint_file(file: Path) -> None:
    """Checkpoint a file and remove its log, if it can be read.

    Raises `StillOpenError` if somebody has it open, `UnfitDatabaseError` if that cannot be known.
    """
    require_locks(file.parent)
    try:
        async with opened(address_of(file), patience=0) as connection:
            await connection.execute_fetchall("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        if code_of(error) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            raise StillOpenError from error
        # A missing or damaged file stays as it is: damage may be why it is replaced.


@contextmanager
def lock(file: Path) -> Generator[FileLock]:
    """Lock a file against all other programs for a block; `StillOpenError` if one has it open.

    A missing file is made, empty, so that it can be locked. After the block it is deleted if it is
    still empty.
    """
    was_there = file.exists()
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, ONLY_OWNER))
    try:
        number = os.open(file, os.O_RDWR)
        mine = FileLock(number, was_there=was_there)
        try:
            _require_nobody(number)
            yield mine
        finally:
            mine.release()
    finally:
        if not was_there and not file.stat().st_size:
            file.unlink()


def _require_nobody(number: int) -> None:
    try:
        _lock(number)
    except OSError as error:
        raise StillOpenError from error


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


# Replacing. The checked copy is staged beside the file, which first gets a second name; the copy
# then takes its name in one step. The old log is deleted before: SQLite would write it into the new
# file.

_BEING_RESTORED: Final = ".restoring"
_LOGS: Final = ("-wal", "-journal")
_INDEX_OF_LOG: Final = "-shm"
_IDS_SKIPPED: Final = 1_000_000
"""More ids than the bot can have given since the backup."""


class NotWholeError(StorageError):
    pass


class SameFileError(StorageError):
    pass


class ReplacingError(StorageError):
    """The backup was not put in place; the message says what failed."""


class UnflushedError(StorageError):
    """The backup is in place, but its folder could not be flushed; the message says why."""

    @property
    def advice(self) -> str:
        return (
            f"The backup is in place, but the disk did not confirm that ({self}). Check the disk, "
            "then restore once more."
        )


async def stage(backup: Path, file: Path) -> tuple[Path, int]:
    """Copy a backup beside the database that it replaces, and check the copy.

    Returns:
        The copy's file and its number of rows.

    Raises:
        NoDatabaseError: there is no such backup.
        NotWholeError: it is damaged, or no database of the bot's.
        SameFileError: it is the database itself.
        UnfitDatabaseError: it has a trigger.
        ReplacingError: there is no room for it, or nothing can be written there.
    """
    _require_other(backup, file)
    staged = file.with_name(file.name + _BEING_RESTORED)
    try:
        rows = await fill(backup, staged)
        await _refuse_triggers(staged)
    except (DifferentCopyError, DamagedDatabaseError) as error:
        raise NotWholeError from error
    except (sqlite3.Error, OSError) as error:
        # SQLite reports a missing table, which every database of ours has, by this last code.
        if is_damage(error) or code_of(error) == sqlite3.SQLITE_ERROR:
            raise NotWholeError from error
        raise ReplacingError(reason(error)) from error
    return staged, rows


def _require_other(backup: Path, file: Path) -> None:
    if not backup.is_file():
        raise NoDatabaseError(str(backup))
    if backup.samefile(file):
        raise SameFileError


async def _refuse_triggers(staged: Path) -> None:
    """Raise `UnfitDatabaseError` for triggers, which run by themselves: no migration makes any."""
    async with opened(address_to_read(staged)) as copy:
        query = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        for (name,) in await copy.execute_fetchall(query):
            raise UnfitDatabaseError(
                f"It has the trigger {name!r}, which is none of this bot's and may change rows. "
                "Take another one."
            )


def url_of(file: Path) -> str:
    return str(URL.create("sqlite", database=str(file)))


def skip_ids(tx: Transaction) -> None:
    """Skip a million ids in each table that never reuses ids.

    Ids on buttons sent after the backup are then given to no new rows.
    """
    for table in metadata.sorted_tables:
        if table.dialect_options["sqlite"]["autoincrement"]:
            set_last_id(tx, table, (last_id(tx, table) or 0) + _IDS_SKIPPED)


class Order(NamedTuple):
    """A user or a server that the host keeps out, or a member who is off a server's boards.

    Ids are None once the data are deleted.
    """

    digest: str
    user_id: int | None
    guild_id: int | None
    is_off: bool


_ORDERS: Final = (
    "SELECT digest, user_id, guild_id, 0 FROM kept_out",
    "SELECT digest, player_id, guild_id, 1 FROM exclusions",
)


async def orders_in(file: Path) -> set[Order] | None:
    """Read who is kept out and who is off in a database that nobody has open; None if it is lost.

    Call it on no locked file: closing it would end the lock.
    """
    try:
        async with opened(address_to_read(file)) as connection:
            found = [row for query in _ORDERS for row in await connection.execute_fetchall(query)]
    except sqlite3.Error:
        return None
    return {Order(digest, user, guild, bool(off)) for digest, user, guild, off in found}


async def finish(staged: Path) -> None:
    """Make a staged copy a single file, without a log beside it.

    Raise `ReplacingError` if this fails, or if the copy is damaged.
    """
    try:
        async with opened(address_of(staged)) as connection:
            await connection.execute_fetchall("PRAGMA journal_mode = DELETE")
            if not await is_whole(connection):
                raise ReplacingError("what was restored is damaged")
    except sqlite3.Error as error:
        raise ReplacingError(reason(error)) from error


def replace(file: Path, staged: Path, lock: FileLock, now: datetime) -> Path | None:
    """Replace a database that nobody has open with a staged one.

    Returns:
        The file in which the old database, or only its log, is kept; None if there was neither.

    Raises:
        ReplacingError: a step failed, and the database is unchanged.
        UnflushedError: the database is replaced, but its folder could not be flushed.
    """
    there = [file] if lock.was_there else []
    logs = (_beside(file, log) for log in _LOGS)
    there += [log for log in logs if log.exists() and log.stat().st_size]
    names = _free_names(there, file, now)
    try:
        _copy_owner(file, staged)
        _add_names(names, file, lock)
        # After a power cut here the old file is as of its last checkpoint, which was just made,
        # unless its log could not be read.
        for beside in (*_LOGS, _INDEX_OF_LOG):
            _beside(file, beside).unlink(missing_ok=True)
        flush_folder(file.parent)
        if os.name == "nt":  # Windows renames no open file
            lock.release()
        staged.replace(file)
    except OSError as error:
        _remove_names(names)
        raise ReplacingError(reason(error)) from error
    try:
        flush_folder(file.parent)
    except OSError as error:
        raise UnflushedError(reason(error)) from error
    return next(iter(names.values()), None)


def discard_staged(file: Path) -> None:
    """Delete a staged copy, including one that a killed process has left."""
    with suppress(OSError):
        discard(file.with_name(file.name + _BEING_RESTORED))


def _copy_owner(file: Path, staged: Path) -> None:
    """Give the staged copy the old file's owner and group, and flush it."""
    if os.name == "posix":
        owner, mine = file.stat(), staged.stat()
        if (owner.st_uid, owner.st_gid) != (mine.st_uid, mine.st_gid):
            os.chown(staged, owner.st_uid, owner.st_gid)
    flush(staged)


def _free_names(there: Iterable[Path], file: Path, now: datetime) -> dict[Path, Path]:
    """Choose second names for a database and its logs that no file has yet."""
    for number in count(1):
        more = "" if number == 1 else f".{number}"
        kept = f"{file.name}.replaced-{now.astimezone(UTC):%Y-%m-%dT%H%M%SZ}{more}"
        names = {each: file.with_name(kept + each.name.removeprefix(file.name)) for each in there}
        if not any(map(Path.exists, names.values())):
            return names
    raise AssertionError("numbers do not end")


def _add_names(names: Mapping[Path, Path], file: Path, lock: FileLock) -> None:
    """Give files second names by hard links; where the file system has none, copy the files."""
    for each, other in names.items():
        try:
            other.hardlink_to(each)
        except OSError:
            # A second descriptor would drop the lock when it is closed.
            source = lock.number if each == file else os.open(each, os.O_RDONLY)
            with os.fdopen(source, "rb", closefd=each != file) as content:
                _copy(content, other)
    flush_folder(file.parent)


def _copy(content: BinaryIO, other: Path) -> None:
    content.seek(0)
    number = os.open(other, os.O_WRONLY | os.O_CREAT | os.O_EXCL, ONLY_OWNER)
    with os.fdopen(number, "wb") as copy:
        shutil.copyfileobj(content, copy)
        copy.flush()
        os.fsync(number)


def _remove_names(names: Mapping[Path, Path]) -> None:
    for each, other in names.items():
        with suppress(OSError):
            if each.exists():
                other.unlink(missing_ok=True)
            else:
                other.rename(each)


def _beside(file: Path, suffix: str) -> Path:
    return file.with_name(file.name + suffix)
