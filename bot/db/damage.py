"""Whether a file of SQLite's is there, and damaged."""

import errno
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Final

from bot.errors import NoDatabaseError, UnusableDatabaseError

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
