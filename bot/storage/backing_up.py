"""A copy of an SQLite file while bots write to it: checked before it has its name."""

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from bot.errors import NoDatabaseError, UnusableDatabaseError

_ONLY_OWNER: Final = 0o600
_ONLY_OWNER_ENTERS: Final = 0o700
_UNFINISHED: Final = ".unfinished"
# A step is short, and the disk is everybody's between two of them.
_PAGES: Final = 256
_REST_SECONDS: Final = 0.002
_DAY: Final = timedelta(days=1)


class DifferentCopyError(Exception):
    """The copy is damaged, or does not have what the database had. It is gone again."""


@dataclass(frozen=True, slots=True)
class Copied:
    """A copy that was read back: where it is, and how many rows it has."""

    file: Path
    rows: int


def copy_file(source: Path, folder: Path, name: str, made_at: datetime) -> Copied:
    """Copy a database as it is at one moment. Takes long: not for the event loop.

    Whoever ends this in the middle leaves a file whose name says that it is unfinished. It goes
    when nobody has written to it for a day and another copy is made.

    Args:
        source: the file of the database.
        folder: where the copy goes; made if it is not there.
        name: what the copy is called.
        made_at: the present.

    Raises:
        NoDatabaseError: there is no such file.
        FileExistsError: there is a copy of that name.
        DifferentCopyError: the copy is not what the database was.
        UnusableDatabaseError: the database cannot be read, or the copy not written.
    """
    if not source.is_file():
        raise NoDatabaseError(str(source))
    target = folder / name
    unfinished = folder / (name + _UNFINISHED)
    if target.exists():
        raise FileExistsError(target)
    try:
        folder.mkdir(mode=_ONLY_OWNER_ENTERS, parents=True, exist_ok=True)
        unfinished.unlink(missing_ok=True)
        os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _ONLY_OWNER))
        rows = _fill(source, unfinished)
        _onto_disk(unfinished)
        unfinished.rename(target)
        if os.name == "posix":  # elsewhere a folder cannot be opened
            _onto_disk(folder)
        _forget_unfinished(folder, made_at)
    except DifferentCopyError:
        unfinished.unlink(missing_ok=True)
        raise
    except (sqlite3.Error, OSError) as error:
        raise UnusableDatabaseError from error
    return Copied(target, rows)


def _forget_unfinished(folder: Path, made_at: datetime) -> None:
    """Delete what others have begun and left; another one may be at work just now."""
    for file in folder.glob(f"*{_UNFINISHED}"):
        if file.stat().st_mtime < (made_at - _DAY).timestamp():
            file.unlink(missing_ok=True)


def _fill(source: Path, unfinished: Path) -> int:
    address = f"{source.resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as reads:
        # What is committed from here on is not in the copy, so that no step begins anew.
        reads.execute("BEGIN")
        before = _counted(reads)
        with closing(sqlite3.connect(unfinished)) as writes:
            reads.backup(writes, pages=_PAGES, sleep=_REST_SECONDS)
            # One file, without a log beside it.
            writes.execute("PRAGMA journal_mode = DELETE")
    with closing(sqlite3.connect(unfinished)) as copy:
        if copy.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
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
