"""Forgets people who have not used the bot for long, where its host has chosen so."""

import logging
from datetime import datetime, timedelta
from typing import Final

from bot.clock import Clock
from bot.db.database import Database, Transaction
from bot.db.leases import Leases
from bot.errors import StorageError
from bot.failures import Failures
from bot.privacy.game.players import PlayerData
from bot.privacy.store import unseen
from bot.shards.game.heartbeat import find_outages

log = logging.getLogger(__name__)

MOST_AT_ONCE: Final = 10
"""How many people one round forgets: nobody waits for it, and nobody shall."""

_WHAT: Final = "unseen people"


class Unseen:
    """A use case that a timer calls.

    Args:
        database: where people are noted.
        clock: what tells the time.
        players: what forgets them, as if they had asked for it.
        leases: what keeps other processes from doing the same; None where that is no matter.
    """

    def __init__(
        self, database: Database, clock: Clock, players: PlayerData, leases: Leases | None = None
    ) -> None:
        self._database = database
        self._clock = clock
        self._players = players
        self._leases = leases
        self._failures = Failures(log)

    async def forget_some(self, after: timedelta) -> int:
        """Forget a few people who were not seen for long; how many.

        Each is a deletion of its own, as by `/privacy`. Nobody is forgotten whose duel or challenge
        goes on, and what time the bot itself was away does not count. While another process is at
        it, nobody is.

        Args:
            after: how long they were not seen.

        Raises:
            StorageError: the database cannot be used now.
        """
        async with self._database.reading() as tx:
            seen_by = await self._seen_by(tx, after)
            found = await unseen.find(tx, seen_by, MOST_AT_ONCE)
        if not found or (self._leases is not None and not await self._leases.keep(_WHAT)):
            return 0
        forgotten = 0
        for player_id in found:
            with self._failures.telling(_WHAT, of=player_id, but=(StorageError,)):
                forgotten += await self._players.forget_unseen(player_id, seen_by)
        return forgotten

    async def _seen_by(self, tx: Transaction, after: timedelta) -> datetime:
        """The last instant at which somebody may have been seen who is forgotten now."""
        now = self._clock.now()
        outages = await find_outages(tx, now - after, now, now, with_brief=False)
        away = sum((outage.ended_at - outage.began_at for outage in outages), timedelta())
        return now - after - away
