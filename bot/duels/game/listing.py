"""Duels of a player: which are open, what came of them; and those whose time is up."""

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from bot.db.database import Transaction
from bot.duels.game.bot_player import answered
from bot.duels.game.position import Position
from bot.duels.game.rating import rating_of
from bot.duels.game.transactions import DuelTransaction, DuelTransactions
from bot.duels.model.duel import DuelGame, Notebook
from bot.duels.model.errors import NotYourDuelError
from bot.duels.model.transitions import State
from bot.duels.store import duels
from bot.failures import Failures
from bot.outages import ALL, ShardRange
from bot.pool.named import Named
from bot.pool.threads import in_thread
from bot.ratings.model.ratings import Outlook, RatingChange
from bot.ratings.store import ratings
from bot.refused import NotFinishedError
from engine import BullsAndCows, Score, Turn

log = logging.getLogger(__name__)

_SOLVING: Final = "bot.duels.game.solving"
NOTE: Final[Named[[BullsAndCows, Sequence[Turn[Score]]], tuple[str, int]]] = Named(_SOLVING, "note")
IS_OPTIMAL: Final[Named[[BullsAndCows], bool]] = Named(_SOLVING, "is_optimal")


class Duels:
    """Use cases that look at duels."""

    def __init__(self, transactions: DuelTransactions, shards: ShardRange = ALL) -> None:
        self._transactions = transactions
        self._shards = shards
        self._failures = Failures(log)

    async def open_of(self, player_id: int) -> list[DuelGame]:
        """A player's open duels, those moved in last first, challenges among them."""
        return await self._transactions.look(lambda work: _open_of(work, player_id))

    async def open_within(self, tx: Transaction, player_id: int, now: datetime) -> list[DuelGame]:
        """The same, where other things are looked at, too."""
        return await _open_of(self._transactions.within(tx, now), player_id)

    async def sweep(self) -> list[DuelGame]:
        """End all duels in which somebody is too late, and make guesses the bot still owes.

        Those of the servers that this process hears: nobody is too late in others now.

        Returns:
            The duels that this has changed, each only once.
        """
        passed = self._transactions.every(
            lambda v, page: duels.passed(v.tx, v.now, page, self._shards)
        )
        swept = self._failures.each("deadline of duel", passed, self._swept)
        return [game async for game in swept]

    async def _swept(self, duel_id: int) -> DuelGame | None:
        """A duel whose deadline had passed, if that changes it; None if it does not."""
        async with self._transactions.of_game(duel_id) as work:
            position = await work.position(duel_id)
            if position.row.finished_at is not None:
                return None  # somebody else was here first
            if await work.is_away(position.row):
                return None  # nobody is too late yet
            position = await work.in_time(position)
            game = await work.game(position)
        if position.row.finished_at is not None:
            return game
        after = await answered(self._transactions, position, game)
        return None if after == game else after

    async def result(self, player_id: int, duel_id: int) -> DuelGame:
        """A finished duel of the player's with the bot.

        Raises:
            NoSuchDuelError, NotYourDuelError: it is not this player's, or not with the bot.
            NotFinishedError: it goes on.
        """
        _, game = await self._read(player_id, duel_id)
        if not game.is_against_bot:
            raise NotYourDuelError(player_ids=(player_id,), guild_id=None)
        if game.state is not State.OVER:
            raise NotFinishedError
        return game

    async def notebook(self, player_id: int, duel_id: int) -> Notebook:
        """What a player knows about the other's number, or in a race about the bot's.

        Raises:
            NoSuchDuelError, NotYourDuelError: it is not this player's.
        """
        position, game = await self._read(player_id, duel_id)
        return await self.notebook_of(player_id, await answered(self._transactions, position, game))

    async def _read(self, player_id: int, duel_id: int) -> tuple[Position, DuelGame]:
        """A player's duel as it stands; one in which somebody was too late ends."""

        async def read(work: DuelTransaction) -> tuple[Position, DuelGame]:
            position, _ = await work.players_position(player_id, duel_id)
            return position, await work.game(position)

        return await self._transactions.look(read)

    async def notebook_of(self, player_id: int, game: DuelGame) -> Notebook:
        """The same of a duel as it was just read.

        Raises:
            NotYourDuelError: it is not this player's.
        """
        seat = game.seat_of(player_id)
        if seat is None:
            raise NotYourDuelError(
                player_ids=tuple(s.player_id for s in game.seats if s.player_id is not None),
                guild_id=game.guild_id,
            )
        hand = game.hands[seat]
        absent, remaining = await in_thread(NOTE, game.rules, hand.turns)
        is_proven = await in_thread(IS_OPTIMAL, game.rules)
        return Notebook(game, seat, hand.turns, absent, remaining, hand.own, is_proven)

    async def outlook(self, player_id: int) -> Outlook:
        """What a player has of what a rank by rating takes."""

        async def read(work: DuelTransaction) -> Outlook:
            return await ratings.outlook(work.tx, player_id, await rating_of(work.tx, player_id))

        return await self._transactions.look(read)

    async def rating_history(self, player_id: int) -> list[RatingChange]:
        """What changed a player's rating, oldest first."""
        return await self._transactions.look(lambda work: ratings.history(work.tx, player_id))


async def _open_of(work: DuelTransaction, player_id: int) -> list[DuelGame]:
    rows = await duels.unfinished(work.tx, player_id)
    return [await work.game(work.position_of(row)) for row in rows if not await work.is_late(row)]
