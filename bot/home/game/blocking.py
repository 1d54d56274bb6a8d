"""Blocking: a player wants no challenges from another, and open ones between them end."""

import logging
import random
from collections.abc import Iterable
from datetime import datetime

from bot.clock import Clock
from bot.db.database import Database, Transaction
from bot.duels.game import transactions as duel_transactions
from bot.duels.game.position import Verdict
from bot.duels.model.transitions import Event, State
from bot.mastermind.game import transactions as mastermind_transactions
from bot.mastermind.model.game import Ending, Kind, Stage
from bot.mastermind.store import masterminds
from bot.people.model.preferences import Blocked
from bot.people.store import invitations
from bot.stand_ins import is_forgotten

log = logging.getLogger(__name__)


class Blocking:
    """Use cases around whom a player wants to hear from; each is one transaction."""

    def __init__(self, database: Database, clock: Clock, dice: random.Random) -> None:
        self._database = database
        self._clock = clock
        self._dice = dice

    async def block(self, player_id: int, challenger_id: int) -> None:
        """Let a player hear no more from another, whose open invitations are declined.

        The other is not told, and cannot tell it from a player who takes no challenges at all.
        """
        if challenger_id == player_id or is_forgotten(challenger_id):
            return
        async with self._database.transaction() as tx:
            now = self._clock.now()
            await invitations.block(tx, player_id, challenger_id, now)
            lines = [
                *await self._decline_duels(tx, now, player_id, challenger_id),
                *await _decline_masterminds(tx, now, player_id, challenger_id),
            ]
        for line in lines:
            log.info("%s", line)

    async def unblock(self, player_id: int, challenger_id: int) -> None:
        """Let somebody challenge a player again."""
        async with self._database.transaction() as tx:
            await invitations.unblock(tx, player_id, challenger_id)

    async def blocked(self, player_id: int) -> list[Blocked]:
        """From whom a player wants to hear no more, the latest first."""
        async with self._database.reading() as tx:
            return await invitations.blocked(tx, player_id)

    async def _decline_duels(
        self, tx: Transaction, now: datetime, player_id: int, challenger_id: int
    ) -> Iterable[str]:
        work = duel_transactions.DuelTransaction(tx, now, self._dice)
        for found in await work.unfinished(player_id):
            position = await work.in_time(found)
            row = position.row
            if row.state == State.INVITED and row.challenger_id == challenger_id:
                await work.end(position, Verdict(Event.DECLINE, None))
        return work.report()


async def _decline_masterminds(
    tx: Transaction, now: datetime, player_id: int, challenger_id: int
) -> Iterable[str]:
    work = mastermind_transactions.MastermindTransaction(tx, now)
    for row in await masterminds.open_of(tx, player_id, now):
        is_asked = (row.kind, row.owner_id) == (Kind.CHALLENGE, challenger_id)
        if is_asked and mastermind_transactions.game_of(row).stage is Stage.INVITED:
            await work.move(row, ending=Ending.DECLINED)
    return work.report()
