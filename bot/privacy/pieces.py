"""Deletions in small steps, which a restarted process continues."""

import logging
from abc import ABC, abstractmethod
from datetime import timedelta
from typing import Final

from bot.clock import Clock
from bot.db.database import Database, Transaction
from bot.db.keyed import Schedule
from bot.db.leases import Leases
from bot.errors import StorageError
from bot.failures import Failures

log = logging.getLogger(__name__)

_REST: Final = timedelta(hours=1)
"""The wait before a failed deletion is tried again."""


class DeletionQueue(ABC):
    """A queue of stand-ins or of servers, whose rows are deleted step by step.

    `what` names the queue in the log, and its lease.
    """

    def __init__(
        self, what: str, due: Schedule, database: Database, clock: Clock, leases: Leases | None
    ) -> None:
        self._what = what
        self._due = due
        self._database = database
        self._clock = clock
        self._leases = leases
        self._failures = Failures(log)

    @abstractmethod
    def delete_some(self, tx: Transaction, of: int) -> bool:
        """Delete some rows of one stand-in or server; return true if none are left for now."""

    async def begin(self, of: int, told: str) -> None:
        """Delete the first rows of one stand-in or server: most often, these are all.

        If the database fails, that is only logged, as the deletion itself is committed. `told`
        names the rest in the log.
        """
        try:
            await self._attempt(of)
        except StorageError as error:
            log.info("%s goes later: %s", told, type(error).__name__)
        await checkpoint(self._database)

    async def step(self) -> bool:
        """Delete the next few rows that are due; return true if there were any for this process.

        Each call is a short transaction that holds up no click; call it again until nothing is
        left. A deletion that fails does not hold up others.
        """
        due = await self._database.read(
            lambda tx: self._due.find_due(tx, self._clock.now(), most=1)
        )
        if due and self._leases is not None and not await self._leases.renew(self._what):
            return False
        for of in due:
            if await self._attempt(of):
                await checkpoint(self._database)
        return bool(due)

    async def _attempt(self, of: int) -> bool:
        """Run `delete_some`; return true if no rows are left for now.

        A failure of the database is raised. After any other error, the rows are due again in an
        hour.
        """
        with self._failures.telling(self._what, of=of, but=(StorageError,)):
            return await self._database.write(lambda tx: self.delete_some(tx, of))
        await self._database.write(lambda tx: self._due.put_off(tx, of, self._clock.now() + _REST))
        return False


async def checkpoint(database: Database) -> None:
    """Empty SQLite's write-ahead log of deleted data; if that fails, a later sweep does it."""
    try:
        is_empty = await database.checkpoint()
    except StorageError as error:
        log.info("what was deleted is still in the database's log: %s", type(error).__name__)
    else:
        if not is_empty:
            log.info("what was deleted is still in the database's log: another program reads it")
