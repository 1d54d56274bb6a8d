"""All use cases of privacy, built together; who is kept out; deletions repeated after a restore."""

import logging
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, Self

from bot.clock import Clock
from bot.db import facts
from bot.db.database import Copies, Database, Transaction
from bot.db.leases import Leases
from bot.db.tables.kinds import IdOf
from bot.equations import store as equations_store
from bot.leaderboards.rebuild import rebuild
from bot.moderation import store as moderation_store
from bot.moderation.game import USER
from bot.moderation.store import KeptOutRow
from bot.outages import ALL, ShardRange
from bot.people import store as people_store
from bot.people.members import Members
from bot.pool.pool import in_thread
from bot.posts import store as posts_store
from bot.privacy import store
from bot.privacy.deletion_log import Deletions, digest_of, remember, unknown_of
from bot.privacy.model import CONFIRMATION, Deletion, Owner
from bot.privacy.players import Cleaning, PlayerData, Unseen
from bot.privacy.servers import ServerData
from bot.settings.game import join_boards, leave_boards

log = logging.getLogger(__name__)

_DONE: Final = "a %s is %s"


class KeepingOut:
    """Use cases of a host who keeps users or servers out; each is one transaction.

    Running processes read changes within seconds. A keyed hash remembers who is kept out even
    after a deletion of their data.
    """

    def __init__(self, database: Database, clock: Clock, members: Members) -> None:
        self._database = database
        self._clock = clock
        self._members = members

    async def listed(self) -> list[KeptOutRow]:
        return await self._database.read(moderation_store.all_kept_out)

    async def keep_out(self, what: str, subject_id: int) -> bool:
        """Keep a user or a server out; return false if they were kept out before.

        A user leaves leaderboards and today's cards, gets no reminders and no threads, and loses
        the stored avatar; their set equations close.
        """

        def body(tx: Transaction) -> bool:
            now, digest = self._clock.now(), facts.digest(tx, what, subject_id)
            is_new = not moderation_store.let_in(tx, digest)
            user_id, guild_id = (subject_id, None) if what == USER else (None, subject_id)
            moderation_store.keep_out(tx, KeptOutRow(digest, user_id, guild_id, now))
            if user_id is not None:
                posts_store.leave_queues(tx, user_id)
                posts_store.leave_cards(tx, user_id, now)
                posts_store.plans_of_reminders.drop(tx, user_id)
                equations_store.close_all_of(tx, user_id, now)
                people_store.forget_avatar(tx, user_id)
                rebuild(tx, user_id, now)
                self._members.announce(tx, user_id)
            return is_new

        is_new = await self._database.write(body)
        log.info(_DONE, what, "kept out")
        return is_new

    async def let_in(self, what: str, subject_id: int) -> bool:
        """Let a user or a server in again; return false if they were not kept out."""

        def body(tx: Transaction) -> bool:
            found = moderation_store.let_in(tx, facts.digest(tx, what, subject_id))
            if found and what == USER:
                rebuild(tx, subject_id, self._clock.now())
            return found

        found = await self._database.write(body)
        log.info(_DONE, what, "let in")
        return found


# Only a host at a terminal waits for this.
_PATIENCE_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True)
class PrivacyServices:
    players: PlayerData
    cleaning: Cleaning
    servers: ServerData
    deletions: Deletions
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
        deletions = Deletions(database)
        players = PlayerData(database, clock, members, deletions)
        return cls(
            players,
            Cleaning(database, clock),
            ServerData(database, clock, members, deletions, shards),
            deletions,
            Unseen(database, clock, players, leases),
            KeepingOut(database, clock, members),
        )


@asynccontextmanager
async def open_privacy(
    url: str, clock: Clock, backups: Path | None = None, copies: Copies | None = None
) -> AsyncGenerator[PrivacyServices]:
    """Open only the use cases of privacy on an existing database, whether the bot runs or not.

    Deletions are noted in the folder `backups`. `copies` makes a backup before a migration.
    """
    database = await Database.open(url, patience=_PATIENCE_SECONDS, must_exist=True, copies=copies)
    try:
        opened = PrivacyServices.on(
            database, clock, Members(database, clock, join_boards, leave_boards)
        )
        if backups is not None:
            opened.deletions.keep_in(backups)
        yield opened
    finally:
        await database.close()


class _FixedClock:
    """A clock that stands at the time of a deletion, from which its waiting periods then count."""

    def __init__(self, instant: datetime) -> None:
        self._instant = instant

    def now(self) -> datetime:
        return self._instant


async def delete_again(database: Database, noted: list[Deletion]) -> int:
    """Repeat the noted deletions that a restored database does not know, each as of its own time.

    Nobody else may use the database.

    Returns:
        The number of deletions whose player or server was in the database.
    """

    def body(tx: Transaction) -> tuple[list[Deletion], dict[Owner, set[int]]]:
        there = {
            Owner.PLAYER: store.known(tx, IdOf.PLAYER),
            Owner.SERVER: store.known(tx, IdOf.SERVER),
        }
        return unknown_of(tx, noted), there

    missed, there = await database.write(body)
    subjects = await in_thread(_found, missed, there)
    for deletion in missed:
        subject_id = subjects.get(deletion.digest)
        if subject_id is not None:
            await _delete(database, deletion, subject_id)
    await database.write(lambda tx: remember(tx, missed))
    return sum(deletion.digest in subjects for deletion in missed)


async def _delete(database: Database, deletion: Deletion, subject_id: int) -> None:
    then = _FixedClock(deletion.at)
    members = Members(database, then, join_boards, leave_boards)
    noted = Deletions(database)  # it is noted already
    match deletion.kind:
        case Owner.PLAYER:
            players = PlayerData(database, then, members, noted)
            await players.delete(subject_id, CONFIRMATION, deletion.keeps)
        case Owner.SERVER:
            await ServerData(database, then, members, noted).delete_unasked(subject_id)


def _found(missed: Iterable[Deletion], there: Mapping[Owner, Iterable[int]]) -> dict[str, int]:
    """Match noted deletions with the ids `there`; return the ids that match, by digest."""
    wanted = {deletion.digest for deletion in missed}
    salts = {(deletion.kind, deletion.salt) for deletion in missed}
    found: dict[str, int] = {}
    for kind, salt in salts:
        for subject_id in there[kind]:
            digest = digest_of(salt, kind, subject_id)
            if digest in wanted:
                found[digest] = subject_id
    return found
