"""All use cases of privacy, built together."""

import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from bot.clock import Clock
from bot.db.database import Copies, Database
from bot.db.leases import Leases
from bot.outages import ALL, ShardRange
from bot.privacy.game.cleaning import Cleaning
from bot.privacy.game.members import Members
from bot.privacy.game.noting import Deletions
from bot.privacy.game.players import PlayerData
from bot.privacy.game.server_deletion import ServerDeletion
from bot.privacy.game.servers import ServerData
from bot.privacy.game.unseen import Unseen

# Nobody waits for this but a host at a terminal.
_PATIENCE_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True)
class PrivacyServices:
    """What a front end may ask for.

    Attributes:
        players: a player's own data.
        cleaning: what is nobody's since then, and goes a few games at a time.
        servers: the data of servers, and what a timer is to call.
        deletions: what is noted of deletions beside backups.
        deletion: the data of servers that are deleted on request.
        unseen: who is forgotten after long, where the host wants it.
    """

    players: PlayerData
    cleaning: Cleaning
    servers: ServerData
    deletions: Deletions
    deletion: ServerDeletion
    unseen: Unseen

    @classmethod
    def on(
        cls,
        database: Database,
        clock: Clock,
        members: Members,
        leases: Leases | None = None,
        shards: ShardRange = ALL,
    ) -> Self:
        """The use cases on a database.

        Args:
            database: the database.
            clock: what tells the time.
            members: is told whom to forget.
            leases: what keeps other processes from deleting the same; None where nobody does.
            shards: which shards this process has.
        """
        cleaning = Cleaning(database, clock, leases)
        deletions = Deletions(database)
        players = PlayerData(database, clock, members, cleaning, deletions, secrets.SystemRandom())
        return cls(
            players,
            cleaning,
            ServerData(database, clock, shards),
            deletions,
            ServerDeletion(database, clock, members, deletions, leases),
            Unseen(database, clock, players, leases),
        )


@asynccontextmanager
async def open_privacy(
    url: str, clock: Clock, backups: Path | None = None, copies: Copies | None = None
) -> AsyncGenerator[PrivacyServices]:
    """These use cases alone, on a database that is there, whether the bot runs or not.

    Args:
        url: the database, as an SQLAlchemy URL.
        clock: what tells the time.
        backups: where backups are, and deletions are noted; None for nowhere.
        copies: makes one before a migration; None where nobody wants any.

    Raises:
        StorageError: the database cannot be used; see `bot.errors`.
    """
    database = await Database.open(url, patience=_PATIENCE_SECONDS, must_exist=True, copies=copies)
    try:
        opened = PrivacyServices.on(database, clock, Members(database, clock))
        if backups is not None:
            opened.deletions.keep_in(backups)
        yield opened
    finally:
        await database.close()
