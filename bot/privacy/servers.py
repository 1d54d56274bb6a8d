"""A server's own data: their deletion, and what becomes of them when it removes the bot."""

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
from bot.outages import ALL, ShardRange
from bot.posts import plans
from bot.posts.plans import HISTORY_KEPT_FOR, begin_anew, end_history
from bot.privacy import erasing, store
from bot.privacy.members import Members
from bot.privacy.model import Kind, ServerNotNamedError
from bot.privacy.noted import Deletions
from bot.privacy.pieces import Pieces, empty_log

log = logging.getLogger(__name__)

ROWS_AT_ONCE: Final = 500
"""How many rows one transaction deletes or changes."""

_GAMES_TAKE: Final = timedelta(days=1)
"""The wait until the next look whether games there are over."""


class ServerDeletion(Pieces):
    """Use cases around the deletion of a server's data."""

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
        """Delete everything about a server.

        One transaction deletes its settings, posts and lists of results. Memberships and boards go
        some rows at a time, most often at once; in games of players the server is named no more,
        in those that go on once they are over. Zone and length become what they are without a
        choice from a midnight on; that they may not change more often than they could is kept for
        thirty days. Doing it twice does no harm.

        Raises:
            ServerNotNamedError: what was typed is not its name; case, marks and spaces aside.
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
        await self.begin(guild_id, f"what is left of server {guild_id}")

    def delete_some(self, tx: Transaction, of: int) -> bool:
        """Delete some rows of a server; whether that was all there is for now."""
        began_at = erasing.began_at(tx, of)
        if began_at is None:  # another process has done the last of it
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

    Of servers on shards of other processes, this one cannot tell whether they left.
    """

    def __init__(self, database: Database, clock: Clock, shards: ShardRange = ALL) -> None:
        self._database = database
        self._clock = clock
        self._shards = shards

    async def owner(self, application_id: int) -> int:
        """The application whose servers these are: the first one that asks.

        Another one, a bot for tests say, is in other servers; from which it is in, nothing
        follows for these data.
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

        Their thirty days begin now, since nobody knows when they left. Present are all servers of
        this process of which the bot is a member.
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
            leases.purge_clicks(tx, before=now - CLICKS_KEPT_FOR)
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
