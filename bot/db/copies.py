"""Checked copies of an SQLite file, even while a bot writes to it."""

import asyncio
import errno
import mmap
import os
import re
import sqlite3
import sys
import tempfile
from collections.abc import AsyncGenerator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self

import aiosqlite

from bot.errors import (
    DamagedDatabaseError,
    NoDatabaseError,
    StorageError,
    UnfitDatabaseError,
    UnusableDatabaseError,
)

if sys.platform == "win32":

    def _lock(number: int) -> None:
        """Do nothing: Windows locks files of a network's, too."""

    def _claim(number: int) -> None:
        """Do nothing: Windows deletes no file that is open."""
else:
    import fcntl

    def _lock(number: int) -> None:
        fcntl.lockf(number, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _claim(number: int) -> None:
        """Lock a file until it is closed or its process is killed; SQLite's locks are others."""
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)


_TIME: Final = "%Y-%m-%dT%H%M%SZ"
_WRITTEN: Final = re.compile(
    r"focdle-(kept-)?(\d{4}-\d\d-\d\dT\d{6}Z)(?:-of-(\d{4}(?:_[0-9a-f]{16})?))?\.db"
)
UNFINISHED: Final = ".unfinished"
_LEFT: Final = re.compile(rf"{_WRITTEN.pattern}\.unfinished(?:-journal|-wal|-shm)?")


@dataclass(frozen=True, slots=True)
class Name:
    """A backup's file name.

    Attributes:
        made_at: when it was made, to the second.
        is_kept: true if a person made it: the bot never deletes it.
        revision: the database's last migration, if the backup was made before the next one;
            else empty.
    """

    made_at: datetime
    is_kept: bool = False
    revision: str = ""

    def __str__(self) -> str:
        """Return the file name.

        >>> str(Name(datetime(2026, 11, 24, 3, tzinfo=UTC), revision="0101"))
        'focdle-2026-11-24T030000Z-of-0101.db'
        """
        kept = "kept-" if self.is_kept else ""
        of = f"-of-{self.revision}" if self.revision else ""
        return f"focdle-{kept}{self.made_at.astimezone(UTC):{_TIME}}{of}.db"

    @classmethod
    def of(cls, file: Path) -> Self | None:
        """Parse a file's name; None if it is not a backup's."""
        found = _WRITTEN.fullmatch(file.name)
        if found is None:
            return None
        try:
            made_at = datetime.strptime(found[2], _TIME).replace(tzinfo=UTC)
        except ValueError:  # digits that are no date
            return None
        return cls(made_at, found[1] is not None, found[3] or "")


def backups_in(folder: Path) -> dict[Path, Name]:
    """Map all backups in a folder to their parsed names; other files and links are skipped."""
    found: dict[Path, Name] = {}
    for file in folder.iterdir() if folder.is_dir() else ():
        name = Name.of(file)
        if name is not None and file.is_file() and not file.is_symlink():
            found[file] = name
    return found


def newest_backup(folder: Path, now: datetime) -> datetime | None:
    """Return when the newest backup in a folder was made; None without one.

    A backup has its name only once it is complete. Backups dated after now come from a wrong clock
    and do not count.
    """
    made = (name.made_at for name in backups_in(folder).values())
    return max((at for at in made if at <= now), default=None)


_CODES: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
# SQLite asks after so many instructions whether to go on.
_INSTRUCTIONS: Final = 20_000


def code_of(error: BaseException | None) -> int:
    """Return SQLite's primary error code; 0 for other errors."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF


def is_damage(error: BaseException | None) -> bool:
    """Return true if the error says that the file is damaged or not SQLite's."""
    return code_of(error) in _CODES


def require_file(path: Path) -> None:
    """Raise `NoDatabaseError` for a missing file, `UnusableDatabaseError` for a folder."""
    if path.is_dir():
        raise UnusableDatabaseError(os.strerror(errno.EISDIR))
    if not path.is_file():
        raise NoDatabaseError(str(path))


def require_locks(folder: Path) -> None:
    """Raise `UnfitDatabaseError` where files cannot be locked or shared: on many network disks.

    SQLite would say that another program has the database, or that the disk fails.
    """
    with suppress(OSError), tempfile.TemporaryFile(dir=folder) as file:  # others tell what fails
        file.truncate(mmap.PAGESIZE)
        try:
            _lock(file.fileno())
            mmap.mmap(file.fileno(), mmap.PAGESIZE).close()
        except OSError as error:
            raise UnfitDatabaseError(
                f"Files in {folder} cannot be locked ({reason(error)}), as on many network disks. "
                "Put the database on a disk of this machine's, or take PostgreSQL."
            ) from error


def address_to_read(file: Path) -> str:
    """Build a URI by which SQLite reads a database without changing it or leaving a log beside it.

    A write-ahead log means that a bot runs or was killed: it is read, too. Without one nobody
    writes, so the file is opened as `immutable`, which keeps SQLite from making an empty log.
    """
    has_log = file.with_name(file.name + "-wal").exists()
    return address_of(file, "ro" if has_log else "ro&immutable=1")


def address_of(file: Path, mode: str = "rw") -> str:
    return f"{file.resolve().as_uri()}?mode={mode}"


@asynccontextmanager
async def opened(address: str, patience: float = 5.0) -> AsyncGenerator[aiosqlite.Connection]:
    """Open a connection that begins no transactions by itself.

    When the task is cancelled, SQLite stops the statement that it runs. `patience` is its busy
    timeout in seconds.
    """
    connecting = aiosqlite.connect(address, uri=True, isolation_level=None, timeout=patience)
    async with connecting as connection:
        await connection.set_progress_handler(_go_on(), _INSTRUCTIONS)
        yield connection


def _go_on() -> Callable[..., None]:
    """Return a progress handler that ends SQLite's work when the current task is cancelled."""
    task = asyncio.current_task()

    def end_if_cancelled(*_progress: int) -> None:
        if task and task.cancelling():
            raise asyncio.CancelledError

    return end_if_cancelled


async def damage_in(file: Path, seconds: float) -> str | None:
    """Find damage in an SQLite file; `UnusableDatabaseError` if it cannot be read.

    Returns:
        The first damage found; empty if there is none, None if the check took too long.
    """
    address = address_to_read(file)
    try:
        async with asyncio.timeout(seconds), opened(address) as connection:
            ((found,),) = await connection.execute_fetchall("PRAGMA quick_check(1)")
    except TimeoutError:
        return None
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise UnusableDatabaseError(str(error)) from error
        found = str(error)
    if found != "ok" and address != address_to_read(file):  # a bot has begun to write meanwhile
        return await damage_in(file, seconds)
    return "" if found == "ok" else " ".join(found.split())


ONLY_OWNER: Final = 0o600
ONLY_OWNER_ENTERS: Final = 0o700
# Copying rests between short steps, so that other disk users are not held up.
_PAGES: Final = 256
_REST_SECONDS: Final = 0.002
# Nobody else uses an unfinished copy, which may be on a disk where nothing can be locked.
_ALONE: Final = "rw" if sys.platform == "win32" else "rw&vfs=unix-none"
_LOOK_THROUGH_SECONDS: Final = 60.0


class CopyError(StorageError):
    """A backup failed; the message says why. A copy was made only with `OldBackupError`."""

    @property
    def advice(self) -> str:
        return (
            f"There is no new backup ({self}); the earlier ones are there. Check that the bot may "
            "write to the folder, and that the disk has room."
        )


class OldBackupError(CopyError):
    """The backup was made, but something old could not be deleted; the message says why."""

    @property
    def advice(self) -> str:
        return (
            "The backup is there, but an old one, or an old list of deletions, could not be "
            f"deleted ({self}). Check that the bot may delete files in the folder."
        )


class DifferentCopyError(StorageError):
    """The copy is damaged, or its numbers of rows differ from the database's; it was deleted."""

    @property
    def advice(self) -> str:
        return (
            "There is no new backup: the copy was damaged, or not what the database is. The "
            "earlier ones are there. Check the disk; the doctor looks through the database."
        )


@dataclass(frozen=True, slots=True)
class Copied:
    file: Path
    rows: int


async def copy_file(source: Path, folder: Path, name: Name) -> Copied:
    """Copy a database as it is at one moment, and check the copy; a cancelled copy leaves nothing.

    A killed process leaves a file whose name says that it is unfinished; see `delete_left`.

    Raises:
        NoDatabaseError: there is no such file.
        UnusableDatabaseError: it is a folder.
        FileExistsError: there is a copy of that second.
        DamagedDatabaseError: the database is damaged.
        DifferentCopyError: the copy is damaged, or has other numbers of rows.
        CopyError: the database cannot be read, or the copy not written.
    """
    require_file(source)
    target = folder / str(name)
    unfinished = target.with_name(target.name + UNFINISHED)
    if target.exists():
        raise FileExistsError(target)
    try:
        await asyncio.to_thread(_make_ready, folder)
        rows = await fill(source, unfinished)
        unfinished.rename(target)
        await asyncio.to_thread(flush_folder, folder)
    except (sqlite3.Error, OSError) as error:
        if is_damage(error):
            raise DamagedDatabaseError(str(error)) from error
        raise CopyError(reason(error)) from error
    return Copied(target, rows)


async def fill(source: Path, target: Path) -> int:
    """Copy a database to a file, check the copy and flush it; return the number of rows in it.

    A file that was there is replaced; a failed or cancelled copy is deleted.
    """
    discard(target)
    number = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, ONLY_OWNER)
    try:
        with suppress(OSError):  # on a disk without locks
            _claim(number)
        rows = await _fill(source, target)
        await asyncio.to_thread(flush, target)
    except BaseException:
        discard(target)
        raise
    finally:
        os.close(number)
    return rows


def discard(file: Path) -> None:
    """Delete a database file and SQLite's files beside it, if they exist."""
    for beside in ("", "-journal", "-wal", "-shm"):
        file.with_name(file.name + beside).unlink(missing_ok=True)


def delete_backups(files: Collection[Path]) -> None:
    """Delete old backups; `OldBackupError` if one cannot be deleted."""
    try:
        for file in files:
            file.unlink(missing_ok=True)
            flush_folder(file.parent)
    except OSError as error:
        raise OldBackupError(reason(error)) from error


def reason(error: Exception) -> str:
    """Return an error's message; for an error of the operating system, without file names."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def flush_folder(folder: Path) -> None:
    """Flush a folder, so that its file names survive a power cut; nothing is done on Windows."""
    if os.name == "posix":  # Windows cannot open a folder
        flush(folder)


def _make_ready(folder: Path) -> None:
    folder.mkdir(mode=ONLY_OWNER_ENTERS, parents=True, exist_ok=True)
    delete_left(folder)


def delete_left(folder: Path) -> None:
    """Delete unfinished copies that killed processes have left in a folder."""
    for file in folder.iterdir() if folder.is_dir() else ():
        if _LEFT.fullmatch(file.name) and not _is_claimed(file):
            with suppress(OSError):  # another process was faster
                file.unlink()


def _is_claimed(file: Path) -> bool:
    """Return true if a process is at a copy, to which this file belongs."""
    try:
        with file.with_name(file.name.partition(UNFINISHED)[0] + UNFINISHED).open("rb") as copy:
            _claim(copy.fileno())
    except BlockingIOError:
        return True
    except OSError:  # it is gone, or nothing can be locked there
        return False
    return False


async def _fill(source: Path, target: Path) -> int:
    async with opened(address_of(source, "ro")) as reads:
        # The copy is of this moment: without the snapshot a write would make each step begin anew.
        await reads.execute("BEGIN")
        before = await _counted(reads)
        async with opened(address_of(target, _ALONE)) as writes:
            # The copy is in WAL mode at first, which would share memory.
            await writes.execute_fetchall("PRAGMA locking_mode = EXCLUSIVE")
            # Without a journal a killed process leaves one file, not two.
            await writes.execute_fetchall("PRAGMA journal_mode = OFF")
            await writes.execute_fetchall("PRAGMA synchronous = OFF")
            await reads.backup(writes, pages=_PAGES, progress=_go_on(), sleep=_REST_SECONDS)
            await writes.execute_fetchall("PRAGMA journal_mode = DELETE")
    async with opened(address_of(target, _ALONE)) as copy:
        if not await is_whole(copy):
            if damage := await damage_in(source, _LOOK_THROUGH_SECONDS):
                raise DamagedDatabaseError(damage)
            raise DifferentCopyError
        if await _counted(copy) != before:
            raise DifferentCopyError
    return sum(before[0].values())


async def is_whole(connection: aiosqlite.Connection) -> bool:
    return [*await connection.execute_fetchall("PRAGMA integrity_check")] == [("ok",)]


async def _counted(connection: aiosqlite.Connection) -> tuple[dict[str, int], list[Any]]:
    """Return the number of rows of each table, and the last migration."""
    tables = "SELECT name FROM sqlite_master WHERE type = 'table'"
    counts = dict[str, int]()
    for (name,) in await connection.execute_fetchall(tables):
        query = f'SELECT count(*) FROM "{name}"'  # noqa: S608 - the file's own names
        ((counts[name],),) = await connection.execute_fetchall(query)
    versions = await connection.execute_fetchall("SELECT version_num FROM alembic_version")
    return counts, [*versions]


def flush(path: Path) -> None:
    # Windows flushes only what is open for writing; Linux opens no folder so.
    number = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(number)
    finally:
        os.close(number)
