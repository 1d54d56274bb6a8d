"""How backups are called: whose they are, of when, and of which schema."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Self

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
