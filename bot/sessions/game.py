"""Use cases of the page's tickets and sessions; each is one transaction.

Tokens in links and browsers are 32 random bytes; the database has only a digest of them.
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
    FRAMED_LASTS,
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
        """Store a new ticket to a board; return the token for its link."""
        token = secrets.token_urlsafe(_BYTES)
        await self._keep(
            Ticket(player_id, guild_id, play_id, self._clock.now() + TICKET_LASTS), token
        )
        return token

    async def launched(
        self, player_id: int, guild_id: int | None, play_id: int, launch: str
    ) -> None:
        """Note the board from which a player opens the page in Discord, under the launch's id."""
        ticket = Ticket(player_id, guild_id, play_id, self._clock.now() + TICKET_LASTS)
        await self._keep(ticket, _launch(player_id, launch))

    async def _keep(self, ticket: Ticket, token: str) -> None:
        def body(tx: Transaction) -> None:
            store.tickets.put(tx, ticket, _digest(token))
            store.keep_latest(tx, ticket.player_id, MOST)

        await self._database.write(body, keys.player(ticket.player_id))

    async def find_launch(self, player_id: int, launch: str) -> Ticket | None:
        """Return the ticket that `launched` stored; None if it is unknown or has expired."""
        try:
            return await self._database.read(lambda tx: self._look(tx, _launch(player_id, launch)))
        except TicketGoneError:
            return None

    async def look(self, token: str) -> Ticket:
        """Return a ticket without spending it.

        Raises:
            TicketGoneError: it is spent, expired or unknown.
        """
        if not _WRITTEN.fullmatch(token):
            raise TicketGoneError
        return await self._database.read(lambda tx: self._look(tx, token))

    async def enter(self, token: str) -> str:
        """Spend a ticket that `look` returns, and begin a session; return the session's token."""
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

    async def begin(self, player_id: int, guild_id: int | None) -> tuple[str, Session]:
        """Begin a session in Discord's frame; return the session's token and the session.

        Where the bot is not a member, the player plays as in direct messages.
        """
        kept, ends_at = secrets.token_urlsafe(_BYTES), self._clock.now() + FRAMED_LASTS

        def body(tx: Transaction) -> Session:
            is_place = guild_id is not None and store.is_served(tx, guild_id)
            place = guild_id if is_place else None
            session = Session(player_id, place, ends_at, is_framed=True)
            store.sessions.add(tx, session, _digest(kept))
            store.keep_latest(tx, player_id, MOST)
            return session

        return kept, await self._database.write(body, keys.player(player_id))

    async def find(self, kept: str) -> Session | None:
        """Return the session with the token `kept`; None if it has ended or never was."""
        if not _WRITTEN.fullmatch(kept):
            return None
        found = await self._database.read(lambda tx: store.sessions.get(tx, _digest(kept)))
        return found if found is not None and self._clock.now() < found.ends_at else None

    async def count(self, player_id: int) -> int:
        """Count a player's running sessions, those in Discord's frame included."""
        return await self._database.read(lambda tx: store.count(tx, player_id, self._clock.now()))

    async def sign_out(self, player_id: int) -> None:
        """End all sessions of a player, and delete their tickets."""
        await self._database.write(
            lambda tx: store.keep_latest(tx, player_id, 0), keys.player(player_id)
        )

    async def name(self, player_id: int) -> str:
        """Return a player's name as last seen; empty if none was seen."""
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


def _launch(player_id: int, launch: str) -> str:
    """Return the token of a launch's ticket; it contains a space, which no link's token does."""
    return f"{player_id} {launch}"


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()
