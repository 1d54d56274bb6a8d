"""A look at a file that no bot has open, and a checked copy put in its place."""

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
from typing import BinaryIO, Final

from sqlalchemy import URL, inspect, text

from bot.db import keys
from bot.db.backing_up import (
    ONLY_OWNER,
    DifferentCopyError,
    address_of,
    address_to_read,
    code_of,
    discard,
    fill,
    folder_onto_disk,
    is_damage,
    is_whole,
    opened,
    reason,
)
from bot.db.database import Database, Transaction, known_revisions, revision_of
from bot.db.moving import last_id, set_last_id
from bot.db.sqlite import as_we_say_it
from bot.db.tables import metadata
from bot.errors import (
    DamagedDatabaseError,
    NoDatabaseError,
    StorageError,
    UnfitDatabaseError,
    UnusableDatabaseError,
)

# Whether any program has an SQLite file open, and keeping others from opening it meanwhile. Locks
# are asked of the system where SQLite itself has them: whoever has a database open in WAL mode, as
# the bot has, holds one of these bytes, and one who is killed holds none. So nobody is overlooked,
# nobody is waited for who is gone, and it does not matter whether the file is damaged.

# SQLite stores nothing in these bytes of a file, however large that is.
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
    """Another program has the database open."""


class Held:
    """A file that nobody else has open.

    Attributes:
        was_there: whether there was such a file before.
        number: by which the system knows it while it is held.
    """

    def __init__(self, number: int, *, was_there: bool) -> None:
        self.number = number
        self.was_there = was_there
        self._is_held = True

    def let_go(self) -> None:
        """Let others open it. May be called twice."""
        if self._is_held:
            self._is_held = False
            os.close(self.number)


async def settle(file: Path) -> None:
    """Write the log into the file, and let the log go: SQLite does that for who is alone.

    Raises:
        StillOpenError: somebody has it open.
    """
    try:
        async with opened(address_of(file), patience=0) as connection:
            await connection.execute_fetchall("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        if code_of(error) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            raise StillOpenError from error
        # It is not there, or is damaged, which may be why it is to be replaced: it stays as it is.


@contextmanager
def held(file: Path) -> Generator[Held]:
    """A file that nobody else has open, and that nobody can open until this ends.

    A file that is not there is made, empty, so that it can be held, too; SQLite takes that for a
    new one.

    Raises:
        StillOpenError: somebody has it open.
        OSError: it cannot be opened at all.
    """
    was_there = file.exists()
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, ONLY_OWNER))
    try:
        number = os.open(file, os.O_RDWR)
        mine = Held(number, was_there=was_there)
        try:
            _require_nobody(number)
            yield mine
        finally:
            mine.let_go()
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


async def schema_of(database: Database) -> tuple[str | None, list[str]]:
    """The last migration that a database has had, None if it is empty; and tables that it lacks.

    Raises:
        OlderDatabaseError: only an earlier version of this program can bring it up to date.
        StorageError: it cannot be read.
    """

    def body(tx: Transaction) -> tuple[str | None, list[str]]:
        revision, lacks = revision_of(tx.connection), set[str]()
        if revision == known_revisions()[-1]:
            lacks = metadata.tables.keys() - {*inspect(tx.connection).get_table_names()}
        return revision, sorted(lacks)

    return await database.read(body)


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
    query = text("SELECT pg_database_size(current_database())")
    return await database.read(lambda tx: tx.scalar(query))


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
        await _try_file(file, patience)
    else:
        await _try_server(database)
    return time.monotonic() - began


async def _try_file(file: Path, patience: float) -> None:
    query = "SELECT count(*) FROM sqlite_master WHERE name = 'alembic_version'"
    with as_we_say_it():
        # The last one that writes would write out a log that a killed bot has left.
        async with opened(address_to_read(file)) as reads:
            ((is_old,),) = await reads.execute_fetchall(query)
            async with opened(address_of(file), patience) as writes:
                await writes.execute("BEGIN IMMEDIATE")
                for statement in (*_TRIED, *([_TOUCH] if is_old else [])):
                    await writes.execute(statement)
                await writes.execute("ROLLBACK")
    await asyncio.to_thread(sync_beside, file)


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
    def body(tx: Transaction) -> None:
        is_old = inspect(tx.connection).has_table("alembic_version")
        for statement in (*_TRIED, *([_TOUCH] if is_old else [])):
            tx.execute(text(statement))
        raise _UndoneError

    with suppress(_UndoneError):
        await database.write(body, keys.lease("doctor"))


# Puts a checked copy of a backup in the place of a database: the old one, or the new one. The copy
# is made ready beside the file, under a name of its own, and gets its name in one step. What it
# replaces has another name by then. A log that belongs to the old file is gone from beside the new
# one before that: SQLite would else write it into a database that it is not of.

_BEING_RESTORED: Final = ".restoring"
_LOGS: Final = ("-wal", "-journal")
_INDEX_OF_LOG: Final = "-shm"
_IDS_SKIPPED: Final = 1_000_000
"""More games than anybody can have begun since the backup."""


class NotWholeError(StorageError):
    """The backup is damaged, or none of this bot's."""


class SameFileError(StorageError):
    """The backup is the database that it is to replace."""


class ReplacingError(StorageError):
    """The database is as it was; the message says what could not be done."""


async def stage(backup: Path, file: Path) -> tuple[Path, int]:
    """Copy a backup to beside the database that it is to replace, and check the copy.

    Returns:
        The copy, and how many rows it has.

    Raises:
        NoDatabaseError: there is no such backup.
        NotWholeError, SameFileError: it cannot be restored.
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
        if _is_of_backup(error):
            raise NotWholeError from error
        raise ReplacingError(reason(error)) from error
    return staged, rows


def _require_other(backup: Path, file: Path) -> None:
    if not backup.is_file():
        raise NoDatabaseError(str(backup))
    if backup.samefile(file):
        raise SameFileError


async def _refuse_triggers(staged: Path) -> None:
    """Make sure that nothing happens in a copy by itself: no migration makes a trigger."""
    async with opened(address_to_read(staged)) as copy:
        query = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        for (name,) in await copy.execute_fetchall(query):
            raise UnfitDatabaseError(
                f"It has the trigger {name!r}, which is none of this bot's and may change rows. "
                "Take another one."
            )


def url_of(file: Path) -> str:
    """The URL of a database, as SQLAlchemy understands it."""
    return str(URL.create("sqlite", database=str(file)))


def skip_ids(tx: Transaction) -> None:
    """Let new rows have ids that none had who came after the backup: old buttons name those."""
    for table in metadata.sorted_tables:
        if table.dialect_options["sqlite"]["autoincrement"]:
            set_last_id(tx, table, (last_id(tx, table) or 0) + _IDS_SKIPPED)


async def finish(staged: Path) -> None:
    """Let a copy be one whole file.

    Raises:
        ReplacingError: it is damaged, or something could not be written.
    """
    try:
        async with opened(address_of(staged)) as connection:
            await connection.execute_fetchall("PRAGMA journal_mode = DELETE")
            if not await is_whole(connection):
                raise ReplacingError("what was restored is damaged")
    except sqlite3.Error as error:
        raise ReplacingError(reason(error)) from error


def replace(file: Path, staged: Path, held: Held, now: datetime) -> Path | None:
    """Put what is staged in the place of a database that nobody has open.

    Args:
        file: the database.
        staged: a database that is closed, and finished.
        held: the database, which is let go.
        now: the present, after which what was there is named from now on.

    Returns:
        Where that is, or what is left of it; None if there was nothing.

    Raises:
        ReplacingError: something could not be done, and the database is as it was.
    """
    there = [file] if held.was_there else []
    logs = (_beside(file, log) for log in _LOGS)
    there += [log for log in logs if log.exists() and log.stat().st_size]
    names = _free_names(there, file, now)
    try:
        _let_be_of(file, staged)
        _keep(names, file, held)
        # Here the old file is as of its last checkpoint, should anybody pull the plug: that is all
        # of it, unless its log could not be read.
        for beside in (*_LOGS, _INDEX_OF_LOG):
            _beside(file, beside).unlink(missing_ok=True)
        folder_onto_disk(file.parent)
        if os.name == "nt":  # where no file gives up its name while it is open
            held.let_go()
        staged.replace(file)
    except OSError as error:
        _take_back(names)
        raise ReplacingError(reason(error)) from error
    folder_onto_disk(file.parent)
    return next(iter(names.values()), None)


def discard_staged(file: Path) -> None:
    """Delete what was staged to replace a database, now or by somebody who was killed."""
    with suppress(OSError):
        discard(file.with_name(file.name + _BEING_RESTORED))


def _let_be_of(file: Path, staged: Path) -> None:
    """Let the copy be of whom the old one is, and on the disk."""
    if os.name == "posix":
        owner, mine = file.stat(), staged.stat()
        if (owner.st_uid, owner.st_gid) != (mine.st_uid, mine.st_gid):
            os.chown(staged, owner.st_uid, owner.st_gid)
    number = os.open(staged, os.O_RDWR)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _free_names(there: Iterable[Path], file: Path, now: datetime) -> dict[Path, Path]:
    """Second names for a database and its logs; who was killed may have given some this second."""
    for number in count(1):
        more = "" if number == 1 else f".{number}"
        kept = f"{file.name}.replaced-{now.astimezone(UTC):%Y-%m-%dT%H%M%SZ}{more}"
        names = {each: file.with_name(kept + each.name.removeprefix(file.name)) for each in there}
        if not any(map(Path.exists, names.values())):
            return names
    raise AssertionError("numbers do not end")


def _keep(names: Mapping[Path, Path], file: Path, held: Held) -> None:
    """Give files a second name each; where file systems have none, make copies of that name."""
    for each, other in names.items():
        try:
            other.hardlink_to(each)
        except OSError:
            # Whoever opens the database anew, and closes it, lets it go.
            source = held.number if each == file else os.open(each, os.O_RDONLY)
            with os.fdopen(source, "rb", closefd=each != file) as content:
                _copy(content, other)
    folder_onto_disk(file.parent)


def _copy(content: BinaryIO, other: Path) -> None:
    content.seek(0)
    number = os.open(other, os.O_WRONLY | os.O_CREAT | os.O_EXCL, ONLY_OWNER)
    with os.fdopen(number, "wb") as copy:
        shutil.copyfileobj(content, copy)
        copy.flush()
        os.fsync(number)


def _take_back(names: Mapping[Path, Path]) -> None:
    """Let files have their first names alone, as before."""
    for each, other in names.items():
        with suppress(OSError):
            if each.exists():
                other.unlink(missing_ok=True)
            else:
                other.rename(each)


def _beside(file: Path, suffix: str) -> Path:
    return file.with_name(file.name + suffix)


def _is_of_backup(error: Exception) -> bool:
    """Whether what was read is to blame, not where it was written."""
    # The last is what SQLite says where a table is missing that each of our databases has.
    return is_damage(error) or code_of(error) == sqlite3.SQLITE_ERROR
