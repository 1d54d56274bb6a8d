"""What a front end may ask of Mastermind."""

from dataclasses import dataclass
from typing import Self

from bot.clock import Clock
from bot.db.database import Database
from bot.mastermind.game.challenge import Challenges
from bot.mastermind.game.defence import Defence
from bot.mastermind.game.listing import Games
from bot.mastermind.game.play import Solo
from bot.mastermind.game.transactions import MastermindTransactions
from bot.mastermind.game.watch import Watch
from bot.outages import ALL, ShardRange
from bot.pool.workshop import Workshop


@dataclass(frozen=True, slots=True)
class MastermindServices:
    """Mastermind of all kinds.

    Attributes:
        solo: a player breaks the bot's code.
        defence: the bot breaks a player's.
        challenges: a player breaks another's, in public.
        watch: the bot breaks its own.
        games: what is open, over, and came of it.
    """

    solo: Solo
    defence: Defence
    challenges: Challenges
    watch: Watch
    games: Games

    @classmethod
    def on(
        cls, database: Database, clock: Clock, workshop: Workshop, shards: ShardRange = ALL
    ) -> Self:
        """The use cases on a database; what is due is that of servers of these shards."""
        transactions = MastermindTransactions(database, clock)
        return cls(
            Solo(transactions),
            Defence(transactions, workshop),
            Challenges(transactions),
            Watch(transactions, workshop),
            Games(transactions, shards),
        )
