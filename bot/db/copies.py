"""Copies of an SQLite file: making and checking them, and putting one in its place.

A copy is made even while a bot writes.
"""

import asyncio
import os
import re
import shutil
import sqlite3
import sys
from collections.abc import AsyncGenerator, Callable, Collection, Generator, Iterable, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, Self

import aiosqlite
from sqlalchemy import URL

from bot.db.database import Transaction
from bot.db.moving import last_id, set_last_id
from bot.db.sqlite import (
    address_of,
    address_to_read,
    code_of,
    is_damage,
    reason,
    require_file,
    require_locks,
)
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

    def _claim(number: int) -> None:
        """Do nothing: Windows deletes no file that is open."""

    def _lock(number: int) -> None:
        os.lseek(number, _FIRST, os.SEEK_SET)
        msvcrt.locking(number, msvcrt.LK_NBLCK, _BYTES)
else:
    import fcntl

    def _claim(number: int) -> None:
        """Lock a file until it is closed or its process is killed; SQLite's locks are others."""
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _lock(number: int) -> None:
        fcntl.lockf(number, fcntl.LOCK_EX | fcntl.LOCK_NB, _BYTES, _FIRST)


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


# SQLite asks after so many instructions whether to go on.
_INSTRUCTIONS: Final = 20_000


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
