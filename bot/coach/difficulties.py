"""How hard dailies are for people."""

import logging
from functools import partial
from typing import Final

from bot.coach import store
from bot.db import keys
from bot.db.database import Database
from bot.errors import StorageError
from bot.failures import Failures
from bot.pool.pool import Lane, Pool
from bot.pool.worker import Named
from bot.refused import PoolFullError

log = logging.getLogger(__name__)

HUNDREDTHS: Final[Named[[int, str], int]] = Named("bot.coach.analysis", "hundredths")
_AT_A_TIME: Final = 5


class Difficulties:
    def __init__(self, database: Database, pool: Pool) -> None:
        self._database = database
        self._pool = pool
        self._failed: set[int] = set()
        self._failures = Failures(log)

    async def work_out(self) -> None:
        """Work out and store the difficulties of some opened dailies that have none.

        What fails is logged, and not tried again by this process. What two processes work out at
        once is the same.
        """
        for daily in await self._database.read(
            lambda tx: store.without_difficulty(tx, _AT_A_TIME, but=self._failed)
        ):
            is_done, but = False, (StorageError, PoolFullError)
            with self._failures.telling("a daily's difficulty", of=daily.id, but=but):
                work = partial(HUNDREDTHS, daily.length, daily.secret)
                found = await self._pool.solve(work, Lane.BACKGROUND)
                put = partial(store.put_difficulty, puzzle_id=daily.id, difficulty=found)
                await self._database.write(put, keys.puzzle(daily.number, daily.length))
                is_done = True
            if not is_done:
                self._failed.add(daily.id)
