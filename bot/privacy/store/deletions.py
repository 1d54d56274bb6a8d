"""Lists of deletions beside backups: what is noted there outlives the database.

A list is a file of one date, in UTC, with an object of JSON in each line. It is added to and never
rewritten; as a whole it goes when every backup is younger than its date.
"""

import json
import os
import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final

from bot.db.backing_up import ONLY_OWNER, folder_onto_disk
from bot.privacy.model.deletions import Deletion, Kind

_LIST: Final = re.compile(r"deletions-(\d{4}-\d\d-\d\d)\.jsonl")
_ONLY_OWNER_ENTERS: Final = 0o700


def append(folder: Path, deletion: Deletion) -> None:
    """Note a deletion so that it outlives a power cut. Takes long: not for the event loop.

    Raises:
        OSError: it could not be noted.
    """
    folder.mkdir(mode=_ONLY_OWNER_ENTERS, parents=True, exist_ok=True)
    file = _list_of(folder, deletion.at)
    told = asdict(deletion) | {"at": deletion.at.isoformat(), "kind": deletion.kind.value}
    # The line before may be half of one, from when the disk was full: this one begins with an end.
    line = b"\n" + json.dumps(told).encode() + b"\n"
    is_new = not file.exists()
    number = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, ONLY_OWNER)
    try:
        if is_new and hasattr(os, "fchown"):
            # What root begins, the bot is to go on with.
            owner = folder.stat()
            with suppress(PermissionError):  # others may not give anything away
                os.fchown(number, owner.st_uid, owner.st_gid)
        if os.write(number, line) != len(line):
            raise OSError("the disk took half of a line")
        os.fsync(number)
    finally:
        os.close(number)
    if is_new:
        folder_onto_disk(folder)


def salt_of(folder: Path, at: datetime) -> str | None:
    """What ids are hashed with in the list of an instant; None if there is no list yet.

    Raises:
        OSError: the list cannot be read.
    """
    file = _list_of(folder, at)
    known, _ = _read(file) if file.exists() else ([], 0)
    return known[0].salt if known else None


def read_all(folders: Collection[Path]) -> tuple[list[Deletion], int] | None:
    """What the lists in some folders have, and how many lines of them cannot be read.

    None if there is no list.

    Raises:
        OSError: one cannot be read.
    """
    files = [file for folder in folders for _, file in _lists_in(folder)]
    if not files:
        return None
    found: dict[str, Deletion] = {}
    unread = 0
    for file in files:
        deletions, others = _read(file)
        found |= {deletion.number: deletion for deletion in deletions}
        unread += others
    return [*found.values()], unread


def forget_before(folder: Path, day: date) -> None:
    """Delete the lists of dates before one.

    Raises:
        OSError: one cannot be deleted.
    """
    for of_day, file in [*_lists_in(folder)]:
        if of_day < day:
            file.unlink(missing_ok=True)


def _list_of(folder: Path, at: datetime) -> Path:
    return folder / f"deletions-{at.astimezone(UTC).date()}.jsonl"


def _lists_in(folder: Path) -> Iterator[tuple[date, Path]]:
    for file in sorted(folder.iterdir()) if folder.is_dir() else ():
        ours = _LIST.fullmatch(file.name)
        if ours is not None and file.is_file():
            yield date.fromisoformat(ours[1]), file


def _read(file: Path) -> tuple[list[Deletion], int]:
    """The deletions in a list, and how many of its lines are none."""
    lines = [line for line in file.read_bytes().split(b"\n") if line]
    found = [deletion for deletion in map(_deletion_in, lines) if deletion is not None]
    return found, len(lines) - len(found)


def _deletion_in(line: bytes) -> Deletion | None:
    try:
        told: dict[str, Any] = json.loads(line)
        told["at"], told["kind"] = datetime.fromisoformat(told["at"]), Kind(told["kind"])
        return Deletion(**told)
    except (ValueError, TypeError, KeyError):  # half a line, or one of a later version's
        return None
