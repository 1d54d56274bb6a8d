"""All use cases of Mastermind, built together."""

from dataclasses import dataclass
from typing import Self

from bot.services.base.clock import Clock
from bot.services.mastermind.challenge import Challenges
from bot.services.mastermind.defence import Defence
from bot.services.mastermind.listing import Games
from bot.services.mastermind.solo import Solo
from bot.services.mastermind.transactions import MastermindTransactions
from bot.services.mastermind.watch import Watch
from bot.storage.database import Database


@dataclass(frozen=True, slots=True)
class MastermindServices:
    """What a front end may ask for.

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
    def on(cls, database: Database, clock: Clock) -> Self:
        """The use cases on a database."""
        transactions = MastermindTransactions(database, clock)
        return cls(
            Solo(transactions),
            Defence(transactions),
            Challenges(transactions),
            Watch(transactions),
            Games(transactions),
        )
