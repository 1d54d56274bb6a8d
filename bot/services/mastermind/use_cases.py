"""What a front end may ask of Mastermind."""

from dataclasses import dataclass
from typing import Self

from bot.model.outages import ALL, ShardRange
from bot.services.base.clock import Clock
from bot.services.base.workshop.workshop import Workshop
from bot.services.mastermind.challenge import Challenges
from bot.services.mastermind.defence import Defence
from bot.services.mastermind.listing import Games
from bot.services.mastermind.play import Solo
from bot.services.mastermind.transactions import MastermindTransactions
from bot.services.mastermind.watch import Watch
from bot.storage.database import Database


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
