"""Deletes again who had deleted their data after a backup that is restored now."""

import random
from collections.abc import Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Final

from bot.clock import Clock
from bot.db.database import Database
from bot.pool.threads import in_thread
from bot.privacy.game.cleaning import Cleaning
from bot.privacy.game.members import Members
from bot.privacy.game.noting import Deletions, digest_of, remember, unknown_of
from bot.privacy.game.players import CONFIRMATION, PlayerData
from bot.privacy.game.server_deletion import ServerDeletion
from bot.privacy.model.deletions import Deletion, Kind
from bot.privacy.store import people, servers

_WHO: Final = MappingProxyType({Kind.PLAYER: people.players, Kind.SERVER: servers.known})
"""Who is there to be deleted, by the kind of deletion."""


class _Then:
    """A clock that stands still at a deletion: what outlives it does so from that day."""

    def __init__(self, instant: datetime) -> None:
        self._instant = instant

    def now(self) -> datetime:
        """That instant."""
        return self._instant


async def delete_again(
    database: Database, noted: list[Deletion], clock: Clock, dice: random.Random
) -> int:
    """Do those of noted deletions that a database has not had, each as of when it was.

    What is left of them then goes at once, as far as boards in channels need not be edited first.

    Args:
        database: one that nobody uses.
        noted: the deletions, in any order.
        clock: what tells the time.
        dice: what first movers are drawn with where a duel must be looked at.

    Returns:
        How many found somebody to delete.

    Raises:
        StorageError: the database cannot be used.
    """
    async with database.transaction() as tx:
        missed = await unknown_of(tx, noted)
        there = {kind: await who(tx) for kind, who in _WHO.items()}
    subjects = await in_thread(_found, missed, there)
    for deletion in missed:
        subject_id = subjects.get(deletion.digest)
        if subject_id is not None:
            await _delete(database, deletion, subject_id, dice)
    async with database.transaction() as tx:
        await remember(tx, missed)
    cleaning = Cleaning(database, clock)
    while await cleaning.step():
        pass
    return sum(deletion.digest in subjects for deletion in missed)


async def _delete(
    database: Database, deletion: Deletion, subject_id: int, dice: random.Random
) -> None:
    then = _Then(deletion.at)
    members, noted = Members(database, then), Deletions(database)  # it is noted already
    match deletion.kind:
        case Kind.PLAYER:
            cleaning = Cleaning(database, then)
            players = PlayerData(database, then, members, cleaning, noted, dice)
            await players.delete(subject_id, CONFIRMATION, keeps=deletion.keeps)
        case Kind.SERVER:
            await ServerDeletion(database, then, members, noted).delete_unasked(subject_id)


def _found(missed: Iterable[Deletion], there: Mapping[Kind, Iterable[int]]) -> dict[str, int]:
    """Whom digests are of, as far as they are there."""
    wanted = {deletion.digest for deletion in missed}
    salts = {(deletion.kind, deletion.salt) for deletion in missed}
    found: dict[str, int] = {}
    for kind, salt in salts:
        for subject_id in there[kind]:
            digest = digest_of(salt, kind, subject_id)
            if digest in wanted:
                found[digest] = subject_id
    return found
