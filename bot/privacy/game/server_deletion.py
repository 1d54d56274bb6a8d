"""A server's data, deleted by who may; the bot stays, and the server begins anew."""

import logging
import unicodedata
from datetime import timedelta
from typing import Final

from bot.clock import Clock
from bot.db.database import Database
from bot.db.leases import Leases
from bot.errors import StorageError
from bot.failures import Failures
from bot.posts.game.beginning_anew import HISTORY_KEPT_FOR, begin_anew, end_history
from bot.privacy.game.cleaning import empty_log
from bot.privacy.game.members import Members
from bot.privacy.game.noting import Deletions
from bot.privacy.model.deletions import Kind
from bot.privacy.model.errors import ServerNotNamedError
from bot.privacy.store import server_erasing

log = logging.getLogger(__name__)

BATCH: Final = 500
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
        async with self._database.transaction() as tx:
            now = self._clock.now()
            await begin_anew(tx, guild_id, now)
            await server_erasing.begin(tx, guild_id, now)
            await self._members.announce_server(tx, guild_id)
            await self._deletions.note(tx, Kind.SERVER, guild_id, now)
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
        async with self._database.reading() as tx:
            due = await server_erasing.agenda.find_due(tx, self._clock.now(), most=1)
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
        async with self._database.transaction() as tx:
            await server_erasing.agenda.put_off(tx, guild_id, self._clock.now() + _REST)
        return False

    async def _delete_some(self, guild_id: int) -> bool:
        async with self._database.transaction() as tx:
            began_at = await server_erasing.began_at(tx, guild_id)
            if began_at is None:  # another process has done the last of it
                return True
            now, look_at = self._clock.now(), began_at + HISTORY_KEPT_FOR
            is_settled = now >= look_at
            played_by = began_at if is_settled else began_at - HISTORY_KEPT_FOR
            found = await server_erasing.erase_some(tx, guild_id, began_at, played_by, BATCH)
            if found == BATCH:
                return False
            if is_settled:
                again = await end_history(tx, guild_id, began_at, now)
                if again is None and not await server_erasing.waits_for_games(
                    tx, guild_id, began_at
                ):
                    await server_erasing.done(tx, guild_id)
                    return True
                look_at = again or now + _GAMES_TAKE
            await server_erasing.agenda.put_off(tx, guild_id, look_at)
            return True


def _plain(name: str) -> str:
    """What matters of a name that somebody types: letters and digits; all of one without any."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(filter(str.isalnum, folded)) or "".join(folded.split())
