"""A server's data; deletions done again after a restore; all use cases."""

import logging
import random
import secrets
import unicodedata
from collections.abc import AsyncGenerator, Collection, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Final, Self

from bot.clock import Clock, first_running
from bot.db import facts, leases, spent_clicks
from bot.db.database import Copies, Database, Transaction
from bot.db.leases import Leases
from bot.db.tables.whose import Who
from bot.duels import game as duels_game
from bot.errors import StorageError
from bot.failures import Failures
from bot.focdle import store as spent
from bot.games import game as games_game
from bot.outages import ALL, ShardRange
from bot.pool.threads import in_thread
from bot.posts import plans
from bot.posts.plans import HISTORY_KEPT_FOR, begin_anew, end_history
from bot.privacy import erasing, store
from bot.privacy.deletions import Deletions, digest_of, remember, unknown_of
from bot.privacy.game import CONFIRMATION, Cleaning, PlayerData, Unseen, empty_log
from bot.privacy.members import Members
from bot.privacy.model import Deletion, Kind, ServerNotNamedError

log = logging.getLogger(__name__)

ROWS_AT_ONCE: Final = 500
"""How many rows one transaction deletes or changes."""

_WHAT: Final = "remains of servers"
_REST: Final = timedelta(hours=1)
"""The wait until something that failed is tried again."""
_GAMES_TAKE: Final = timedelta(days=1)
"""The wait until the next look whether games there are over."""


class ServerDeletion:
    """Use cases around the deletion of a server's data.

    Args:
        database: where they are.
        clock: what tells the time.
        members: who remembers in memory whom it has written down.
        deletions: what notes that servers were deleted.
        leases: what keeps other processes from doing the same; None where that is no matter.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        members: Members,
        deletions: Deletions,
        leases: Leases | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._members = members
        self._deletions = deletions
        self._leases = leases
        self._failures = Failures(log)

    async def delete(self, guild_id: int, name: str, typed: str) -> None:
        """Delete everything about a server.

        One transaction deletes its settings, posts and lists of results. Memberships and boards go
        some rows at a time, most often at once; in games of players the server is named no more,
        in those that go on once they are over. Zone and length become what they are without a
        choice from a midnight on; that they may not change more often than they could is kept for
        thirty days. Doing it twice does no harm.

        Args:
            guild_id: the server.
            name: what it is called.
            typed: what was typed instead of it, in any case; marks and spaces do not matter.

        Raises:
            ServerNotNamedError: that is not its name.
        """
        if _plain(typed) != _plain(name):
            raise ServerNotNamedError(text=typed, name=name)
        await self.delete_unasked(guild_id)

    async def delete_unasked(self, guild_id: int) -> None:
        """The same, for who has asked for it before."""

        def body(tx: Transaction) -> None:
            now = self._clock.now()
            begin_anew(tx, guild_id, now)
            erasing.begin(tx, guild_id, now)
            self._members.announce_server(tx, guild_id)
            self._deletions.note(tx, Kind.SERVER, guild_id, now)

        await self._database.write(body)
        self._members.forget_server(guild_id)
        log.info("the data of server %d are deleted, as was asked for there", guild_id)
        try:
            await self._attempt(guild_id)
        except StorageError as error:
            log.info("what is left of server %d goes later: %s", guild_id, type(error).__name__)
        await empty_log(self._database)

    async def step(self) -> bool:
        """Delete the next few rows of servers; whether there was anything to do.

        Each call is a short transaction, so that nobody's click has to wait for all of it: call
        it until there is nothing left. While another process is at it, there is nothing to do.

        Raises:
            StorageError: the database cannot be used now.
        """
        due = await self._database.read(
            lambda tx: erasing.servers_due.find_due(tx, self._clock.now(), most=1)
        )
        if due and self._leases is not None and not await self._leases.keep(_WHAT):
            return False
        for guild_id in due:
            if await self._attempt(guild_id):
                await empty_log(self._database)
        return bool(due)

    async def _attempt(self, guild_id: int) -> bool:
        """Delete a few; whether that was all there is for now."""
        with self._failures.telling(_WHAT, of=guild_id, but=(StorageError,)):
            return await self._delete_some(guild_id)
        await self._database.write(
            lambda tx: erasing.servers_due.put_off(tx, guild_id, self._clock.now() + _REST)
        )
        return False

    async def _delete_some(self, guild_id: int) -> bool:
        def body(tx: Transaction) -> bool:
            began_at = erasing.began_at(tx, guild_id)
            if began_at is None:  # another process has done the last of it
                return True
            now, look_at = self._clock.now(), began_at + HISTORY_KEPT_FOR
            is_settled = now >= look_at
            played_by = began_at if is_settled else began_at - HISTORY_KEPT_FOR
            found = erasing.erase_some(tx, guild_id, began_at, played_by, ROWS_AT_ONCE)
            if found == ROWS_AT_ONCE:
                return False
            if is_settled:
                again = end_history(tx, guild_id, began_at, now)
                if again is None and not erasing.waits_for_games(tx, guild_id, began_at):
                    erasing.server_done(tx, guild_id)
                    return True
                look_at = again or now + _GAMES_TAKE
            erasing.servers_due.put_off(tx, guild_id, look_at)
            return True

        return await self._database.write(body)


def _plain(name: str) -> str:
    """What matters of a name that somebody types: letters and digits; all of one without any."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(filter(str.isalnum, folded)) or "".join(folded.split())


KEPT_FOR: Final = timedelta(days=30)
"""How long a server's data are kept after it has removed the bot: it may add the bot again."""

SERVERS_AT_ONCE: Final = 500
"""How many rows one transaction deletes or changes."""

CLICKS_KEPT_FOR: Final = timedelta(days=1)
"""How long it is known that a message's button was pressed: the first click takes it away."""

APPLICATION: Final = "application"
"""The fact that has the application whose servers these are."""


class ServerData:
    """Use cases around servers that come and go; each is one transaction unless it says so.

    Args:
        database: where it is noted.
        clock: what tells the time.
        shards: which shards this process has: of other servers it cannot tell whether they left.
    """

    def __init__(self, database: Database, clock: Clock, shards: ShardRange = ALL) -> None:
        self._database = database
        self._clock = clock
        self._shards = shards

    async def owner(self, application_id: int) -> int:
        """The application whose servers these are: the first one that asks.

        Another one, a bot for tests say, is in other servers; from which it is in, nothing
        follows for these data.

        Args:
            application_id: the application as which Discord knows this process.
        """

        def body(tx: Transaction) -> int:
            known = facts.get(tx, APPLICATION)
            if known is not None:
                return int(known)
            facts.put(tx, APPLICATION, str(application_id))
            return application_id

        return await self._database.write(body)

    async def left(self, guild_id: int) -> None:
        """Note that a server has removed the bot."""
        await self._database.write(
            lambda tx: erasing.note_departure(tx, [guild_id], self._clock.now())
        )

    async def joined(self, guild_id: int) -> None:
        """Note that a server has added the bot: what was kept is its own again."""
        await self._database.write(lambda tx: erasing.note_return(tx, [guild_id]))

    async def reconcile(self, present: Collection[int]) -> None:
        """Note which servers came and went while nobody was there to notice.

        Their thirty days begin now, since nobody knows when they left.

        Args:
            present: all servers of this process of which the bot is a member.
        """

        def body(tx: Transaction) -> None:
            gone = self._own(store.known(tx, Who.SERVER)) - set(present)
            erasing.note_departure(tx, gone, self._clock.now())
            erasing.note_return(tx, present)

        await self._database.write(body)

    async def sweep(self, present: Collection[int] | None) -> None:
        """Forget what was kept long enough: servers, digests, counts, clicks, leases.

        A few rows in each transaction, so that who clicks meanwhile need not wait for all.

        Args:
            present: all servers of this process of which the bot is a member; they keep their
                data even if nobody has noticed yet that they are back. None if that cannot be
                told: then all servers keep theirs.
        """

        def body(tx: Transaction) -> None:
            now = self._clock.now()
            spent.purge(tx, first_running(now))
            duels_game.purge(tx, now)
            plans.purge(tx, now)
            games_game.purge(tx, now)
            spent_clicks.purge(tx, before=now - CLICKS_KEPT_FOR)
            leases.purge(tx, now)

        await self._database.write(body)
        if present is not None:
            await self._forget_servers(present)
        await empty_log(self._database)

    async def _forget_servers(self, present: Collection[int]) -> None:
        def body(tx: Transaction) -> set[int]:
            erasing.note_return(tx, present)
            return self._own(erasing.left_by(tx, self._clock.now() - KEPT_FOR))

        for guild_id in await self._database.write(body):
            while await self._forget_some(guild_id):
                pass
            log.info("the data of server %d were deleted", guild_id)

    def _own(self, guild_ids: Iterable[int]) -> set[int]:
        """Those of servers that this process would hear from."""
        return {guild_id for guild_id in guild_ids if self._shards.serves(guild_id)}

    async def _forget_some(self, guild_id: int) -> bool:
        """Forget some of a server; whether there may be more."""

        def body(tx: Transaction) -> bool:
            # It may have come back since.
            is_due = guild_id in erasing.left_by(tx, self._clock.now() - KEPT_FOR)
            return is_due and erasing.forget_some(tx, guild_id, SERVERS_AT_ONCE)

        return await self._database.write(body)


_WHO: Final = MappingProxyType({Kind.PLAYER: Who.PLAYER, Kind.SERVER: Who.SERVER})


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
