"""Puts a checked copy of a backup in the place of a database: the old one, or the new one.

The copy is made ready beside the file, under a name of its own, and gets its name in one step. What
it replaces has another name by then. A log that belongs to the old file is gone from beside the new
one before that: SQLite would else write it into a database that it is not of.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from threading import Event
from typing import BinaryIO, Final

from sqlalchemy import URL

from bot.db.backing_up import (
    ONLY_OWNER,
    DifferentCopyError,
    discard,
    fill,
    folder_onto_disk,
    reason,
)
from bot.db.damage import code_of, is_damage
from bot.db.database import Transaction
from bot.db.file_locks import Held
from bot.db.moving import last_id, set_last_id
from bot.db.tables import metadata
from bot.errors import (
    DamagedDatabaseError,
    NoDatabaseError,
    StorageError,
    UnfitDatabaseError,
)

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


def stage(backup: Path, file: Path) -> tuple[Path, int]:
    """Copy a backup to beside the database that it is to replace, and check the copy.

    Returns:
        The copy, and how many rows it has.

    Raises:
        NoDatabaseError: there is no such backup.
        NotWholeError, SameFileError: it cannot be restored.
        UnfitDatabaseError: it has a trigger.
        ReplacingError: there is no room for it, or nothing can be written there.
    """
    if not backup.is_file():
        raise NoDatabaseError(str(backup))
    if backup.samefile(file):
        raise SameFileError
    staged = file.with_name(file.name + _BEING_RESTORED)
    try:
        rows = fill(backup, staged, Event())
        _refuse_triggers(staged)
    except (DifferentCopyError, DamagedDatabaseError) as error:
        raise NotWholeError from error
    except (sqlite3.Error, OSError) as error:
        if _is_of_backup(error):
            raise NotWholeError from error
        raise ReplacingError(reason(error)) from error
    return staged, rows


def _refuse_triggers(staged: Path) -> None:
    """Make sure that nothing happens in a copy by itself: no migration makes a trigger."""
    with closing(sqlite3.connect(staged)) as copy:
        query = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        for (name,) in copy.execute(query):
            raise UnfitDatabaseError(
                f"It has the trigger {name!r}, which is none of this bot's and may change rows. "
                "Take another one."
            )


def url_of(file: Path) -> str:
    """The URL of a database, as SQLAlchemy understands it."""
    return str(URL.create("sqlite", database=str(file)))


async def skip_ids(tx: Transaction) -> None:
    """Let new rows have ids that none had who came after the backup: old buttons name those."""
    for table in metadata.sorted_tables:
        if table.dialect_options["sqlite"]["autoincrement"]:
            await set_last_id(tx, table, (await last_id(tx, table) or 0) + _IDS_SKIPPED)


def replace(file: Path, staged: Path, held: Held, now: datetime) -> Path | None:
    """Put what is staged in the place of a database that nobody has open.

    Args:
        file: the database.
        staged: a database that is closed.
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
        _finish(staged, file)
        _keep(names, file, held)
        # Here the old file is as of its last checkpoint, should anybody pull the plug: that is all
        # of it, unless its log could not be read.
        for beside in (*_LOGS, _INDEX_OF_LOG):
            _beside(file, beside).unlink(missing_ok=True)
        folder_onto_disk(file.parent)
        if os.name == "nt":  # where no file gives up its name while it is open
            held.let_go()
        staged.replace(file)
    except (sqlite3.Error, OSError) as error:
        _take_back(names)
        raise ReplacingError(reason(error)) from error
    folder_onto_disk(file.parent)
    return next(iter(names.values()), None)


def discard_staged(file: Path) -> None:
    """Delete what was staged to replace a database, now or by somebody who was killed."""
    with suppress(OSError):
        discard(file.with_name(file.name + _BEING_RESTORED))


def _finish(staged: Path, file: Path) -> None:
    """Let the copy be one whole file, on the disk, and of whom the old one is."""
    with closing(sqlite3.connect(staged, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE").fetchall()
        if connection.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            raise sqlite3.DatabaseError("what was restored is damaged")
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
