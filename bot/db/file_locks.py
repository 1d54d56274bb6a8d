"""Whether any program has an SQLite file open, and keeping others from opening it meanwhile.

Locks are asked of the system where SQLite itself has them: whoever has a database open in WAL mode,
as the bot has, holds one of these bytes, and one who is killed holds none. So nobody is overlooked,
nobody is waited for who is gone, and it does not matter whether the file is damaged.
"""

import os
import sqlite3
import sys
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from bot.db.backing_up import ONLY_OWNER
from bot.db.damage import code_of
from bot.errors import StorageError

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


@contextmanager
def held(file: Path) -> Generator[Held]:
    """A file that nobody else has open, and that nobody can open until this ends.

    What is in the log beside it is in the file then, unless one of them is damaged. A file that is
    not there is made, empty, so that it can be held, too; SQLite takes that for a new one.

    Raises:
        StillOpenError: somebody has it open.
        OSError: it cannot be opened at all.
    """
    was_there = file.exists()
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, ONLY_OWNER))
    try:
        if was_there:
            _settle(file)
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


def _settle(file: Path) -> None:
    """Write the log into the file, and let the log go: SQLite does that for who is alone."""
    try:
        with closing(sqlite3.connect(file, timeout=0, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE").fetchall()
    except sqlite3.Error as error:
        if code_of(error) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            raise StillOpenError from error
        # Otherwise it is damaged, which may be why it is to be replaced: it stays as it is.


def _require_nobody(number: int) -> None:
    try:
        _lock(number)
    except OSError as error:
        raise StillOpenError from error
