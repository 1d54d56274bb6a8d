"""Use cases of the page's tickets and sessions; each is one transaction.

What a link and a browser hold is 32 random bytes; stored is only a digest of them.
"""

import re
import secrets
from hashlib import sha256
from typing import Final

from bot.clock import Clock
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.people import store as people_store
from bot.sessions import store
from bot.sessions.model import (
    MOST,
    SESSION_LASTS,
    TICKET_LASTS,
    Session,
    Ticket,
    TicketGoneError,
)

_BYTES: Final = 32
_WRITTEN: Final = re.compile(r"[\w-]{43}", re.ASCII)


class Sessions:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def earn(self, player_id: int, guild_id: int | None, play_id: int) -> str:
        """Make a ticket to a board, and return what its link carries."""
        token = secrets.token_urlsafe(_BYTES)
        ticket = Ticket(player_id, guild_id, play_id, self._clock.now() + TICKET_LASTS)

        def body(tx: Transaction) -> None:
            store.tickets.add(tx, ticket, _digest(token))
            store.keep_latest(tx, player_id, MOST)

        await self._database.write(body, keys.player(player_id))
        return token

    async def look(self, token: str) -> Ticket:
        """Return a ticket without spending it.

        Raises:
            TicketGoneError: it is spent, late, or none at all.
        """
        if not _WRITTEN.fullmatch(token):
            raise TicketGoneError
        return await self._database.read(lambda tx: self._look(tx, token))

    async def enter(self, token: str) -> str:
        """Spend a ticket, and return what the browser of a new session keeps."""
        player_id = (await self.look(token)).player_id
        kept = secrets.token_urlsafe(_BYTES)

        def body(tx: Transaction) -> None:
            ticket = self._look(tx, token)
            ends_at = self._clock.now() + SESSION_LASTS
            store.tickets.drop(tx, _digest(token))
            session = Session(player_id, ticket.guild_id, ends_at)
            store.sessions.add(tx, session, _digest(kept))
            store.keep_latest(tx, player_id, MOST)

        await self._database.write(body, keys.player(player_id))
        return kept

    async def find(self, kept: str) -> Session | None:
        """Return the session of a browser; None if it has ended or never was."""
        if not _WRITTEN.fullmatch(kept):
            return None
        found = await self._database.read(lambda tx: store.sessions.get(tx, _digest(kept)))
        return found if found is not None and self._clock.now() < found.ends_at else None

    async def name(self, player_id: int) -> str:
        """Return a player's name as last seen; empty for none."""
        found = await self._database.read(lambda tx: people_store.names(tx, [player_id]))
        return found[player_id].name if player_id in found else ""

    async def sweep(self) -> None:
        """Delete the tickets and sessions that have ended."""
        await self._database.write(lambda tx: store.drop_ended(tx, self._clock.now()))

    def _look(self, tx: Transaction, token: str) -> Ticket:
        found = store.tickets.get(tx, _digest(token))
        if found is None or found.ends_at <= self._clock.now():
            raise TicketGoneError
        return found


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()
