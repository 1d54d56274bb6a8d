"""All use cases of privacy, built together; deletions repeated after a restore."""

import random
import secrets
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Final, Self

from bot.clock import Clock
from bot.db.database import Copies, Database, Transaction
from bot.db.leases import Leases
from bot.db.tables.kinds import Who
from bot.outages import ALL, ShardRange
from bot.pool.pool import in_thread
from bot.privacy import store
from bot.privacy.keeping_out import KeepingOut
from bot.privacy.members import Members
from bot.privacy.model import CONFIRMATION, Deletion, Kind
from bot.privacy.noted import Deletions, digest_of, remember, unknown_of
from bot.privacy.players import Cleaning, PlayerData, Unseen
from bot.privacy.servers import ServerData, ServerDeletion

# Only a host at a terminal waits for this.
_PATIENCE_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True)
class PrivacyServices:
    players: PlayerData
    cleaning: Cleaning
    servers: ServerData
    deletions: Deletions
    deletion: ServerDeletion
    unseen: Unseen
    keeping_out: KeepingOut

    @classmethod
    def on(
        cls,
        database: Database,
        clock: Clock,
        members: Members,
        leases: Leases | None = None,
        shards: ShardRange = ALL,
    ) -> Self:
        """Build the use cases; leases keep other processes from deleting the same rows."""
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
            KeepingOut(database, clock, members),
        )


@asynccontextmanager
async def open_privacy(
    url: str, clock: Clock, backups: Path | None = None, copies: Copies | None = None
) -> AsyncGenerator[PrivacyServices]:
    """Open these use cases alone on an existing database, whether the bot runs or not.

    Deletions are noted beside `backups`, and `copies` are made before a migration.
    """
    database = await Database.open(url, patience=_PATIENCE_SECONDS, must_exist=True, copies=copies)
    try:
        opened = PrivacyServices.on(database, clock, Members(database, clock))
        if backups is not None:
            opened.deletions.keep_in(backups)
        yield opened
    finally:
        await database.close()


_WHO: Final = MappingProxyType({Kind.PLAYER: Who.PLAYER, Kind.SERVER: Who.SERVER})


class _FixedClock:
    """A clock fixed at the time of a deletion, from which waiting periods then count."""

    def __init__(self, instant: datetime) -> None:
        self._instant = instant

    def now(self) -> datetime:
        return self._instant


async def delete_again(
    database: Database, noted: list[Deletion], clock: Clock, dice: random.Random
) -> int:
    """Repeat the noted deletions that a restored database lacks, each as of its own time.

    Remaining rows are deleted at once too, except where boards at Discord must be edited first.
    Nobody else may use the database.

    Returns:
        The number of deletions whose player or server was in the database.
    """

    def body(tx: Transaction) -> tuple[list[Deletion], dict[Kind, set[int]]]:
        return unknown_of(tx, noted), {kind: store.known(tx, who) for kind, who in _WHO.items()}

    missed, there = await database.write(body)
    subjects = await in_thread(_found, missed, there)
    for deletion in missed:
        subject_id = subjects.get(deletion.digest)
        if subject_id is not None:
            await _delete(database, deletion, subject_id, dice)
    await database.write(lambda tx: remember(tx, missed))
    cleaning = Cleaning(database, clock)
    while await cleaning.step():
        pass
    return sum(deletion.digest in subjects for deletion in missed)


async def _delete(
    database: Database, deletion: Deletion, subject_id: int, dice: random.Random
) -> None:
    then = _FixedClock(deletion.at)
    members, noted = Members(database, then), Deletions(database)  # it is noted already
    match deletion.kind:
        case Kind.PLAYER:
            cleaning = Cleaning(database, then)
            players = PlayerData(database, then, members, cleaning, noted, dice)
            await players.delete(subject_id, CONFIRMATION, keeps=deletion.keeps)
        case Kind.SERVER:
            await ServerDeletion(database, then, members, noted).delete_unasked(subject_id)


def _found(missed: Iterable[Deletion], there: Mapping[Kind, Iterable[int]]) -> dict[str, int]:
    """Map digests of noted deletions to the ids in the database that have these digests."""
    wanted = {deletion.digest for deletion in missed}
    salts = {(deletion.kind, deletion.salt) for deletion in missed}
    found: dict[str, int] = {}
    for kind, salt in salts:
        for subject_id in there[kind]:
            digest = digest_of(salt, kind, subject_id)
            if digest in wanted:
                found[digest] = subject_id
    return found
