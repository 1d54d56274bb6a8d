"""A server's data: deletion, and expiry after it removes the bot."""

import logging
import unicodedata
from collections.abc import Collection, Iterable
from datetime import timedelta
from functools import partial
from typing import Final

from bot.clock import Clock
from bot.db import facts
from bot.db.database import Database, Transaction
from bot.db.tables.kinds import IdOf
from bot.outages import ALL, ShardRange
from bot.people.members import Members
from bot.privacy import erasing, store
from bot.privacy.deletion_log import Deletions, checkpoint
from bot.privacy.model import Owner, ServerNotNamedError

log = logging.getLogger(__name__)

GAMES_AT_ONCE: Final = 5_000
"""The most games from which one transaction deletes a server's id: a fifth of a second."""

KEPT_FOR: Final = timedelta(days=30)
"""The time for which a server's data are kept after it has removed the bot."""

APPLICATION: Final = "application"
"""The name of the fact that says to which application the database belongs."""


class ServerData:
    """Use cases of a server's data, and of servers that add or remove the bot.

    A process knows only the servers of its own shards.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        members: Members,
        deletions: Deletions,
        shards: ShardRange = ALL,
    ) -> None:
        self._database = database
        self._clock = clock
        self._members = members
        self._deletions = deletions
        self._shards = shards

    async def delete(self, guild_id: int, name: str, typed: str) -> None:
        """Delete all of a server's data; `ServerNotNamedError` unless its name was typed.

        Zone and length stay, and games of several that go on. All else is deleted: first, bit by
        bit, the server's id in games that are over, which are their players'; then the rest in one
        transaction.
        """
        if _plain(typed) != _plain(name):
            raise ServerNotNamedError(text=typed, name=name)
        await self.delete_unasked(guild_id)

    async def delete_unasked(self, guild_id: int) -> None:
        """Delete a server's data as `delete` does, without asking for its name."""

        def body(tx: Transaction) -> None:
            self._forget(tx, guild_id, stays=True)
            self._members.announce_server(tx, guild_id)
            self._deletions.note(tx, Owner.SERVER, guild_id, self._clock.now())

        await self._forget_places(guild_id, stays=True)
        await self._database.write(body)
        log.info("the data of server %d are deleted, as was asked for there", guild_id)
        await checkpoint(self._database)

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
            gone = self._own(store.known(tx, IdOf.SERVER)) - set(present)
            erasing.note_departure(tx, gone, self._clock.now())
            erasing.note_return(tx, present)

        await self._database.write(body)

    async def sweep(self, present: Collection[int] | None) -> None:
        """Delete what has expired, and the data of servers that the bot left long ago.

        Servers in `present`, this process's own, keep their data even if their return was not
        noted. With None, all servers keep theirs.
        """
        await self._database.write(lambda tx: erasing.drop_expired(tx, self._clock.now()))
        if present is not None:
            await self._forget_servers(present)
        await checkpoint(self._database)

    async def _forget_servers(self, present: Collection[int]) -> None:
        def body(tx: Transaction) -> set[int]:
            erasing.note_return(tx, present)
            return self._own(erasing.left_by(tx, self._clock.now() - KEPT_FOR))

        for guild_id in await self._database.write(body):
            await self._forget_places(guild_id, stays=False)
            await self._database.write(partial(self._forget, guild_id=guild_id, stays=False))
            log.info("the data of server %d were deleted", guild_id)

    def _own(self, guild_ids: Iterable[int]) -> set[int]:
        return {guild_id for guild_id in guild_ids if self._shards.serves(guild_id)}

    async def _forget_places(self, guild_id: int, *, stays: bool) -> None:
        """Delete a server's id from games, a few at a time: no click waits for all of them."""
        some = partial(self._places, guild_id=guild_id, stays=stays)
        while await self._database.write(some) == GAMES_AT_ONCE:
            pass

    def _places(self, tx: Transaction, guild_id: int, *, stays: bool) -> int:
        if not (stays or self._is_due(tx, guild_id)):
            return 0
        return erasing.forget_places(tx, guild_id, GAMES_AT_ONCE, stays=stays)

    def _forget(self, tx: Transaction, guild_id: int, *, stays: bool) -> None:
        if stays or self._is_due(tx, guild_id):
            self._places(tx, guild_id, stays=stays)  # from those begun since
            erasing.forget_server(tx, guild_id, stays=stays)

    def _is_due(self, tx: Transaction, guild_id: int) -> bool:
        """Return true if the bot has been away for so long, and is not back."""
        return guild_id in erasing.left_by(tx, self._clock.now() - KEPT_FOR)


def _plain(name: str) -> str:
    """Reduce a name to letters and digits in one case; if it has none, remove only its spaces."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(filter(str.isalnum, folded)) or "".join(folded.split())
