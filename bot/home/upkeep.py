"""Upkeep of leaderboards by the clock.

Streaks end, and rows that are queued are rebuilt.
"""

import logging
from collections.abc import Callable
from datetime import timedelta
from time import monotonic
from typing import Final

from bot.clock import Clock, Moment
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.db.leases import Leases
from bot.errors import StorageError
from bot.failures import Failures
from bot.focdle import streak_keeping
from bot.leaderboards import store as leaderboards_store
from bot.leaderboards.rebuild import BATCH, rebuild_of_queue
from bot.streaks import store as streaks_store

log = logging.getLogger(__name__)

_UPKEEP: Final = "standings"
_ONE: Final = "one player's standings"
_REST: Final = timedelta(hours=1)
"""How long a player for whom due work has failed is left alone."""


class Upkeep:
    def __init__(
        self,
        database: Database,
        clock: Clock,
        leases: Leases,
        stopwatch: Callable[[], float] = monotonic,
    ) -> None:
        self._database = database
        self._clock = clock
        self._leases = leases
        self._stopwatch = stopwatch
        self._failures = Failures(log)
        # Every queued player up to this one has been tried; those still queued have failed.
        self._after: int = 0

    async def settle(self) -> bool:
        """Do some due work of one kind, unless another process does it.

        Return true if some was done; call again until it returns false.

        Each player has a transaction, so that clicks need not wait when thousands of streaks end at
        one midnight. A failure for one player is logged, and tried again later; only an error of
        the database is raised.
        """
        return await self._settle_streaks() or await self._rebuild_rows()

    async def _settle_streaks(self) -> bool:
        now = self._clock.now()
        tried = await self._each(
            lambda tx: streaks_store.due(tx, now, BATCH),
            lambda tx, player: streak_keeping.refresh(tx, player, now),
            lambda tx, player: streaks_store.put_off(tx, player, now + _REST),
        )
        return bool(tried)

    async def _rebuild_rows(self) -> bool:
        now = self._clock.now()
        tried = await self._each(
            lambda tx: leaderboards_store.queued(tx, BATCH, after=self._after),
            lambda tx, player: rebuild_of_queue(tx, player, now),
        )
        self._after = tried[-1] if tried else 0
        return bool(tried)

    async def _each(
        self,
        find: Callable[[Transaction], list[int]],
        work: Callable[[Transaction, int], object],
        put_off: Callable[[Transaction, int], None] | None = None,
    ) -> list[int]:
        """Find players, and do `work` for one after the other until a `Moment` is over.

        Those for whom it fails are put off. Return all for whom it was tried: nobody if another
        process does this.
        """
        tried: list[int] = []
        failed: list[int] = []
        found = await self._database.read(find)
        if not found or not await self._leases.renew(_UPKEEP):
            return tried
        moment = Moment(self._stopwatch)
        for player_id in found:
            tried.append(player_id)
            failed.append(player_id)
            with self._failures.telling(_ONE, of=player_id, but=(StorageError,)):
                await self._database.write(
                    lambda tx, found=player_id: work(tx, found), keys.player(player_id)
                )
                failed.pop()
            if moment.is_over:
                break
        if put_off is not None:
            for player_id in failed:
                await self._database.write(
                    lambda tx, late=player_id: put_off(tx, late), keys.player(player_id)
                )
        return tried
