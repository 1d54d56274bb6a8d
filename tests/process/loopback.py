"""A Discord on 127.0.0.1, as much of it as the bot uses: login, commands, interactions, posts."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import Enum
from itertools import count
from typing import Any, Final

from aiohttp import web

APPLICATION: Final = 600_000_000_000_000_001
PATIENCE_SECONDS: Final = 10.0

_DISPATCH, _HEARTBEAT, _IDENTIFY, _RESUME, _HELLO, _HEARTBEAT_ACK = 0, 1, 2, 6, 10, 11
_COMMAND, _STRING = 2, 3
_ENTRY_POINT: Final = 4  # a kind of command
_MESSAGE, _LATER, _UPDATE = 4, 6, 7
_EPHEMERAL: Final = 64
_UNKNOWN_TOKEN: Final = 4004
_EPOCH_MILLISECONDS: Final = 1_420_070_400_000
# All there are: who tests permissions has SimCord.
EVERYTHING: Final = str(2**50 - 1)
_BOT_USER: Final = {
    "id": str(APPLICATION),
    "username": "Codebreaker",
    "discriminator": "0000",
    "avatar": None,
    "bot": True,
}


class Mishap(Enum):
    """What can become of an answer to an interaction, other than that it is shown."""

    LOST = "the line breaks before it has arrived"
    SHOWN = "the line breaks when it has arrived"
    TOO_LATE = "nobody waits for it any more"


@dataclass(frozen=True, slots=True)
class Request:
    """What the bot asked for."""

    method: str
    path: str
    token: str | None


@dataclass(frozen=True, slots=True)
class Answer:
    """How the bot answered an interaction."""

    type: int
    data: dict[str, Any]

    @property
    def text(self) -> str:
        return "\n".join(_texts(self.data))


class Line:
    """One connection to the gateway: of one of a bot's shards."""

    def __init__(self, socket: web.WebSocketResponse, transport: asyncio.Transport) -> None:
        self._socket = socket
        self._transport = transport
        self._sequence = count(1)
        self._heard = asyncio.Event()

    async def dispatch(self, event: str, data: dict[str, Any]) -> None:
        await self.send(_DISPATCH, data, t=event, s=next(self._sequence))

    async def send(self, op: int, data: Any = None, **more: Any) -> None:
        await self._socket.send_json({"op": op, "d": data, **more})

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
        self._transport.abort()


class Session:
    """A bot that has logged in, with a line for each shard.

    Attributes:
        shards: how many there are.
        lines: those that have identified themselves.
    """

    def __init__(
        self,
        shards: int,
        answers: dict[str, asyncio.Future[Answer]],
        clicked: dict[str, str],
    ) -> None:
        self.shards = shards
        self.lines: dict[int, Line] = {}
        self._answers = answers
        self._clicked = clicked

    def line_of(self, guild_id: int) -> Line:
        """The line that a server's events come by; with 0, those of direct messages."""
        return self.lines[(guild_id >> 22) % self.shards]

    async def until_heard(self) -> None:
        """Wait until the bot has taken in everything sent so far."""
        for line in self.lines.values():
            await line.until_heard()

    async def type_command(self, user: int, name: str, **options: str) -> asyncio.Future[Answer]:
        """A user's slash command in a private channel; the answer comes when it comes."""
        return await self.interact(_command(user, name, options))

    async def interact(self, interaction: dict[str, Any]) -> asyncio.Future[Answer]:
        """Any interaction; the answer comes when it comes."""
        number = str(next(_numbers))
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        self._clicked[number] = interaction.get("message", {}).get("id", "")
        ids = {"id": number, "application_id": str(APPLICATION), "token": f"token-{number}"}
        line = self.line_of(int(interaction.get("guild_id", 0)))
        await line.dispatch("INTERACTION_CREATE", interaction | ids)
        return answer

    async def command(self, user: int, name: str, **options: str) -> Answer:
        """A user's slash command and the bot's answer."""
        answer = await self.type_command(user, name, **options)
        return await asyncio.wait_for(answer, PATIENCE_SECONDS)

    async def launch(self, user: int, name: str) -> Answer:
        """A user's use of the command that opens the application, and the bot's answer."""
        command = _command(user, name, {})
        command["data"]["type"] = _ENTRY_POINT
        return await asyncio.wait_for(await self.interact(command), PATIENCE_SECONDS)


class Loopback:
    """Knows one token; remembers what it was asked, the application's commands, and messages.

    Attributes:
        guild_id: a server with one channel that the bot is in; None for no server at all.
        messages: what was posted to channels, oldest first.
        out_of_order: paths that are answered with nothing but a status of HTTP.
        before_posting: called with every message that arrives, before it is there.
        before_answering: called when it is there, before the bot is told.
        mishaps: what becomes of the next answers to interactions.
        shards: how many lines a bot is told to open from now on.
        lets_resume: whether a line that broke may be taken up again, or waits for that.
        lets_in_all: whether any line is let in, or all but the first wait for that.
    """

    def __init__(self, token: str) -> None:
        self.address = ""
        self.guild_id: int | None = None
        self.channel_permissions = EVERYTHING
        self.messages: list[dict[str, Any]] = []
        self.before_posting: Callable[[], Awaitable[None]] = _do_nothing
        self.before_answering: Callable[[], Awaitable[None]] = _do_nothing
        self.mishaps: list[Mishap] = []
        self._nonces: dict[tuple[str, str], dict[str, Any]] = {}
        self.requests: list[Request] = []
        self.commands: list[dict[str, Any]] = []
        self.seconds_to_arrive = 0.0
        self.out_of_order: dict[str, int] = {}
        self.lets_log_in = asyncio.Event()
        self.lets_log_in.set()
        self.shards = 2
        self.lets_resume = asyncio.Event()
        self.lets_resume.set()
        self.lets_in_all = asyncio.Event()
        self.lets_in_all.set()
        self._is_asked_to_log_in = asyncio.Event()
        self._token = token
        self._sessions: asyncio.Queue[Session] = asyncio.Queue()
        self._shards: dict[str, tuple[Session, int]] = {}
        self._arriving: Session | None = None
        self._answers: dict[str, asyncio.Future[Answer]] = {}
        self._clicked: dict[str, str] = {}
        self._acknowledged: set[str] = set()

    def app(self) -> web.Application:
        app = web.Application(middlewares=[self._check])
        commands = f"/api/applications/{APPLICATION}/commands"
        app.add_routes(
            [
                web.get("/gateway", self._gateway),
                web.get("/api/gateway/bot", self._get_gateway),
                web.get("/api/users/@me", self._get_user),
                web.get("/api/oauth2/applications/@me", self._get_application),
                web.get(commands, self._get_commands),
                web.put(commands, self._put_commands),
                web.post("/api/interactions/{id}/{token}/callback", self._post_answer),
                web.post("/api/webhooks/{id}/{token}", self._post_followup),
                web.patch("/api/webhooks/{id}/{token}/messages/@original", self._patch_original),
                web.patch("/api/channels/{channel}/messages/{id}", self._patch_message),
                web.get("/api/guilds/{guild}/members/{id}", self._get_member),
                web.post("/api/users/@me/channels", self._post_private_channel),
                web.post("/api/channels/{channel}/messages", self._post_message),
                web.get("/api/channels/{channel}/messages", self._get_messages),
            ]
        )
        return app

    @property
    def tokens(self) -> set[str]:
        """The tokens that were shown."""
        return {request.token for request in self.requests if request.token is not None}

    def asked(self, method: str, end_of_path: str) -> int:
        """How many times something was asked for."""
        return sum(
            request.method == method and request.path.endswith(end_of_path)
            for request in self.requests
        )

    def forget_nonces(self) -> None:
        """Let minutes have passed: Discord remembers nonces for a few."""
        self._nonces.clear()

    async def until_asked(self, method: str, end_of_path: str, times: int = 1) -> None:
        """Wait until something was asked for so many times."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while self.asked(method, end_of_path) < times:  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    async def until_asked_to_log_in(self) -> None:
        """Wait for the first login."""
        await asyncio.wait_for(self._is_asked_to_log_in.wait(), PATIENCE_SECONDS)

    async def next_session(self) -> Session:
        """The bot that has logged in since this was last asked."""
        return await asyncio.wait_for(self._sessions.get(), PATIENCE_SECONDS)

    @web.middleware
    async def _check(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        _, found, token = request.headers.get("Authorization", "").partition("Bot ")
        self.requests.append(Request(request.method, request.path, token if found else None))
        if found and token != self._token:
            return _json({"message": "401: Unauthorized", "code": 0}, status=401)
        if status := self.out_of_order.get(request.path):
            return web.Response(status=status)
        return await handler(request)

    async def _get_user(self, _: web.Request) -> web.Response:
        self._is_asked_to_log_in.set()
        await self.lets_log_in.wait()
        return _json(_BOT_USER)

    async def _get_application(self, _: web.Request) -> web.Response:
        return _json(
            {
                "id": str(APPLICATION),
                "name": "Codebreaker",
                "description": "",
                "icon": None,
                "bot_public": True,
                "bot_require_code_grant": False,
                "owner": _user(1),
                "verify_key": "",
                "flags": 0,
            }
        )

    async def _get_gateway(self, _: web.Request) -> web.Response:
        limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
        url = f"{self.address}/gateway"
        return _json({"url": url, "shards": self.shards, "session_start_limit": limit})

    async def _get_commands(self, request: web.Request) -> web.Response:
        if request.query.get("with_localizations") == "true":
            return _json(self.commands)
        return _json(
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
            return _json({"message": words, "code": 50240}, status=400)
        self.commands = [
            {
                "id": str(next(_numbers)),
                "application_id": str(APPLICATION),
                "version": "1",
                "description": "",  # those of menus have none
            }
            | command
            for command in commands
        ]
        return _json(self.commands)

    async def _post_answer(self, request: web.Request) -> web.Response:
        await asyncio.sleep(self.seconds_to_arrive)
        number, body = request.match_info["id"], await request.json()
        mishap = self.mishaps.pop(0) if self.mishaps else None
        if mishap is Mishap.TOO_LATE:
            return _json({"message": "Unknown interaction", "code": 10062}, status=404)
        if mishap is Mishap.LOST:
            return _hang_up(request)
        if number in self._acknowledged:
            words = "Interaction has already been acknowledged."
            return _json({"message": words, "code": 40060}, status=400)
        self._acknowledged.add(number)
        answer = Answer(body["type"], body.get("data", {}))
        message = _message("1", answer.data)
        if answer.type == _UPDATE:
            self._edit(self._clicked[number], answer.data)
        elif answer.type == _MESSAGE and not answer.data.get("flags", 0) & _EPHEMERAL:
            self.messages.append(message)
        if answer.type != _LATER:  # else what the user sees is still to come
            self._answers.pop(number).set_result(answer)
        if mishap is Mishap.SHOWN:
            return _hang_up(request)
        return _json(_receipt(number, answer, message))

    def _edit(self, number: str, body: dict[str, Any]) -> dict[str, Any]:
        """A message after an edit; those that only one user sees are not kept."""
        found = [message for message in self.messages if message["id"] == number]
        message = found[0] if found else _message("1", body)
        message["components"] = body["components"]
        return message

    async def _patch_message(self, request: web.Request) -> web.Response:
        return _json(self._edit(request.match_info["id"], await request.json()))

    async def _patch_original(self, request: web.Request) -> web.Response:
        number, body = request.match_info["token"].removeprefix("token-"), await request.json()
        self._answer_late(number, Answer(_UPDATE, body))
        return _json(self._edit(self._clicked[number], body))

    async def _post_followup(self, request: web.Request) -> web.Response:
        body = await request.json()
        number = request.match_info["token"].removeprefix("token-")
        self._answer_late(number, Answer(_MESSAGE, body))
        return _json(_message("1", body))

    def _answer_late(self, number: str, answer: Answer) -> None:
        if late := self._answers.pop(number, None):
            late.set_result(answer)

    async def _get_member(self, request: web.Request) -> web.Response:
        return _json(member(int(request.match_info["id"])))

    async def _post_private_channel(self, request: web.Request) -> web.Response:
        user = int((await request.json())["recipient_id"])
        channel = {"id": str(user + 1), "type": 1, "last_message_id": None}
        return _json(channel | {"recipients": [_user(user)]})

    async def _post_message(self, request: web.Request) -> web.Response:
        channel, body = request.match_info["channel"], await request.json()
        await self.before_posting()
        message = self._nonces.get((channel, body.get("nonce", "")))
        if message is None or not body.get("enforce_nonce"):
            message = _message(channel, body)
            self.messages.append(message)
            self._nonces[channel, body.get("nonce", "")] = message
        await self.before_answering()
        return _json(message)

    async def _get_messages(self, request: web.Request) -> web.Response:
        after = int(request.query.get("after", "0"))
        channel, limit = request.match_info["channel"], int(request.query.get("limit", "50"))
        found = [
            message
            for message in self.messages
            if message["channel_id"] == channel and int(message["id"]) > after
        ]
        return _json(found[:limit][::-1])

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        assert request.transport is not None
        line = Line(socket, request.transport)
        await line.send(_HELLO, {"heartbeat_interval": 40_000})
        async for message in socket:
            said = json.loads(message.data)
            if said["op"] == _HEARTBEAT:
                await line.heartbeat()
            elif said["op"] == _IDENTIFY:
                if said["d"]["token"] != self._token:
                    await socket.close(code=_UNKNOWN_TOKEN)
                    break
                await self._let_in(line, *said["d"]["shard"])
            elif said["op"] == _RESUME:
                await self.lets_resume.wait()
                session, shard = self._shards[said["d"]["session_id"]]
                session.lines[shard] = line
                await line.dispatch("RESUMED", {})
        return socket

    async def _let_in(self, line: Line, shard: int, shards: int) -> None:
        """Let a line in; a bot whose lines are all there has logged in."""
        if shard:
            await self.lets_in_all.wait()
        session = self._arriving or Session(shards, self._answers, self._clicked)
        session.lines[shard] = line
        self._arriving = session if len(session.lines) < shards else None
        number = str(next(_numbers))
        self._shards[number] = session, shard
        guild_id = self.guild_id
        has_guild = guild_id is not None and (guild_id >> 22) % shards == shard
        ready: dict[str, Any] = {
            "v": 10,
            "user": _BOT_USER,
            "guilds": [{"id": str(guild_id), "unavailable": True}] if has_guild else [],
            "session_id": number,
            "resume_gateway_url": f"{self.address}/gateway",
            "shard": [shard, shards],
            "application": {"id": str(APPLICATION), "flags": 0},
        }
        await line.dispatch("READY", ready)
        if guild_id is not None and has_guild:
            await line.dispatch("GUILD_CREATE", self._guild(guild_id))
        if self._arriving is None:
            self._sessions.put_nowait(session)

    def _guild(self, guild_id: int) -> dict[str, Any]:
        everyone = {
            "id": str(guild_id),
            "name": "@everyone",
            "permissions": self.channel_permissions,
            "position": 0,
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "managed": False,
            "mentionable": False,
            "flags": 0,
        }
        channel: dict[str, Any] = {
            "id": str(guild_id + 1),
            "type": 0,
            "name": "daily",
            "position": 0,
            "permission_overwrites": [],
            "nsfw": False,
        }
        me: dict[str, Any] = {
            "user": _BOT_USER,
            "roles": [],
            "joined_at": "2026-01-01T00:00:00+00:00",
        }
        return {
            "id": str(guild_id),
            "name": "Puzzle Club",
            "owner_id": "1",
            "roles": [everyone],
            "emojis": [],
            "features": [],
            "channels": [channel],
            "threads": [],
            "members": [me | {"deaf": False, "mute": False, "flags": 0}],
            "member_count": 2,
            "presences": [],
            "voice_states": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "preferred_locale": "en-US",
            "afk_timeout": 300,
            "verification_level": 0,
            "default_message_notifications": 1,
            "explicit_content_filter": 0,
            "mfa_level": 0,
            "nsfw_level": 0,
            "premium_tier": 0,
            "system_channel_flags": 0,
            "premium_progress_bar_enabled": False,
        }


@asynccontextmanager
async def open_loopback(token: str) -> AsyncGenerator[Loopback]:
    """A Discord that knows this token."""
    loopback = Loopback(token)
    # What a bot hangs up on while it is still arriving has not arrived.
    runner = web.AppRunner(
        loopback.app(), access_log=None, shutdown_timeout=1, handler_cancellation=True
    )
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        host, port = runner.addresses[0]
        loopback.address = f"http://{host}:{port}"
        yield loopback
    finally:
        await runner.cleanup()


_numbers = count(700_000_000_000_000_001)


async def _do_nothing() -> None:
    pass


def _message(channel: str, body: dict[str, Any]) -> dict[str, Any]:
    """A message as Discord stores it; its id tells when."""
    milliseconds = int(time.time() * 1000) - _EPOCH_MILLISECONDS
    return {
        "id": str((milliseconds << 22) + next(_numbers) % 2**22),
        "channel_id": channel,
        "author": _BOT_USER,
        "content": body.get("content", ""),
        "nonce": body.get("nonce"),
        "timestamp": "2026-11-20T12:00:00+00:00",
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "pinned": False,
        "type": 0,
        "flags": body.get("flags", 0),
        "components": body.get("components", []),
    }


def _hang_up(request: web.Request) -> web.Response:
    """Break the line instead of an answer."""
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


def _json(data: Any, *, status: int = 200) -> web.Response:
    # With `text`, aiohttp would name a charset; discord.py takes such an answer for a string.
    body = json.dumps(data).encode()
    return web.Response(body=body, status=status, content_type="application/json")


def member(number: int) -> dict[str, Any]:
    """A user as a member of the server."""
    return {
        "user": _user(number),
        "nick": None,
        "roles": [],
        "joined_at": "2026-01-01T00:00:00+00:00",
        "deaf": False,
        "mute": False,
        "flags": 0,
        "permissions": EVERYTHING,
    }


def _user(number: int) -> dict[str, Any]:
    return {
        "id": str(number),
        "username": f"player{number}",
        "discriminator": "0",
        "global_name": None,
        "avatar": None,
    }


def _command(user: int, name: str, options: dict[str, str]) -> dict[str, Any]:
    channel = str(user + 1)
    return {
        "type": _COMMAND,
        "version": 1,
        "data": {
            "id": "1",
            "name": name,
            "type": 1,
            "options": [
                {"name": option, "type": _STRING, "value": value}
                for option, value in options.items()
            ],
        },
        "channel_id": channel,
        "channel": {"id": channel, "type": 1, "last_message_id": None, "recipients": [_user(user)]},
        "user": _user(user),
        "locale": "en-US",
        "entitlements": [],
        "authorizing_integration_owners": {},
        "context": 1,
        "attachment_size_limit": 10_485_760,
        "app_permissions": "0",
    }


def _receipt(number: str, answer: Answer, message: dict[str, Any]) -> dict[str, Any]:
    interaction: dict[str, Any] = {
        "id": number,
        "type": _COMMAND,
        "response_message_id": message["id"],
    }
    return {"interaction": interaction, "resource": {"type": answer.type, "message": message}}


def _texts(part: dict[str, Any]) -> Iterator[str]:
    if content := part.get("content"):
        yield content
    for component in part.get("components", []):
        yield from _texts(component)
