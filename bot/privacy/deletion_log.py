"""What deletions leave: lists beside backups, which tell what to delete again; SQLite's log."""

import hashlib
import json
import logging
import os
import re
import secrets
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final

from bot.db import facts
from bot.db.copies import ONLY_OWNER, ONLY_OWNER_ENTERS, flush_folder
from bot.db.database import Database, Transaction
from bot.db.sqlite import reason
from bot.errors import StorageError
from bot.pool.pool import in_thread
from bot.privacy.model import Deletion, Keeps, Owner

log = logging.getLogger(__name__)

# A list has one date, in UTC, and a JSON object in each line. Lines are only appended; the list is
# deleted once every backup is younger than its date.

_LIST: Final = re.compile(r"deletions-(\d{4}-\d\d-\d\d)\.jsonl")


def append(folder: Path, deletion: Deletion) -> None:
    """Append a deletion to its date's list, and flush it to disk; too slow for the event loop."""
    folder.mkdir(mode=ONLY_OWNER_ENTERS, parents=True, exist_ok=True)
    file = _list_of(folder, deletion.at)
    told = asdict(deletion) | {"at": deletion.at.isoformat()}
    told |= {"kind": deletion.kind.value, "keeps": deletion.keeps.value}
    # A full disk may have cut the last line: this one begins with a line break.
    line = b"\n" + json.dumps(told).encode() + b"\n"
    is_new = not file.exists()
    number = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, ONLY_OWNER)
    try:
        if is_new and hasattr(os, "fchown"):
            # A list that root creates must be writable for the bot.
            owner = folder.stat()
            with suppress(PermissionError):  # only root may change owners
                os.fchown(number, owner.st_uid, owner.st_gid)
        if os.write(number, line) != len(line):
            raise OSError("the disk took half of a line")
        os.fsync(number)
    finally:
        os.close(number)
    if is_new:
        flush_folder(folder)


def read_all(folders: Collection[Path]) -> tuple[list[Deletion], int] | None:
    """Return the deletions listed in some folders, and how many lines cannot be read.

    None if there is no list.
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
    """Delete the lists of dates before `day`."""
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
    """Return a list's deletions, and the number of lines that cannot be read."""
    lines = [line for line in file.read_bytes().split(b"\n") if line]
    found = [deletion for deletion in map(_deletion_in, lines) if deletion is not None]
    return found, len(lines) - len(found)


def _deletion_in(line: bytes) -> Deletion | None:
    try:
        told: dict[str, Any] = json.loads(line)
        told["at"] = datetime.fromisoformat(told["at"])
        told["kind"], told["keeps"] = Owner(told["kind"]), Keeps(told["keeps"])
        return Deletion(**told)
    except (ValueError, TypeError, KeyError):  # half a line, or a later version's
        return None


# Deletions are noted so that a restored backup does not bring anybody back. A note has no id but a
# digest, with a salt of the date: anyone with the list can check whether an id is in it, but cannot
# read one out. The database stores the number of each deletion in the same commit. So a backup
# itself tells which noted deletions it lacks, whatever the clock was, and data that a player made
# after one stays.

_KNOWN: Final = "deletion "
_BYTES: Final = 16


class Deletions:
    """Noted deletions: their numbers in the database, and lines in a folder beside backups.

    Without a folder nothing is noted.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._folder: Path | None = None

    def keep_in(self, folder: Path) -> None:
        self._folder = folder

    def note(
        self,
        tx: Transaction,
        kind: Owner,
        subject_id: int,
        now: datetime,
        keeps: Keeps = Keeps.NOTHING,
    ) -> None:
        """Note a deletion within its transaction, on disk before anybody is told that it is done.

        If the disk fails, that is logged, and the deletion goes on.
        """
        if self._folder is None:
            return
        try:
            file = _list_of(self._folder, now)
            before, _ = _read(file) if file.exists() else ([], 0)
            salt = before[0].salt if before else secrets.token_hex(_BYTES)
            number, digest = secrets.token_hex(_BYTES), digest_of(salt, kind, subject_id)
            deletion = Deletion(number, now, kind, salt, digest, keeps)
            append(self._folder, deletion)
        except OSError as error:
            log.error(  # noqa: TRY400 - nobody's fault is a line
                "A deletion was done, but could not be noted in %s (%s): an older backup would "
                "bring back what was deleted. Check that the bot may write there and that the "
                "disk has room; then type python -m bot backup, and delete the older backups.",
                self._folder,
                reason(error),
            )
        else:
            remember(tx, [deletion])

    async def forget_before(self, day: date) -> None:
        """Forget the deletions of dates before `day`, the date of the oldest backup."""
        if self._folder is None:
            return
        # Lines before numbers: a number without a line does no harm.
        await in_thread(forget_before, self._folder, day)

        def body(tx: Transaction) -> None:
            for name, at in facts.beginning_with(tx, _KNOWN).items():
                if datetime.fromisoformat(at).date() < day:
                    facts.remove(tx, name)

        await self._database.write(body)


def remember(tx: Transaction, done: list[Deletion]) -> None:
    for deletion in done:
        facts.put(tx, _KNOWN + deletion.number, deletion.at.isoformat())


def unknown_of(tx: Transaction, noted: list[Deletion]) -> list[Deletion]:
    """List the noted deletions that the database does not know, oldest first."""
    known = facts.beginning_with(tx, _KNOWN)
    missed = [deletion for deletion in noted if _KNOWN + deletion.number not in known]
    return sorted(missed, key=lambda deletion: deletion.at)


def digest_of(salt: str, kind: Owner, subject_id: int) -> str:
    """Hash the id of a player or server for a list of deletions."""
    return hashlib.sha256(f"{salt}:{kind.value}:{subject_id}".encode()).hexdigest()


async def checkpoint(database: Database) -> None:
    """Empty SQLite's write-ahead log of deleted data; if that fails, a later sweep does it."""
    try:
        is_empty = await database.checkpoint()
    except StorageError as error:
        log.info("what was deleted is still in the database's log: %s", type(error).__name__)
    else:
        if not is_empty:
            log.info("what was deleted is still in the database's log: another program reads it")
