"""A server's data: deletion, and expiry after it removes the bot."""

import logging
import unicodedata
from collections.abc import Collection, Iterable
from datetime import timedelta
from typing import Final

from bot.clock import Clock, first_running
from bot.db import facts, leases
from bot.db.database import Database, Transaction
from bot.db.leases import Leases
from bot.db.tables.kinds import Who
from bot.duels import game as duels_game
from bot.focdle import store as spent
from bot.games import game as games_game
from bot.moderation import store as moderation_store
from bot.outages import ShardRange
from bot.people import game as people_game
from bot.posts import store as posts_store
from bot.posts.plans import HISTORY_KEPT_FOR, end_history, return_to_defaults
from bot.privacy import erasing, store
from bot.privacy.members import Members
from bot.privacy.model import Kind, ServerNotNamedError
from bot.privacy.noted import Deletions
from bot.privacy.pieces import DeletionQueue, checkpoint

log = logging.getLogger(__name__)

ROWS_AT_ONCE: Final = 500
"""The most rows that one transaction deletes or changes."""

_GAMES_TAKE: Final = timedelta(days=1)
"""The wait before the next check whether games of a server still go on."""


class ServerDeletion(DeletionQueue):
    def __init__(
        self,
        database: Database,
        clock: Clock,
        members: Members,
        deletions: Deletions,
        leases: Leases | None = None,
    ) -> None:
        super().__init__("remains of servers", erasing.servers_due, database, clock, leases)
        self._members = members
        self._deletions = deletions

    async def delete(self, guild_id: int, name: str, typed: str) -> None:
        """Delete all of a server's data; `ServerNotNamedError` unless its name was typed.

        One transaction deletes its settings, posts and lists of results. Memberships and
        leaderboards are deleted step by step, most often at once. Players' games lose the server's
        id; running ones with an opponent lose it at their end. Zone and length return to the
        defaults at a coming midnight. For thirty days a digest remembers the server, so that
        deleting its data does not let it change its zone at once. A second deletion does no harm.
        """
        if _plain(typed) != _plain(name):
            raise ServerNotNamedError(text=typed, name=name)
        await self.delete_unasked(guild_id)

    async def delete_unasked(self, guild_id: int) -> None:
        """Delete a server's data as `delete` does, without asking for its name."""

        def body(tx: Transaction) -> None:
            now = self._clock.now()
            return_to_defaults(tx, guild_id, now)
            erasing.begin(tx, guild_id, now)
            self._members.announce_server(tx, guild_id)
            self._deletions.note(tx, Kind.SERVER, guild_id, now)

        await self._database.write(body)
        self._members.forget_server(guild_id)
        log.info("the data of server %d are deleted, as was asked for there", guild_id)
        await self.begin(guild_id, f"what is left of server {guild_id}")

    def delete_some(self, tx: Transaction, of: int) -> bool:
        began_at = erasing.began_at(tx, of)
        if began_at is None:  # another process has deleted the last of it
            return True
        now, look_at = self._clock.now(), began_at + HISTORY_KEPT_FOR
        is_settled = now >= look_at
        played_by = began_at if is_settled else began_at - HISTORY_KEPT_FOR
        if erasing.erase_some(tx, of, began_at, played_by, ROWS_AT_ONCE) == ROWS_AT_ONCE:
            return False
        if is_settled:
            again = end_history(tx, of, began_at, now)
            if again is None and not erasing.waits_for_games(tx, of, began_at):
                erasing.server_done(tx, of)
                return True
            look_at = again or now + _GAMES_TAKE
        erasing.servers_due.put_off(tx, of, look_at)
        return True


def _plain(name: str) -> str:
    """Reduce a name to letters and digits in one case; if it has none, remove only its spaces."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(filter(str.isalnum, folded)) or "".join(folded.split())


KEPT_FOR: Final = timedelta(days=30)
"""The time for which a server's data are kept after it has removed the bot."""

CLICKS_KEPT_FOR: Final = timedelta(days=1)
"""The time for which spent clicks are kept; the first click removes the button."""

EXCLUDED_FOR: Final = timedelta(days=365)
"""The time from when a forgotten player was last met in a server for which they stay off there."""

APPLICATION: Final = "application"
"""The name of the fact that says to which application the database belongs."""


class ServerData:
    """Use cases of servers that add or remove the bot; each is one transaction but for `sweep`.

    A process knows only the servers of its own shards.
    """

    def __init__(self, database: Database, clock: Clock, shards: ShardRange) -> None:
        self._database = database
        self._clock = clock
        self._shards = shards

    async def owner(self, application_id: int) -> int:
        """Return the id of the application to which this database belongs.

        If none is noted yet, note `application_id`. Another application, say a bot for tests, is
        in other servers. It may be missing in a server that has not removed the database's own.
        """

        def body(tx: Transaction) -> int:
            known = facts.get(tx, APPLICATION)
            if known is not None:
                return int(known)
            facts.put(tx, APPLICATION, str(application_id))
            return application_id

        return await self._database.write(body)

    async def left(self, guild_id: int) -> None:
        await self._database.write(
            lambda tx: erasing.note_departure(tx, [guild_id], self._clock.now())
        )

    async def joined(self, guild_id: int) -> None:
        await self._database.write(lambda tx: erasing.note_return(tx, [guild_id]))

    async def reconcile(self, present: Collection[int]) -> None:
        """Note which servers have added or removed the bot while it was away.

        The thirty days of servers that removed it begin now, as nobody knows when they did.
        `present` are all servers of this process that the bot is a member of.
        """

        def body(tx: Transaction) -> None:
            gone = self._own(store.known(tx, Who.SERVER)) - set(present)
            erasing.note_departure(tx, gone, self._clock.now())
            erasing.note_return(tx, present)

        await self._database.write(body)

    async def sweep(self, present: Collection[int] | None) -> None:
        """Delete expired data of servers, and expired digests, counters, clicks and leases.

        Each transaction deletes few rows, so that no click waits for all. Servers in `present`,
        this process's own, keep their data even if their return was not noted. With None, all
        servers keep theirs.
        """

        def body(tx: Transaction) -> None:
            now = self._clock.now()
            spent.purge(tx, first_running(now))
            duels_game.purge(tx, now)
            posts_store.purge(tx, now)
            games_game.purge(tx, now)
            moderation_store.drop_unmet(tx, now - EXCLUDED_FOR)
            people_game.purge(tx, now)
            leases.purge_clicks(tx, before=now - CLICKS_KEPT_FOR)
            leases.purge(tx, now)

        await self._database.write(body)
        if present is not None:
            await self._forget_servers(present)
        await checkpoint(self._database)

    async def _forget_servers(self, present: Collection[int]) -> None:
        def body(tx: Transaction) -> set[int]:
            erasing.note_return(tx, present)
            return self._own(erasing.left_by(tx, self._clock.now() - KEPT_FOR))

        for guild_id in await self._database.write(body):
            while await self._forget_some(guild_id):
                pass
            log.info("the data of server %d were deleted", guild_id)

    def _own(self, guild_ids: Iterable[int]) -> set[int]:
        return {guild_id for guild_id in guild_ids if self._shards.serves(guild_id)}

    async def _forget_some(self, guild_id: int) -> bool:
        """Delete some of a server's rows, if it is still away; return true if there may be more."""

        def body(tx: Transaction) -> bool:
            # It may have added the bot again.
            is_due = guild_id in erasing.left_by(tx, self._clock.now() - KEPT_FOR)
            return is_due and erasing.forget_some(tx, guild_id, ROWS_AT_ONCE)

        return await self._database.write(body)
