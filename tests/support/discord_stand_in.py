"""A Discord on 127.0.0.1, as much of it as the bot uses: gateway, commands, interactions, posts."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from time import perf_counter
from typing import Any, Final, TypeVar

from aiohttp import web

from tests.support.payloads import (
    APPLICATION,
    BOT_USER,
    COMMAND,
    EPHEMERAL,
    EVERYTHING,
    Payload,
    guild,
    member,
    message,
    next_number,
    read_body,
    shard_of,
    user,
)
from tests.support.sessions import PATIENCE_SECONDS, Answer, Line, Sent, Session

_HEARTBEAT, _IDENTIFY, _RESUME, _HELLO = 1, 2, 6, 10
_UNKNOWN_TOKEN: Final = 4004

K = TypeVar("K")
V = TypeVar("V")

_MOST: Final = 10_000
StandInT = TypeVar("StandInT", bound="StandIn")
_ENTRY_POINT: Final = 4  # a kind of command
_MESSAGE, _THINKING, _LATER, _UPDATE = 4, 5, 6, 7
_BULKY: Final = 50 * 2**20
_OF_AN_INTERACTION: Final = ("/api/interactions/", "/api/webhooks/")


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


def is_public(answer: Payload) -> bool:
    """Return true for an answer to an interaction that is a new message for everybody."""
    return answer["type"] == _MESSAGE and not answer.get("data", {}).get("flags", 0) & EPHEMERAL


class StandIn(Gateway):
    """Knows one token, and remembers the application's commands and the latest messages.

    Args:
        token: the bot's.
        patience: see below.

    Attributes:
        patience: how many seconds it waits for an answer to an interaction; None for ever.
        commands: the application's.
        emojis: the application's; None if it may have none.
        application: what is different about the application.
        tokens: those that were shown.
    """

    def __init__(self, token: str, *, patience: float | None = None) -> None:
        super().__init__(token)
        self.commands: list[Payload] = []
        self.emojis: list[Payload] | None = None
        self.application: Payload = {}
        self.tokens: set[str] = set()
        self.patience = patience
        self._messages: dict[str, Payload] = Recent()
        self._requests: dict[tuple[str, str], int] = Recent()
        self._nonces: dict[tuple[str, str], Payload] = Recent()

    def app(self) -> web.Application:
        app = web.Application(middlewares=[self.receive], client_max_size=_BULKY)
        ours = f"/api/applications/{APPLICATION}"
        app.add_routes(
            [
                web.get("/gateway", self.connect),
                web.get("/api/gateway/bot", self._get_gateway),
                web.get("/api/users/@me", self.get_user),
                web.get("/api/oauth2/applications/@me", self._get_application),
                web.get("/api/applications/@me", self._get_application),
                web.get(f"{ours}/commands", self._get_commands),
                web.put(f"{ours}/commands", self._put_commands),
                web.get(f"{ours}/emojis", self._get_emojis),
                web.post(f"{ours}/emojis", self._post_emoji),
                web.post("/api/interactions/{id}/{token}/callback", self.post_answer),
                web.post("/api/webhooks/{id}/{token}", self._post_followup),
                web.patch("/api/webhooks/{id}/{token}/messages/@original", self._patch_original),
                web.patch("/api/channels/{channel}/messages/{id}", self._patch_message),
                web.get("/api/guilds/{guild}/members/{id}", self._get_member),
                web.post("/api/users/@me/channels", self._post_private_channel),
                web.post("/api/channels/{channel}/messages", self.post_message),
                web.get("/api/channels/{channel}/messages", self._get_messages),
            ]
        )
        return app

    @property
    def messages(self) -> list[Payload]:
        """What was posted to channels of late, oldest first."""
        return [*self._messages.values()]

    def asked(self, method: str, end_of_path: str) -> int:
        return sum(
            times
            for (asked, path), times in self._requests.items()
            if asked == method and path.endswith(end_of_path)
        )

    def forget_nonces(self) -> None:
        """Let minutes have passed: Discord remembers nonces for a few."""
        self._nonces.clear()

    @web.middleware
    async def receive(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Count a request, and see to its token."""
        path = request.path
        if path.startswith(_OF_AN_INTERACTION):  # whose paths never come again
            resource = request.match_info.route.resource
            path = "" if resource is None else resource.canonical
        asked = request.method, path
        self._requests[asked] = self._requests.get(asked, 0) + 1
        _, found, token = request.headers.get("Authorization", "").partition("Bot ")
        if found:
            self.tokens.add(token)
            if token != self._token:
                return reply({"message": "401: Unauthorized", "code": 0}, status=401)
        return await handler(request)

    async def get_user(self, request: web.Request) -> web.Response:
        return reply(BOT_USER)

    async def _get_application(self, _: web.Request) -> web.Response:
        return reply(
            {
                "id": str(APPLICATION),
                "name": "Codebreaker",
                "description": "",
                "icon": None,
                "bot_public": True,
                "bot_require_code_grant": False,
                "owner": user(1),
                "verify_key": "",
                "flags": 0,
                "approximate_guild_count": len(self.guilds),
            }
            | self.application
        )

    async def _get_gateway(self, _: web.Request) -> web.Response:
        limit = {"total": 1000, "remaining": self.remaining, "reset_after": 0}
        limit["max_concurrency"] = self.max_concurrency
        url = f"{self.address}/gateway"
        return reply({"url": url, "shards": self.shards, "session_start_limit": limit})

    async def _get_commands(self, request: web.Request) -> web.Response:
        if request.query.get("with_localizations") == "true":
            return reply(self.commands)
        return reply(
            [
                {key: value for key, value in command.items() if "_localizations" not in key}
                for command in self.commands
            ]
        )

    async def _put_commands(self, request: web.Request) -> web.Response:
        commands = await request.json()
        entries = {command["id"] for command in self.commands if command["type"] == _ENTRY_POINT}
        if not entries <= {command.get("id") for command in commands}:
            words = "You cannot remove this app's Entry Point command in a bulk update operation."
            return reply({"message": words, "code": 50240}, status=400)
        self.commands = [
            {
                "id": next_number(),
                "application_id": str(APPLICATION),
                "version": "1",
                "description": "",  # those of menus have none
            }
            | command
            for command in commands
        ]
        return reply(self.commands)

    async def _get_emojis(self, _: web.Request) -> web.Response:
        if self.emojis is None:
            return reply({"message": "404: Not Found", "code": 0}, status=404)
        return reply({"items": self.emojis})

    async def _post_emoji(self, request: web.Request) -> web.Response:
        emoji = {"id": next_number(), "name": (await request.json())["name"], "user": BOT_USER}
        emoji |= {"roles": [], "require_colons": True, "managed": False, "animated": False}
        self.emojis = [*(self.emojis or ()), emoji | {"available": True}]
        return reply(emoji)

    async def post_answer(self, request: web.Request) -> web.Response:
        """Take the bot's first answer to an interaction, if it is in time and the first one."""
        body = read_body(await request.read(), request.content_type)
        number, now = request.match_info["id"], perf_counter()
        sent = self._sent.get(number)
        if sent is None or (self.patience is not None and now > sent.at + self.patience):
            return too_late()
        if sent.acknowledged_at is not None:
            words = "Interaction has already been acknowledged."
            return reply({"message": words, "code": 40060}, status=400)
        sent.acknowledged_at = now
        kind, data = body["type"], body.get("data", {})
        shown = message(sent.channel, data)
        if kind == _UPDATE:
            shown = self._edit(sent.original, data)
        elif is_public(body):
            self.keep(shown)
        if kind == _MESSAGE:
            sent.original = shown["id"]
        if kind not in {_THINKING, _LATER}:  # else what the user sees is still to come
            _answer(sent, Answer(kind, data, shown))
        interaction: Payload = {"id": number, "type": COMMAND, "response_message_id": shown["id"]}
        return reply({"interaction": interaction, "resource": {"type": kind, "message": shown}})

    def keep(self, shown: Payload) -> None:
        self._messages[shown["id"]] = shown

    def _edit(self, number: str, body: Payload) -> Payload:
        """A message after an edit; those that only one user sees are not kept."""
        edited = self._messages.get(number)
        if edited is None:
            edited = message("1", {"flags": EPHEMERAL}) | {"id": number or next_number()}
        edited["components"] = body["components"]
        return edited

    async def _patch_message(self, request: web.Request) -> web.Response:
        body = read_body(await request.read(), request.content_type)
        return reply(self._edit(request.match_info["id"], body))

    async def _patch_original(self, request: web.Request) -> web.Response:
        return await self._answer_late(request, _UPDATE)

    async def _post_followup(self, request: web.Request) -> web.Response:
        return await self._answer_late(request, _MESSAGE)

    async def _answer_late(self, request: web.Request, kind: int) -> web.Response:
        body = read_body(await request.read(), request.content_type)
        sent = self._sent.get(request.match_info["token"].removeprefix("token-"))
        if kind == _UPDATE:
            shown = self._edit("" if sent is None else sent.original, body)
        else:
            shown = message("1", body)
        if sent is not None:
            _answer(sent, Answer(kind, body, shown))
        return reply(shown)

    async def _get_member(self, request: web.Request) -> web.Response:
        return reply(member(int(request.match_info["id"])))

    async def _post_private_channel(self, request: web.Request) -> web.Response:
        recipient = int((await request.json())["recipient_id"])
        channel = {"id": str(recipient + 1), "type": 1, "last_message_id": None}
        return reply(channel | {"recipients": [user(recipient)]})

    async def post_message(self, request: web.Request) -> web.Response:
        """Put a message into a channel, unless its nonce has come before."""
        channel = request.match_info["channel"]
        body = read_body(await request.read(), request.content_type)
        nonce = (channel, body.get("nonce", ""))
        shown = self._nonces.get(nonce)
        if shown is None or not body.get("enforce_nonce"):
            shown = self._nonces[nonce] = message(channel, body)
            self.keep(shown)
        return reply(shown)

    async def _get_messages(self, request: web.Request) -> web.Response:
        after = int(request.query.get("after", "0"))
        channel, limit = request.match_info["channel"], int(request.query.get("limit", "50"))
        found = [
            shown
            for shown in self.messages
            if shown["channel_id"] == channel and int(shown["id"]) > after
        ]
        return reply(found[:limit][::-1])


@asynccontextmanager
async def listening(stand_in: StandInT) -> AsyncGenerator[StandInT]:
    """Have it at an address until the block ends."""
    # What a bot hangs up on while it is still arriving has not arrived.
    runner = web.AppRunner(
        stand_in.app(), access_log=None, shutdown_timeout=1, handler_cancellation=True
    )
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host, port = runner.addresses[0]
        stand_in.address = f"http://{host}:{port}"
        yield stand_in
    finally:
        await runner.cleanup()


def reply(data: Any, *, status: int = 200) -> web.Response:
    # With `text`, aiohttp would name a charset; discord.py takes such an answer for a string.
    body = json.dumps(data).encode()
    return web.Response(body=body, status=status, content_type="application/json")


def too_late() -> web.Response:
    """What is said to a bot whose answer nobody waits for any more."""
    return reply({"message": "Unknown interaction", "code": 10062}, status=404)


def _answer(sent: Sent, answer: Answer) -> None:
    if not sent.answer.done():
        sent.answer.set_result(answer)
