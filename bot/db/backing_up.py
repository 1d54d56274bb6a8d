"""A copy of an SQLite file while bots write to it: checked before it has its name."""

import errno
import os
import re
import sqlite3
import time
from collections.abc import Collection
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Final, Self

from bot.errors import DamagedDatabaseError, NoDatabaseError, StorageError, UnusableDatabaseError

_TIME: Final = "%Y-%m-%dT%H%M%SZ"
_WRITTEN: Final = re.compile(r"focdle-(kept-)?(\d{4}-\d\d-\d\dT\d{6}Z)(?:-of-(\d{4}))?\.db")
UNFINISHED: Final = ".unfinished"
_LEFT: Final = re.compile(rf"{_WRITTEN.pattern}\.unfinished(?:-journal|-wal|-shm)?")


@dataclass(frozen=True, slots=True)
class Name:
    """What a backup's name says.

    Attributes:
        made_at: when it was made, to the second.
        is_kept: whether somebody has made it by hand, so that it stays; else it is the bot's own.
        revision: the last migration it has had, if it was made before the next one.
    """

    made_at: datetime
    is_kept: bool = False
    revision: str = ""

    def __str__(self) -> str:
        """As it is written.

        >>> str(Name(datetime(2026, 11, 24, 3, tzinfo=UTC), revision="0041"))
        'focdle-2026-11-24T030000Z-of-0041.db'
        """
        kept = "kept-" if self.is_kept else ""
        of = f"-of-{self.revision}" if self.revision else ""
        return f"focdle-{kept}{self.made_at.astimezone(UTC):{_TIME}}{of}.db"

    @classmethod
    def of(cls, file: Path) -> Self | None:
        """The name of a file; None if it is none of ours."""
        found = _WRITTEN.fullmatch(file.name)
        if found is None:
            return None
        try:
            made_at = datetime.strptime(found[2], _TIME).replace(tzinfo=UTC)
        except ValueError:  # digits that are no date
            return None
        return cls(made_at, found[1] is not None, found[3] or "")


def is_left(file: Path) -> bool:
    """Whether a file is what somebody has begun and left, or what SQLite had beside it."""
    return _LEFT.fullmatch(file.name) is not None


def backups_in(folder: Path) -> dict[Path, Name]:
    """All backups in a folder, by hand or not; nothing else that is there, which is the host's."""
    found: dict[Path, Name] = {}
    for file in folder.iterdir() if folder.is_dir() else ():
        name = Name.of(file)
        if name is not None and file.is_file() and not file.is_symlink():
            found[file] = name
    return found


_CODES: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_STEPS: Final = 100_000
"""After how many of SQLite's steps somebody looks at the clock."""


def code_of(error: BaseException | None) -> int:
    """What SQLite calls an error, without finer distinctions; 0 for what is none of its."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF


def is_damage(error: BaseException | None) -> bool:
    """Whether an error says that a file is damaged, or none of SQLite's."""
    return code_of(error) in _CODES


def require_file(path: Path) -> None:
    """Make sure that there is a file of a database's.

    Raises:
        NoDatabaseError: it is not there.
        UnusableDatabaseError: it is a folder.
    """
    if path.is_dir():
        raise UnusableDatabaseError(os.strerror(errno.EISDIR))
    if not path.is_file():
        raise NoDatabaseError(str(path))


def address_to_read(file: Path) -> str:
    """The URI under which a file can be read, and neither it nor those beside it change.

    A log beside it belongs to a bot that runs or was killed, and is read, too. Without one, nobody
    writes, and SQLite is told so: else it would leave an empty log.
    """
    has_log = file.with_name(file.name + "-wal").exists()
    return f"{file.resolve().as_uri()}?mode=ro" + ("" if has_log else "&immutable=1")


def damage_in(file: Path, seconds: float) -> str | None:
    """What is damaged in a file of SQLite's. Takes long: not for the event loop.

    Args:
        file: the database.
        seconds: after how long to give it up.

    Returns:
        The first thing that is damaged; empty if nothing is, None if there was no time.

    Raises:
        UnusableDatabaseError: it cannot be read.
    """
    began, address = time.monotonic(), address_to_read(file)
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            connection.set_progress_handler(lambda: time.monotonic() > began + seconds, _STEPS)
            found: str = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        if code_of(error) == sqlite3.SQLITE_INTERRUPT:
            return None
        if not is_damage(error):
            raise UnusableDatabaseError(str(error)) from error
        found = str(error)
    if found != "ok" and address != address_to_read(file):  # a bot has begun to write meanwhile
        return damage_in(file, seconds)
    return "" if found == "ok" else " ".join(found.split())


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
