"""A copy of an SQLite file while bots write to it: checked before it has its name."""

import os
import sqlite3
from collections.abc import Collection
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Final

from bot.db.backup_names import UNFINISHED, Name, is_left
from bot.db.damage import damage_in, is_damage, require_file
from bot.errors import DamagedDatabaseError, StorageError

ONLY_OWNER: Final = 0o600
_ONLY_OWNER_ENTERS: Final = 0o700
# A step is short, and the disk is everybody's between two of them.
_PAGES: Final = 256
_REST_SECONDS: Final = 0.002
_DAY: Final = timedelta(days=1)
# How many instructions of SQLite's are executed until it is asked whether to go on.
_INSTRUCTIONS: Final = 20_000
_LOOK_THROUGH_SECONDS: Final = 60.0


class CopyError(StorageError):
    """There is no copy, and nothing is left of it; the message says why."""

    @property
    def advice(self) -> str:
        """What to check; earlier copies are as they were."""
        return (
            f"There is no new backup ({self}); the earlier ones are there. Check that the bot may "
            "write to the folder, and that the disk has room."
        )


class DifferentCopyError(StorageError):
    """The copy is damaged, or does not have what the database had. It is gone again."""

    @property
    def advice(self) -> str:
        """What to check; earlier copies are as they were."""
        return (
            "There is no new backup: the copy was damaged, or not what the database is. The "
            "earlier ones are there. Check the disk and the database: "
            'sqlite3 focdle.db "PRAGMA integrity_check"'
        )


class StoppedError(Exception):
    """Whoever wanted the copy does not want it any more. It is gone again."""


@dataclass(frozen=True, slots=True)
class Copied:
    """A copy that was read back: where it is, and how many rows it has."""

    file: Path
    rows: int


def copy_file(source: Path, folder: Path, name: Name, stop: Event | None = None) -> Copied:
    """Copy a database as it is at one moment. Takes long: not for the event loop.

    Whoever kills this in the middle leaves a file whose name says that it is unfinished. It goes
    when nobody has written to it for a day and another copy is made.

    Args:
        source: the file of the database.
        folder: where the copy goes; made if it is not there.
        name: what it is called, after the present.
        stop: is set when nobody wants it any more.

    Raises:
        NoDatabaseError: there is no such file.
        UnusableDatabaseError: it is a folder.
        FileExistsError: there is a copy of that second.
        DamagedDatabaseError: the database is damaged.
        DifferentCopyError: the copy is not what the database was.
        CopyError: the database cannot be read, or the copy not written.
        StoppedError: nobody wanted it any more.
    """
    require_file(source)
    target = folder / str(name)
    unfinished = target.with_name(target.name + UNFINISHED)
    if target.exists():
        raise FileExistsError(target)
    try:
        folder.mkdir(mode=_ONLY_OWNER_ENTERS, parents=True, exist_ok=True)
        _forget_unfinished(folder, name.made_at)
        rows = fill(source, unfinished, stop or Event())
        unfinished.rename(target)
        folder_onto_disk(folder)
    except (sqlite3.Error, OSError) as error:
        if is_damage(error):
            raise DamagedDatabaseError(str(error)) from error
        raise CopyError(reason(error)) from error
    return Copied(target, rows)


def fill(source: Path, target: Path, stop: Event) -> int:
    """Copy a database to a new file, and read that back; how many rows it has.

    It is all or nothing, unless this is killed; the file is on the disk then.

    Raises:
        DamagedDatabaseError, DifferentCopyError, StoppedError: as `copy_file`.
        sqlite3.Error, OSError: one of them cannot be used.
    """
    discard(target)
    try:
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, ONLY_OWNER))
        rows = _fill(source, target, stop)
        _onto_disk(target)
    except BaseException as error:
        discard(target)
        if stop.is_set():
            raise StoppedError from error
        raise
    return rows


def discard(file: Path) -> None:
    """Delete a file, and what SQLite has beside it; both may be gone."""
    for beside in ("", "-journal", "-wal", "-shm"):
        file.with_name(file.name + beside).unlink(missing_ok=True)


def let_go(files: Collection[Path]) -> None:
    """Delete backups that are not kept any more.

    Raises:
        CopyError: one cannot be deleted.
    """
    try:
        for file in files:
            file.unlink(missing_ok=True)
            folder_onto_disk(file.parent)
    except OSError as error:
        raise CopyError(reason(error)) from error


def reason(error: Exception) -> str:
    """What went wrong, as the system says, without the names of files."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def folder_onto_disk(folder: Path) -> None:
    """Wait until the names in a folder would outlive a power cut."""
    if os.name == "posix":  # elsewhere a folder cannot be opened
        _onto_disk(folder)


def _forget_unfinished(folder: Path, made_at: datetime) -> None:
    """Delete what others have begun and left; another one may be at work just now."""
    for file in folder.iterdir():
        if not is_left(file):
            continue
        with suppress(FileNotFoundError):  # it has just got its name
            if file.stat().st_mtime < (made_at - _DAY).timestamp():
                file.unlink()


def _fill(source: Path, target: Path, stop: Event) -> int:
    def go_on(*_progress: int) -> None:
        """Called again and again: an error ends what SQLite is at."""
        if stop.is_set():
            raise StoppedError

    address = f"{source.resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as reads:
        # What is committed from here on is not in the copy, so that no step begins anew.
        reads.execute("BEGIN")
        before = _counted(reads)
        with closing(sqlite3.connect(target, isolation_level=None)) as writes:
            # Whoever is killed leaves one file, not two.
            writes.execute("PRAGMA journal_mode = OFF")
            writes.execute("PRAGMA synchronous = OFF")
            reads.backup(writes, pages=_PAGES, progress=go_on, sleep=_REST_SECONDS)
            # One file, without a log beside it.
            writes.execute("PRAGMA journal_mode = DELETE")
    with closing(sqlite3.connect(target)) as copy:
        copy.set_progress_handler(go_on, _INSTRUCTIONS)
        if copy.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            if damage := damage_in(source, _LOOK_THROUGH_SECONDS):
                raise DamagedDatabaseError(damage)
            raise DifferentCopyError
        if _counted(copy) != before:
            raise DifferentCopyError
    return sum(before[0].values())


def _counted(connection: sqlite3.Connection) -> tuple[dict[str, int], list[tuple[str]]]:
    """How many rows each table has, and which migration was the last."""
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    counts = {
        name: int(connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0])  # noqa: S608 - the file's own names
        for (name,) in names
    }
    return counts, connection.execute("SELECT version_num FROM alembic_version").fetchall()


def _onto_disk(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
