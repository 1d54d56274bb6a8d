"""A bot that is connected: its lines to the gateway, what is sent by them, and what it answers."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from time import perf_counter
from typing import Any, Final

from aiohttp import web

from tests.support.payloads import (
    APPLICATION,
    COMMAND,
    Payload,
    command,
    interaction,
    next_number,
    privately,
    shard_of,
    texts,
)

PATIENCE_SECONDS: Final = 100.0

_DISPATCH, _HEARTBEAT, _HEARTBEAT_ACK = 0, 1, 11


@dataclass(frozen=True, slots=True)
class Answer:
    """How the bot answered an interaction.

    Attributes:
        type: of an answer, as Discord numbers them.
        data: what it says.
        message: the message that it has made or changed; empty for one that is not a message.
    """

    type: int
    data: Payload
    message: Payload = field(default_factory=dict[str, Any])

    @property
    def text(self) -> str:
        return "\n".join(texts(self.data))


@dataclass(slots=True)
class Sent:
    """An interaction that the bot was told of.

    Attributes:
        answer: what the user sees in the end.
        original: the id of the message that edits of the answer change: what was clicked or what
            the first answer is; empty for none.
        at: when it was sent, in seconds of this process's clock.
        channel: where.
        acknowledged_at: when the bot's first answer was here; None for none, or one too late.
    """

    answer: asyncio.Future[Answer]
    original: str
    at: float
    channel: str
    acknowledged_at: float | None = None

    async def within(self, seconds: float = PATIENCE_SECONDS) -> Answer:
        """The answer, if it comes in time."""
        return await asyncio.wait_for(self.answer, seconds)


class Line:
    """One connection to the gateway: of one of a bot's shards."""

    def __init__(self, socket: web.WebSocketResponse, request: web.Request) -> None:
        self._socket = socket
        self._request = request
        self._sequence = count(1)
        self._heard = asyncio.Event()

    async def dispatch(self, event: str, data: Payload) -> None:
        """Tell of something that has happened."""
        await self.send(_DISPATCH, data, t=event, s=next(self._sequence))

    async def send(self, op: int, data: Any = None, **more: Any) -> None:
        await self._socket.send_json({"op": op, "d": data, **more})

    async def close(self, code: int) -> None:
        """Break it off, and say why by one of Discord's codes."""
        await self._socket.close(code=code)

    async def until_heard(self) -> None:
        """Wait until the bot has taken in everything sent so far: it answers in order."""
        self._heard.clear()
        await self.send(_HEARTBEAT)
        await asyncio.wait_for(self._heard.wait(), PATIENCE_SECONDS)

    async def heartbeat(self) -> None:
        self._heard.set()
        await self.send(_HEARTBEAT_ACK)

    def break_off(self) -> None:
        """Hang up without a word."""
        if self._request.transport is not None:
            self._request.transport.abort()


class Session:
    """A bot that has logged in, with a line for each shard.

    Args:
        shards: how many there are.
        sent: where what is sent is noted, by its id.

    Attributes:
        lines: of the shards that have identified themselves.
    """

    def __init__(self, shards: int, sent: dict[str, Sent]) -> None:
        self.shards = shards
        self.lines: dict[int, Line] = {}
        self._sent = sent

    async def until_heard(self) -> None:
        """Wait until the bot has taken in everything sent so far."""
        for line in self.lines.values():
            await line.until_heard()

    async def type_command(self, user: int, name: str, **options: str) -> asyncio.Future[Answer]:
        """A user's slash command in a private channel; the answer comes when it comes."""
        return await self.interact(_typed(user, name, options))

    async def interact(self, said: Payload) -> asyncio.Future[Answer]:
        return (await self.send(said)).answer

    async def send(self, said: Payload) -> Sent:
        number = next_number()
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        clicked = said.get("message", {}).get("id", "")
        line = self.lines[shard_of(int(said.get("guild_id", 0)), self.shards)]
        ids = {"id": number, "application_id": str(APPLICATION), "token": f"token-{number}"}
        sent = self._sent[number] = Sent(answer, clicked, perf_counter(), said["channel_id"])
        await line.dispatch("INTERACTION_CREATE", said | ids)
        return sent

    async def command(self, user: int, name: str, **options: str) -> Answer:
        """A user's slash command and the bot's answer."""
        answer = await self.type_command(user, name, **options)
        return await asyncio.wait_for(answer, PATIENCE_SECONDS)


def _typed(user: int, name: str, options: Mapping[str, str]) -> Payload:
    return interaction(COMMAND, command(name, options), privately(user), None)
