"""Notes deletions beside backups, so that whoever restores one need not bring anybody back.

What is noted names nobody: it is a digest of an id, with a salt of the date's. Who has the list and
an id can check whether it is there, and ids can be guessed; nobody can read one.

The database knows a deletion by its number, from the same commit on. So a backup tells by itself
which of the noted deletions it has, whatever the clock was, and whoever came back after one keeps
what is new.
"""

import hashlib
import logging
import secrets
from datetime import date, datetime
from pathlib import Path
from typing import Final

from bot.db import facts
from bot.db.backing_up import reason
from bot.db.database import Database, Transaction
from bot.pool.threads import in_thread
from bot.privacy.model.deletions import Deletion, Kind
from bot.privacy.store import deletions

log = logging.getLogger(__name__)

_KNOWN: Final = "deletion "
_BYTES: Final = 16


class Deletions:
    """What is noted of deletions; nothing, until somebody says where.

    Args:
        database: where their numbers are.
        folder: where backups are, and lists of deletions beside them; None for nowhere.
    """

    def __init__(self, database: Database, folder: Path | None = None) -> None:
        self._database = database
        self._folder = folder

    def keep_in(self, folder: Path) -> None:
        """Note them in this folder from now on."""
        self._folder = folder

    async def note(
        self, tx: Transaction, kind: Kind, subject_id: int, now: datetime, *, keeps: bool = True
    ) -> None:
        """Note a deletion in its own transaction: it is on the disk before anybody is told of it.

        If it cannot be noted, it is done all the same, and the log says so.

        Args:
            tx: the transaction that deletes.
            kind: whose data are deleted.
            subject_id: who that is; from now on, nothing else tells.
            now: the present instant.
            keeps: whether what outlives a deletion for days is kept.
        """
        if self._folder is None:
            return
        try:
            salt = await in_thread(deletions.salt_of, self._folder, now)
            salt = salt or secrets.token_hex(_BYTES)
            number, digest = secrets.token_hex(_BYTES), digest_of(salt, kind, subject_id)
            deletion = Deletion(number, now, kind, salt, digest, keeps)
            await in_thread(deletions.append, self._folder, deletion)
        except OSError as error:
            log.error(  # noqa: TRY400 - nobody's fault is a line
                "A deletion was done, but could not be noted in %s (%s): an older backup would "
                "bring back what was deleted. Check that the bot may write there and that the "
                "disk has room; then type python -m bot backup, and delete the older backups.",
                self._folder,
                reason(error),
            )
        else:
            await remember(tx, [deletion])

    async def forget_before(self, day: date) -> None:
        """Forget the deletions of dates before one: every backup is younger.

        Raises:
            OSError: a list cannot be deleted.
            StorageError: the database cannot be used now.
        """
        if self._folder is None:
            return
        # In this order: a number that is forgotten has no line any more.
        await in_thread(deletions.forget_before, self._folder, day)
        async with self._database.transaction() as tx:
            for name, at in (await facts.beginning_with(tx, _KNOWN)).items():
                if datetime.fromisoformat(at).date() < day:
                    await facts.remove(tx, name)


async def remember(tx: Transaction, done: list[Deletion]) -> None:
    """Let the database know that it has had these deletions."""
    for deletion in done:
        await facts.put(tx, _KNOWN + deletion.number, deletion.at.isoformat())


async def unknown_of(tx: Transaction, noted: list[Deletion]) -> list[Deletion]:
    """Those of noted deletions that the database has not had, in the order in which they were."""
    known = await facts.beginning_with(tx, _KNOWN)
    missed = [deletion for deletion in noted if _KNOWN + deletion.number not in known]
    return sorted(missed, key=lambda deletion: deletion.at)


def digest_of(salt: str, kind: Kind, subject_id: int) -> str:
    """What is noted in place of an id."""
    return hashlib.sha256(f"{salt}:{kind.value}:{subject_id}".encode()).hexdigest()
