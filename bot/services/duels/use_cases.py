"""All use cases of duels, built together."""

from dataclasses import dataclass
from typing import Self

from bot.services.clock import Clock
from bot.services.duels.desk import Desk
from bot.services.duels.inviting import Inviting
from bot.services.duels.listing import Duels
from bot.services.duels.playing import Playing
from bot.storage.database import Database


@dataclass(frozen=True, slots=True)
class DuelServices:
    """What a front end may ask for.

    Attributes:
        inviting: challenges, their answers, rematches.
        playing: secrets, guesses, draws, resignation, the board's message.
        games: open duels, deadlines that have passed, notebooks, ratings.
    """

    inviting: Inviting
    playing: Playing
    games: Duels

    @classmethod
    def on(cls, database: Database, clock: Clock) -> Self:
        """The use cases on a database."""
        desk = Desk(database, clock)
        return cls(Inviting(desk), Playing(desk), Duels(desk))
