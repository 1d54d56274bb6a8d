"""A copy of a database before it is brought up to date, for who wants to go back."""

import logging
import shutil
from pathlib import Path
from typing import Final

from bot.clock import Clock
from bot.db.backing_up import Copied, CopyError, DifferentCopyError, copy_file, reason
from bot.db.backup_names import Name, backups_in
from bot.db.database import known_revisions

log = logging.getLogger(__name__)

_TIMES: Final = 2
"""How much room there must be: the copy, and as much for what is written meanwhile."""


class _NoCopyError(Exception):
    """No copy is made; the message says why."""


class CopiesBefore:
    """Copies that are made before a migration, in the folder of the bot's own backups.

    No copy that cannot be made keeps the bot from starting: the log says so.

    Args:
        folder: where backups are; None where the host wants none.
        clock: what tells the time.
    """

    def __init__(self, folder: Path | None, clock: Clock) -> None:
        self._folder = folder
        self._clock = clock

    def make(self, file: Path | None, revision: str) -> None:
        """Copy a database that nobody else can write to now.

        Args:
            file: where it is; None where it is no file.
            revision: the last migration it has had.

        Raises:
            DamagedDatabaseError: it is damaged, and is better not touched.
        """
        if file is None:
            log.warning(
                "the database is brought up to date without a copy: "
                "before an update, make one with pg_dump"
            )
            return
        try:
            copied = self._copy(file, revision)
        except DifferentCopyError:
            log.warning("the database is brought up to date without a copy, which was damaged")
        except (_NoCopyError, CopyError, OSError) as error:
            log.warning("the database is brought up to date without a copy: %s", reason(error))
        else:
            log.info("the database is brought up to date; as it was, it is %s", copied.file)

    def _copy(self, file: Path, revision: str) -> Copied:
        if self._folder is None:
            raise _NoCopyError("BACKUPS is off")
        parts = (file, file.with_name(file.name + "-wal"))
        size = sum(part.stat().st_size for part in parts if part.exists())
        if shutil.disk_usage(_there_of(self._folder)).free < _TIMES * size:
            raise _NoCopyError("twice its size is not free on the disk")
        return copy_file(file, self._folder, Name(self._clock.now(), revision=revision))

    def to_go_back_to(self) -> Path | None:
        """The newest copy that this version can use; None if there is none."""
        try:
            there = {} if self._folder is None else backups_in(self._folder)
        except OSError:
            return None
        usable = [file for file, name in there.items() if name.revision in known_revisions()]
        return max(usable, key=lambda file: there[file].made_at, default=None)


def _there_of(folder: Path) -> Path:
    """The part of a path that is there."""
    absolute = folder.absolute()
    return next(each for each in (absolute, *absolute.parents) if each.exists())
