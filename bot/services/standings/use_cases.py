"""All use cases of standings, built together."""

from dataclasses import dataclass
from typing import Self

from bot.services.base.clock import Clock
from bot.services.standings.members import Members
from bot.services.standings.query import Leaderboards
from bot.storage.database import Database


@dataclass(frozen=True, slots=True)
class StandingsServices:
    """What a front end may ask for.

    Attributes:
        members: who is known where.
        boards: leaderboards, page by page.
    """

    members: Members
    boards: Leaderboards

    @classmethod
    def on(cls, database: Database, clock: Clock) -> Self:
        """The use cases on a database."""
        return cls(Members(database, clock), Leaderboards(database, clock))
