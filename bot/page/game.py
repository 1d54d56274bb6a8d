"""Use cases of the page's tickets, sessions and posts; each is one transaction.

A token, in a link or a browser, is a player's id, 16 random bytes, and an HMAC of both by a key of
the database's: a forged one costs no read. The database has only a digest of it. What opens a
socket is alike, with a session's digest and an instant for the random bytes.
"""

import asyncio
import re
import secrets
from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from hmac import compare_digest
from typing import Final

from bot.clock import Clock
from bot.db import facts, keys
from bot.db.database import Database, Transaction
from bot.games.game import LEASE, NONCE_LASTS, nonce
from bot.games.model import Channel, GameName
from bot.outages import ShardRange
from bot.page import store
from bot.page.model import (
    FRAMED_LASTS,
    MOST,
    PASS_LASTS,
    SESSION_LASTS,
    TICKET_LASTS,
    Came,
    Session,
    Ticket,
    TicketGoneError,
    WebPost,
)
from bot.people import store as people_store

_BYTES: Final = 16
_WRITTEN: Final = re.compile(
    "([0-9a-f]{16})(?:[0-9a-f]{32}|([0-9a-f]{64})([0-9a-f]{8}))([0-9a-f]{16})"
)


class Sessions:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._key = ""

    async def _new(self, player_id: int) -> str:
        return await self._signed(f"{player_id:016x}{secrets.token_hex(_BYTES)}")

    async def _signed(self, begun: str) -> str:
        self._key = self._key or await self._database.read(facts.digest_key)
        return begun + facts.keyed_hash(self._key, "token", [int(begun, 16)])[:16]

    async def whose(self, token: str) -> int | None:
        """Return the id of the player whom a token was made for, used up or not; None if forged."""
        if not _WRITTEN.fullmatch(token):
            return None
        is_ours = compare_digest(await self._signed(token[:-16]), token)
        return int(token[:16], 16) if is_ours else None

    async def earn(self, player_id: int, channel: Channel | None, place: GameName) -> str:
        """Store a new ticket to a board; return the token for its link.

        `channel` is where the player has asked for it; None outside the bot's servers.
        """
        token = await self._new(player_id)
        await self._keep(token, player_id, channel, place)
        return token

    async def launched(
        self,
        player_id: int,
        channel: Channel | None,
        place: GameName | None = None,
        launch: str = "",
    ) -> str:
        """Note that a player opens the page in Discord, perhaps from a board, by the launch's id.

        Without an id from Discord a token is made, and returned.
        """
        launch = launch or await self._new(player_id)
        token = _launch(player_id, launch)
        await self._keep(token, player_id, channel, place, digest_of(launch))
        return launch

    async def instances(self) -> set[str]:
        """List the Activities that were launched within minutes or are open, by `digest_of`."""
        return await self._database.read(lambda tx: store.instances(tx, self._clock.now()))

    async def _keep(
        self,
        token: str,
        player_id: int,
        channel: Channel | None,
        place: GameName | None,
        instance: str | None = None,
    ) -> None:
        ticket = Ticket(
            player_id,
            channel and channel.guild_id,
            channel and channel.channel_id,
            place and str(place),
            self._clock.now() + TICKET_LASTS,
            instance,
        )

        def body(tx: Transaction) -> None:
            store.tickets.put(tx, ticket, digest_of(token))
            store.keep_latest(tx, player_id, MOST)

        await self._database.write(body, keys.player(player_id))

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
        if await self.whose(token) is None:
            raise TicketGoneError
        return await self._database.read(lambda tx: self._look(tx, token))

    async def enter(self, token: str) -> str:
        """Spend a ticket that `look` returns, and begin a session; return the session's token."""
        player_id = (await self.look(token)).player_id
        kept = await self._new(player_id)

        def body(tx: Transaction) -> None:
            ticket = self._look(tx, token)
            store.tickets.drop(tx, digest_of(token))
            ends_at, digest = self._clock.now() + SESSION_LASTS, digest_of(kept)
            session = Session(player_id, ticket.guild_id, ticket.channel_id, ends_at, digest)
            store.sessions.add(tx, session, digest)
            store.keep_latest(tx, player_id, MOST)

        await self._database.write(body, keys.player(player_id))
        return kept

    async def begin(
        self, player_id: int, channel: Channel | None, instance: str | None = None
    ) -> tuple[str, Session]:
        """Begin a session in the frame of an Activity; return the session's token and the session.

        Where the bot is not a member, the player plays as in direct messages.
        """
        kept, ends_at = await self._new(player_id), self._clock.now() + FRAMED_LASTS

        def body(tx: Transaction) -> Session:
            here = channel
            if here is not None and not store.is_served(tx, here.guild_id):
                here = None
            digest = digest_of(kept)
            session = Session(
                player_id,
                here and here.guild_id,
                here and here.channel_id,
                ends_at,
                digest,
                is_framed=True,
                instance=None if instance is None else digest_of(instance),
            )
            store.sessions.add(tx, session, digest)
            store.keep_latest(tx, player_id, MOST)
            return session

        return kept, await self._database.write(body, keys.player(player_id))

    async def find(self, kept: str) -> Session | None:
        """Return the session with the token `kept`; None if it has ended or never was."""
        return None if await self.whose(kept) is None else await self.running(digest_of(kept))

    async def running(self, digest: str) -> Session | None:
        """Return the session whose token has this digest; None if it has ended."""
        found = await self._database.read(lambda tx: store.sessions.get(tx, digest))
        return found if found is not None and self._clock.now() < found.ends_at else None

    async def pass_for(self, session: Session) -> str:
        """Make what opens a socket of a session, for half a minute."""
        until = int((self._clock.now() + PASS_LASTS).timestamp())
        return await self._signed(f"{session.player_id:016x}{session.digest}{until:08x}")

    async def passed(self, token: str) -> Session | None:
        """Return the session for which `pass_for` made a token; None if either is over."""
        written = _WRITTEN.fullmatch(token)
        if written is None or written[2] is None or await self.whose(token) is None:
            return None
        if int(written[3], 16) <= self._clock.now().timestamp():
            return None
        return await self.running(written[2])

    async def count(self, player_id: int) -> int:
        """Count a player's running sessions, those in Discord's frame included."""
        return await self._database.read(lambda tx: store.count(tx, player_id, self._clock.now()))

    async def sign_out(self, player_id: int) -> None:
        """End all sessions of a player, and delete their tickets."""
        await self._database.write(
            lambda tx: store.keep_latest(tx, player_id, 0), keys.player(player_id)
        )

    async def end(self, session: Session) -> None:
        """End a session; its sockets close."""
        await self._database.write(
            lambda tx: store.sessions.drop(tx, session.digest), keys.player(session.player_id)
        )

    async def name(self, player_id: int) -> str:
        """Return a player's name as last seen; empty if none was seen."""
        return (await self.names([player_id])).get(player_id, "")

    async def names(self, player_ids: Collection[int]) -> dict[int, str]:
        """Return players' names as last seen, by id; without those of whom none was seen."""
        found = await self._database.read(lambda tx: people_store.names(tx, player_ids))
        return {player_id: row.name for player_id, row in found.items()}

    def _look(self, tx: Transaction, token: str) -> Ticket:
        found = store.tickets.get(tx, digest_of(token))
        if found is None or found.ends_at <= self._clock.now():
            raise TicketGoneError
        return found


def _launch(player_id: int, launch: str) -> str:
    """Return the token of a launch's ticket; it contains a space, which no link's token does."""
    return f"{player_id} {launch}"


def digest_of(token: str) -> str:
    return sha256(token.encode()).hexdigest()


# Posts that players of the page ask for. A page may be served by a process that has no line to
# Discord. So it stores what is to be posted; the process with the server's shard asks Discord who
# may write there, and posts it. Before what others see in a message that is there, it only asks.

NEWS: Final = "posts"
"""Told by whoever asks for a post, to those who watch the database."""
_MOST: Final = 50

Due = tuple[int, str, int]
"""A post's key: the player, the game as text, the channel."""


def ask(
    tx: Transaction, player_id: int, channel: Channel, place: GameName | str, now: datetime
) -> None:
    """Ask for a post, unless it is asked for already or done; after a refusal, ask once more."""
    key = player_id, str(place), channel.channel_id
    found = store.posts.get(tx, *key)
    if found is None or found.is_past(now) or found.outcome not in {None, Came.SENT}:
        store.posts.put(tx, WebPost(*key, channel.guild_id, now), *key)
        tx.changed(NEWS)


class Posting:
    """Use cases of these posts.

    Args:
        shards: the shards of the servers in which this process posts.

    Attributes:
        patience: for how many seconds a request waits for what comes of its post.
    """

    patience = 7.0  # the bot looks every five seconds, and a request takes ten at most

    def __init__(self, database: Database, clock: Clock, shards: ShardRange) -> None:
        self._database = database
        self._clock = clock
        self._shards = shards
        self._waiting = set[tuple[str, asyncio.Event]]()

    def changed(self, name: str | None) -> None:
        """Wake those who wait for what a change is about; see `Database.watch`."""
        for about, changed in self._waiting:
            if name in {None, about}:
                changed.set()

    async def ask(self, player_id: int, channel: Channel, place: GameName | str) -> None:
        now = self._clock.now()
        about = keys.player(player_id)
        await self._database.write(lambda tx: ask(tx, player_id, channel, place, now), about)

    async def find(self, player_id: int, channel: Channel, place: GameName | str) -> Came | str:
        """Return what came of a post of late; ``waits`` while it may still be posted.

        It is empty where none was asked for.
        """
        key, now = (player_id, str(place), channel.channel_id), self._clock.now()
        found = await self._database.read(lambda tx: store.posts.get(tx, *key))
        if found is None or (found.outcome is not None and found.is_past(now)):
            return ""
        return found.came(now) or "waits"

    async def wait(self, player_id: int, channel: Channel, place: GameName | str) -> Came | str:
        """As `find`, but give the bot some seconds for what waits."""
        waiting = keys.player(player_id).name, asyncio.Event()
        self._waiting.add(waiting)
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(self.patience):
                    while (came := await self.find(player_id, channel, place)) == "waits":
                        await waiting[1].wait()
                        waiting[1].clear()
                    return came
            return "waits"
        finally:
            self._waiting.discard(waiting)

    async def due(self) -> list[Due]:
        now = self._clock.now()
        return await self._database.read(lambda tx: store.due_posts(tx, now, self._shards, _MOST))

    async def claim(self, due: Due) -> WebPost | None:
        """Claim a post; None if it is done, no longer wanted, or another process may be at it."""

        def body(tx: Transaction) -> WebPost | None:
            now, found = self._clock.now(), store.posts.get(tx, *due)
            if found is None or found.came(now) is not None:
                return None
            if found.tried_at is not None and found.claimed_at is not None:
                is_free = found.tried_at <= now - LEASE
                if not is_free or found.claimed_at <= now - NONCE_LASTS:
                    return None
            claimed = replace(found, claimed_at=found.claimed_at or now, tried_at=now)
            store.posts.put(tx, claimed, *due)
            return claimed

        return await self._database.write(body, keys.player(due[0]))

    async def came(self, post: WebPost, outcome: Came) -> None:
        """Note what came of a claimed post, unless another process has claimed it since."""
        key = post.player_id, post.place, post.channel_id

        def body(tx: Transaction) -> None:
            if store.posts.get(tx, *key) == post:
                store.posts.put(tx, replace(post, outcome=outcome), *key)

        await self._database.write(body, keys.player(post.player_id))


def nonce_of(post: WebPost) -> str:
    return nonce("page", post.player_id, post.place, post.channel_id, post.asked_at)
