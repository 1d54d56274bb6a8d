"""Copies of an SQLite file before its migration, in the folder of the nightly backups."""

import logging
import shutil
from pathlib import Path
from typing import Final

from bot.clock import Clock
from bot.db.copies import Copied, CopyError, DifferentCopyError, Name, backups_in, copy_file
from bot.db.revisions import known_revisions
from bot.db.sqlite import reason

log = logging.getLogger(__name__)

_TIMES: Final = 2
"""The free space that a copy needs, in sizes of the database: one for the copy, and one for writes
meanwhile.
"""


class _NoCopyError(Exception):
    """The reason why no copy was made."""


class CopiesBefore:
    """Backups before migrations, in the folder of the nightly ones.

    A backup that fails is logged, and the migration goes on; a damaged database is not migrated.
    Without a folder, no backup is made.
    """

    def __init__(self, folder: Path | None, clock: Clock) -> None:
        self._folder = folder
        self._clock = clock

    async def make(self, file: Path | None, revision: str) -> None:
        """Copy a database before its migration; raise `DamagedDatabaseError` if it is damaged.

        The caller keeps other processes from writing meanwhile. `file` is None for PostgreSQL,
        which is not copied; `revision` is the last migration that the database has had.
        """
        if file is None:
            log.warning(
                "the database is brought up to date without a copy: "
                "before an update, make one with pg_dump"
            )
            return
        try:
            copied = await self._copy(file, revision)
        except DifferentCopyError:
            log.warning("the database is brought up to date without a copy, which was damaged")
        except (_NoCopyError, CopyError, OSError) as error:
            log.warning("the database is brought up to date without a copy: %s", reason(error))
        else:
            log.info("the database is brought up to date; as it was, it is %s", copied.file)

    async def _copy(self, file: Path, revision: str) -> Copied:
        if self._folder is None:
            raise _NoCopyError("BACKUPS is off")
        parts = (file, file.with_name(file.name + "-wal"))
        size = sum(part.stat().st_size for part in parts if part.exists())
        folder = self._folder.absolute()  # it is made with the first backup
        there = next(each for each in (folder, *folder.parents) if each.exists())
        if shutil.disk_usage(there).free < _TIMES * size:
            raise _NoCopyError("twice its size is not free on the disk")
        return await copy_file(file, self._folder, Name(self._clock.now(), revision=revision))

    def to_go_back_to(self) -> Path | None:
        try:
            there = {} if self._folder is None else backups_in(self._folder)
        except OSError:
            return None
        usable = [file for file, name in there.items() if name.revision in known_revisions()]
        return max(usable, key=lambda file: there[file].made_at, default=None)
