"""All use cases of duels, built together."""

import random
import secrets
from dataclasses import dataclass
from typing import Final, Self

from bot.services.base.clock import Clock
from bot.services.duels.inviting import Inviting
from bot.services.duels.listing import Duels
from bot.services.duels.messages import Boards
from bot.services.duels.moves import Playing
from bot.services.duels.transactions import DuelTransactions
from bot.storage.database import Database

_FAIR: Final = secrets.SystemRandom()


@dataclass(frozen=True, slots=True)
class DuelServices:
    """What a front end may ask for.

    Attributes:
        inviting: challenges, their answers, rematches.
        playing: secrets, guesses, draws, resignation, the board's message.
        games: open duels, deadlines that have passed, notebooks, ratings.
        boards: what has to be shown again, and who has to be told.
    """

    inviting: Inviting
    playing: Playing
    games: Duels
    boards: Boards

    @classmethod
    def on(cls, database: Database, clock: Clock, dice: random.Random = _FAIR) -> Self:
        """The use cases on a database; first movers and the bot's numbers are drawn with dice."""
        transactions = DuelTransactions(database, clock, dice)
        return cls(
            Inviting(transactions), Playing(transactions), Duels(transactions), Boards(transactions)
        )
