"""All use cases of privacy, built together."""

import secrets
from dataclasses import dataclass
from typing import Self

from bot.services.clock import Clock
from bot.services.privacy.players import PlayerData
from bot.services.privacy.servers import ServerData
from bot.services.standings.members import Members
from bot.storage.database import Database


@dataclass(frozen=True, slots=True)
class PrivacyServices:
    """What a front end may ask for.

    Attributes:
        players: a player's own data.
        servers: the data of servers, and what a timer is to call.
    """

    players: PlayerData
    servers: ServerData

    @classmethod
    def on(cls, database: Database, clock: Clock, members: Members) -> Self:
        """The use cases on a database; `members` is told whom to forget."""
        return cls(
            PlayerData(database, clock, members, secrets.SystemRandom()),
            ServerData(database, clock),
        )
