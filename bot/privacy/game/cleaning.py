"""Finishes deletions: games that belong to nobody any more go, a few at a time."""

import logging
from datetime import timedelta
from typing import Final

from bot.clock import Clock
from bot.db.database import Database
from bot.db.leases import Leases
from bot.errors import StorageError
from bot.failures import Failures
from bot.privacy.store import remains

log = logging.getLogger(__name__)

BATCH: Final = 100
"""How many games one transaction deletes."""

FLEETING_FOR: Final = timedelta(days=30)
"""How long games are kept in which nobody has played."""

_WHAT: Final = "nobody's games"
_BOARDS_TAKE: Final = timedelta(minutes=5)
"""The wait until the next look whether public boards still name a deleted player."""
_REST: Final = timedelta(hours=1)
"""The wait until something that failed is tried again."""


class Cleaning:
    """Use cases that a timer calls, so that deletions are finished after a kill, too.

    Args:
        database: the database.
        clock: what tells the time.
        leases: what keeps other processes from doing the same; None where that is no matter.
    """

    def __init__(self, database: Database, clock: Clock, leases: Leases | None = None) -> None:
        self._database = database
        self._clock = clock
        self._leases = leases
        self._failures = Failures(log)

    async def begin(self, stand_in: int) -> None:
        """Delete the first few of what is left under a stand-in: with most players, that is all.

        Their deletion is done by then, whatever becomes of this.
        """
        try:
            await self._attempt(stand_in)
        except StorageError as error:
            log.info("what is nobody's goes later: %s", type(error).__name__)
        await empty_log(self._database)

    async def step(self) -> bool:
        """Delete the next few of what is nobody's any more; whether there was anything to do.

        Each call is a short transaction, so that nobody's click has to wait for all of it: call
        it until there is nothing left. What fails for one does not hold up the others. While
        another process is at it, there is nothing to do.

        Raises:
            StorageError: the database cannot be used now.
        """
        async with self._database.reading() as tx:
            due = await remains.agenda.find_due(tx, self._clock.now(), most=1)
        if due and self._leases is not None and not await self._leases.keep(_WHAT):
            return False
        for stand_in in due:
            if await self._attempt(stand_in):
                await empty_log(self._database)
        return bool(due)

    async def expire(self) -> bool:
        """Delete some games that nobody has played, if they ended long ago; whether any were there.

        Those are games that were watched, duels that were called off, and challenges that have
        never begun: in them is nobody's record, and one player can make any number. Call it
        like `step`.
        """
        ended_by = self._clock.now() - FLEETING_FOR
        deleted = await self._database.look(lambda tx: remains.delete_fleeting(tx, ended_by, BATCH))
        return deleted > 0

    async def _attempt(self, stand_in: int) -> bool:
        """Delete a few; whether that was all there is for now."""
        with self._failures.telling(_WHAT, of=stand_in, but=(StorageError,)):
            return await self._delete_some(stand_in)
        async with self._database.transaction() as tx:
            await remains.agenda.put_off(tx, stand_in, self._clock.now() + _REST)
        return False

    async def _delete_some(self, stand_in: int) -> bool:
        async with self._database.transaction() as tx:
            if await remains.delete_some(tx, stand_in, BATCH) == BATCH:
                return False
            if await remains.waits_for_boards(tx, stand_in):
                await remains.agenda.put_off(tx, stand_in, self._clock.now() + _BOARDS_TAKE)
            else:
                await remains.done(tx, stand_in)
            return True


async def empty_log(database: Database) -> None:
    """Take what was deleted out of the database's log, too; if that cannot be now, a sweep will."""
    try:
        is_empty = await database.empty_log()
    except StorageError as error:
        log.info("what was deleted is still in the database's log: %s", type(error).__name__)
    else:
        if not is_empty:
            log.info("what was deleted is still in the database's log: another program reads it")
