"""All use cases, built together."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.services.clock import Clock
from bot.services.commands import SyncedCommands
from bot.services.daily import Daily
from bot.services.derivation import remember_key
from bot.services.duels.use_cases import DuelServices
from bot.services.heartbeat import Heartbeat
from bot.services.mastermind.use_cases import MastermindServices
from bot.services.practice import Practice
from bot.services.preferences import PlayerPreferences
from bot.services.settings import ServerSettings
from bot.services.tile_digests import TileDigests
from bot.storage.database import Database


@dataclass(frozen=True, slots=True)
class Services:
    """What a front end may ask for.

    Attributes:
        daily: the daily FoCdle.
        practice: endless FoCdles, and what is unfinished.
        mastermind: Mastermind of all kinds.
        duels: duels of Bulls and Cows, and their ratings.
        heartbeat: what outages are told by.
        preferences: what players choose for themselves.
        settings: what servers choose.
        synced_commands: which command definitions Discord was last told.
        tile_digests: which pictures of tiles Discord was last given.
    """

    daily: Daily
    practice: Practice
    mastermind: MastermindServices
    duels: DuelServices
    heartbeat: Heartbeat
    preferences: PlayerPreferences
    settings: ServerSettings
    synced_commands: SyncedCommands
    tile_digests: TileDigests
    _database: Database

    async def close(self) -> None:
        """Let the open transaction finish and refuse new work; may be called twice."""
        await self._database.close()


@asynccontextmanager
async def open_services(
    url: str, clock: Clock, *, puzzle_key: str | None = None
) -> AsyncGenerator[Services]:
    """Open the database, bring its schema up to date, and build the services on it.

    Args:
        url: the database, as an SQLAlchemy URL.
        clock: what tells the time.
        puzzle_key: the key of the dailies; None for the database's own.

    Raises:
        StorageError: the database cannot be used; see `bot.storage.errors`.
    """
    database = await Database.open(url)
    try:
        if puzzle_key is None:
            async with database.transaction() as tx:
                puzzle_key = await remember_key(tx)
        yield Services(
            Daily(database, clock, puzzle_key),
            Practice(database, clock),
            MastermindServices.on(database, clock),
            DuelServices.on(database, clock),
            Heartbeat(database, clock),
            PlayerPreferences(database, clock),
            ServerSettings(database, clock),
            SyncedCommands(database),
            TileDigests(database),
            database,
        )
    finally:
        await database.close()
