"""A copy of an SQLite file while bots write to it: checked before it has its name."""

import asyncio
import errno
import os
import re
import sqlite3
from collections.abc import AsyncGenerator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

import aiosqlite

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
# How many instructions of SQLite's are executed until it is asked whether to go on.
_INSTRUCTIONS: Final = 20_000


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
    return address_of(file, "ro" if has_log else "ro&immutable=1")


def address_of(file: Path, mode: str = "rw") -> str:
    """The URI of a file that is there."""
    return f"{file.resolve().as_uri()}?mode={mode}"


@asynccontextmanager
async def opened(address: str, patience: float = 5.0) -> AsyncGenerator[aiosqlite.Connection]:
    """A connection that begins transactions when it is told; what is cancelled ends at once.

    Args:
        address: the file's URI.
        patience: how many seconds to wait for others.
    """
    connecting = aiosqlite.connect(address, uri=True, isolation_level=None, timeout=patience)
    async with connecting as connection:
        await connection.set_progress_handler(_go_on(), _INSTRUCTIONS)
        yield connection


def _go_on() -> Callable[..., None]:
    """What SQLite calls again and again: an error ends what it is at, if this task is cancelled."""
    return partial(_end_if_cancelled, asyncio.current_task())


def _end_if_cancelled(task: asyncio.Task[Any] | None, *_progress: int) -> None:
    if task and task.cancelling():
        raise asyncio.CancelledError


async def damage_in(file: Path, seconds: float) -> str | None:
    """What is damaged in a file of SQLite's.

    Args:
        file: the database.
        seconds: after how long to give it up.

    Returns:
        The first thing that is damaged; empty if nothing is, None if there was no time.

    Raises:
        UnusableDatabaseError: it cannot be read.
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
_ONLY_OWNER_ENTERS: Final = 0o700
# A step is short, and the disk is everybody's between two of them.
_PAGES: Final = 256
_REST_SECONDS: Final = 0.002
_DAY: Final = timedelta(days=1)
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


@dataclass(frozen=True, slots=True)
class Copied:
    """A copy that was read back: where it is, and how many rows it has."""

    file: Path
    rows: int


async def copy_file(source: Path, folder: Path, name: Name) -> Copied:
    """Copy a database as it is at one moment; nothing is left of what is cancelled.

    Whoever kills this in the middle leaves a file whose name says that it is unfinished. It goes
    when nobody has written to it for a day and another copy is made.

    Args:
        source: the file of the database.
        folder: where the copy goes; made if it is not there.
        name: what it is called, after the present.

    Raises:
        NoDatabaseError: there is no such file.
        UnusableDatabaseError: it is a folder.
        FileExistsError: there is a copy of that second.
        DamagedDatabaseError: the database is damaged.
        DifferentCopyError: the copy is not what the database was.
        CopyError: the database cannot be read, or the copy not written.
    """
    require_file(source)
    target = folder / str(name)
    unfinished = target.with_name(target.name + UNFINISHED)
    if target.exists():
        raise FileExistsError(target)
    try:
        await asyncio.to_thread(_make_ready, folder, name.made_at)
        rows = await fill(source, unfinished)
        unfinished.rename(target)
        await asyncio.to_thread(folder_onto_disk, folder)
    except (sqlite3.Error, OSError) as error:
        if is_damage(error):
            raise DamagedDatabaseError(str(error)) from error
        raise CopyError(reason(error)) from error
    return Copied(target, rows)


async def fill(source: Path, target: Path) -> int:
    """Copy a database to a new file, and read that back; how many rows it has.

    It is all or nothing, unless this is killed; the file is on the disk then.

    Raises:
        DamagedDatabaseError, DifferentCopyError: as `copy_file`.
        sqlite3.Error, OSError: one of them cannot be used.
    """
    discard(target)
    try:
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, ONLY_OWNER))
        rows = await _fill(source, target)
        await asyncio.to_thread(_onto_disk, target)
    except BaseException:
        discard(target)
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


def _make_ready(folder: Path, made_at: datetime) -> None:
    """Delete what others have begun and left there; another one may be at work just now."""
    folder.mkdir(mode=_ONLY_OWNER_ENTERS, parents=True, exist_ok=True)
    for file in folder.iterdir():
        if not is_left(file):
            continue
        with suppress(FileNotFoundError):  # it has just got its name
            if file.stat().st_mtime < (made_at - _DAY).timestamp():
                file.unlink()


async def _fill(source: Path, target: Path) -> int:
    async with opened(address_of(source, "ro")) as reads:
        # What is committed from here on is not in the copy, so that no step begins anew.
        await reads.execute("BEGIN")
        before = await _counted(reads)
        async with opened(address_of(target)) as writes:
            # Whoever is killed leaves one file, not two.
            await writes.execute_fetchall("PRAGMA journal_mode = OFF")
            await writes.execute_fetchall("PRAGMA synchronous = OFF")
            await reads.backup(writes, pages=_PAGES, progress=_go_on(), sleep=_REST_SECONDS)
            # One file, without a log beside it.
            await writes.execute_fetchall("PRAGMA journal_mode = DELETE")
    async with opened(address_of(target)) as copy:
        if not await is_whole(copy):
            if damage := await damage_in(source, _LOOK_THROUGH_SECONDS):
                raise DamagedDatabaseError(damage)
            raise DifferentCopyError
        if await _counted(copy) != before:
            raise DifferentCopyError
    return sum(before[0].values())


async def is_whole(connection: aiosqlite.Connection) -> bool:
    """Whether SQLite finds nothing damaged."""
    return [*await connection.execute_fetchall("PRAGMA integrity_check")] == [("ok",)]


async def _counted(connection: aiosqlite.Connection) -> tuple[dict[str, int], list[Any]]:
    """How many rows each table has, and which migration was the last."""
    tables = "SELECT name FROM sqlite_master WHERE type = 'table'"
    counts = dict[str, int]()
    for (name,) in await connection.execute_fetchall(tables):
        query = f'SELECT count(*) FROM "{name}"'  # noqa: S608 - the file's own names
        ((counts[name],),) = await connection.execute_fetchall(query)
    versions = await connection.execute_fetchall("SELECT version_num FROM alembic_version")
    return counts, [*versions]


def _onto_disk(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
