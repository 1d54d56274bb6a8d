"""The gateway: shards log in, take their servers in, and log in again when a line has broken."""

import asyncio
import json
from collections.abc import Sequence
from typing import Final, TypeVar

from aiohttp import web

from tests.support.payloads import (
    APPLICATION,
    BOT_USER,
    EVERYTHING,
    Payload,
    guild,
    next_number,
    shard_of,
)
from tests.support.sessions import PATIENCE_SECONDS, Line, Sent, Session

_HEARTBEAT, _IDENTIFY, _RESUME, _HELLO = 1, 2, 6, 10
_UNKNOWN_TOKEN: Final = 4004

K = TypeVar("K")
V = TypeVar("V")

_MOST: Final = 10_000


class Recent(dict[K, V]):
    """A dictionary that forgets its oldest, so that nothing grows with the time that a load takes.

    Args:
        most: how many it has at most.

    >>> latest = Recent(2)
    >>> for number in (1, 2, 3):
    ...     latest[number] = "x"
    >>> list(latest)
    [2, 3]
    """

    def __init__(self, most: int = _MOST) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: K, value: V) -> None:
        """Remember one more, and forget the oldest if they are too many."""
        super().__setitem__(key, value)
        if len(self) > self._most:
            del self[next(iter(self))]


class Gateway:
    """Where a bot hears what happens.

    Args:
        token: the bot's.

    Attributes:
        address: where all of Discord is.
        guilds: the servers that the bot is in, each with one channel.
        channel_permissions: what the bot may do in all channels.
        shards: how many lines a bot is told to open from now on.
        max_concurrency: how many lines may log in within five seconds.
        remaining: how many may log in today, as far as a bot is told.
        heartbeat_milliseconds: how often a line is to beat, as it is told.
    """

    def __init__(self, token: str) -> None:
        self.address = ""
        self.guilds: Sequence[int] = ()
        self.channel_permissions = EVERYTHING
        self.shards = 2
        self.max_concurrency = 1
        self.remaining = 1000
        self.heartbeat_milliseconds = 40_000
        self._token = token
        self._sent: dict[str, Sent] = Recent()
        self._sessions: asyncio.Queue[Session] = asyncio.Queue()
        self._shards: dict[str, tuple[Session, int]] = Recent()
        self._arriving: Session | None = None

    async def next_session(self, within: float = PATIENCE_SECONDS) -> Session:
        """The bot that has logged in since this was last asked."""
        return await asyncio.wait_for(self._sessions.get(), within)

    async def connect(self, request: web.Request) -> web.WebSocketResponse:
        """Talk to a shard as long as its line holds."""
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        line = Line(socket, request)
        await line.send(_HELLO, {"heartbeat_interval": self.heartbeat_milliseconds})
        try:
            await self._listen(socket, line)
        finally:
            self.left(line)
        return socket

    async def _listen(self, socket: web.WebSocketResponse, line: Line) -> None:
        async for heard in socket:
            said = json.loads(heard.data)
            if said["op"] == _HEARTBEAT:
                await self.hear_beat(line)
            elif said["op"] == _IDENTIFY:
                if said["d"]["token"] != self._token:
                    await socket.close(code=_UNKNOWN_TOKEN)
                    break
                await self.let_in(line, *said["d"]["shard"])
            elif said["op"] == _RESUME:
                await self.resume(line, said["d"]["session_id"])

    async def hear_beat(self, line: Line) -> None:
        await line.heartbeat()

    def left(self, line: Line) -> None:
        """Know that a line has ended."""

    async def resume(self, line: Line, number: str) -> None:
        """Let a line go on where another has broken."""
        session, shard = self._shards[number]
        session.lines[shard] = line
        await line.dispatch("RESUMED", {})

    async def let_in(self, line: Line, shard: int, shards: int) -> None:
        """Let a line in; a bot whose lines are all there has logged in."""
        session = self._arriving or Session(shards, self._sent)
        session.lines[shard] = line
        self._arriving = session if len(session.lines) < shards else None
        await self.greet(line, session, shard)
        if self._arriving is None:
            self._sessions.put_nowait(session)

    async def greet(self, line: Line, session: Session, shard: int) -> None:
        """Tell a line what it needs to know of the bot and its servers."""
        number, shards = next_number(), session.shards
        self._shards[number] = session, shard
        here = [guild_id for guild_id in self.guilds if shard_of(guild_id, shards) == shard]
        ready: Payload = {
            "v": 10,
            "user": BOT_USER,
            "guilds": [{"id": str(guild_id), "unavailable": True} for guild_id in here],
            "session_id": number,
            "resume_gateway_url": f"{self.address}/gateway",
            "shard": [shard, shards],
            "application": {"id": str(APPLICATION), "flags": 0},
        }
        await line.dispatch("READY", ready)
        for guild_id in here:
            await line.dispatch("GUILD_CREATE", guild(guild_id, self.channel_permissions))
