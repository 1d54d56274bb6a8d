"""What a timer deletes a few rows at a time, so that it is finished after a kill, too."""

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
"""The wait until something that failed is tried again."""


class Pieces(ABC):
    """Deletions that go on, one after the other.

    Args:
        what: what they leave, for the log and the lease.
        due: which of them to look at when, by their ids.
        database: where that is.
        clock: what tells the time.
        leases: what keeps other processes from doing the same; None where that is no matter.
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
        """Delete some of what one has left; whether that was all there is for now."""

    async def begin(self, of: int, told: str) -> None:
        """Delete the first few of what one has left: most often, that is all.

        Its deletion is done by then, whatever becomes of this.

        Args:
            of: its id.
            told: what the log calls the rest, which goes later.
        """
        try:
            await self._attempt(of)
        except StorageError as error:
            log.info("%s goes later: %s", told, type(error).__name__)
        await empty_log(self._database)

    async def step(self) -> bool:
        """Delete the next few rows; whether there was anything to do.

        Each call is a short transaction, so that nobody's click has to wait for all of it: call
        it until there is nothing left. What fails for one does not hold up the others. While
        another process is at it, there is nothing to do.

        Raises:
            StorageError: the database cannot be used now.
        """
        due = await self._database.read(
            lambda tx: self._due.find_due(tx, self._clock.now(), most=1)
        )
        if due and self._leases is not None and not await self._leases.keep(self._what):
            return False
        for of in due:
            if await self._attempt(of):
                await empty_log(self._database)
        return bool(due)

    async def _attempt(self, of: int) -> bool:
        """Delete a few; whether that was all there is for now."""
        with self._failures.telling(self._what, of=of, but=(StorageError,)):
            return await self._database.write(lambda tx: self.delete_some(tx, of))
        await self._database.write(lambda tx: self._due.put_off(tx, of, self._clock.now() + _REST))
        return False


async def empty_log(database: Database) -> None:
    """Take what was deleted out of the database's log, too; if that cannot be now, a sweep will."""
    try:
        is_empty = await database.empty_log()
    except StorageError as error:
        log.info("what was deleted is still in the database's log: %s", type(error).__name__)
    else:
        if not is_empty:
            log.info("what was deleted is still in the database's log: another program reads it")
