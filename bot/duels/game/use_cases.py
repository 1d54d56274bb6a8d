"""What a front end may ask of duels."""

import random
from dataclasses import dataclass
from typing import Final, Self

from bot.clock import Clock
from bot.db.database import Database
from bot.duels.game.defending import Defending
from bot.duels.game.inviting import Inviting
from bot.duels.game.listing import Duels
from bot.duels.game.messages import Boards
from bot.duels.game.moves import Playing
from bot.duels.game.transactions import DuelTransactions
from bot.outages import ALL, ShardRange

_FAIR: Final = random.SystemRandom()


@dataclass(frozen=True, slots=True)
class DuelServices:
    """Duels of Bulls and Cows, and their ratings.

    Attributes:
        inviting: challenges, their answers, rematches.
        playing: secrets, guesses, draws, resignation, the board's message.
        games: open duels, deadlines that have passed, notebooks, ratings.
        boards: what has to be shown again, and who has to be told.
        defending: the bot breaks a player's number.
    """

    inviting: Inviting
    playing: Playing
    games: Duels
    boards: Boards
    defending: Defending

    @classmethod
    def on(
        cls,
        database: Database,
        clock: Clock,
        key: str,
        dice: random.Random = _FAIR,
        shards: ShardRange = ALL,
    ) -> Self:
        """The use cases on a database.

        A key hides the numbers that stand in ids; first movers and the bot's numbers are drawn
        with dice. What is due is that of servers of these shards.
        """
        transactions = DuelTransactions(database, clock, dice)
        return cls(
            Inviting(transactions),
            Playing(transactions),
            Duels(transactions, shards),
            Boards(transactions, shards),
            Defending(transactions, key),
        )
