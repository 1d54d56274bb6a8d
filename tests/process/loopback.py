"""A Discord on 127.0.0.1, as much of it as the bot uses: login, commands, interactions."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any, Final

from aiohttp import web

APPLICATION: Final = 600_000_000_000_000_001
PATIENCE_SECONDS: Final = 10.0

_DISPATCH, _HEARTBEAT, _IDENTIFY, _HELLO, _HEARTBEAT_ACK = 0, 1, 2, 10, 11
_COMMAND, _STRING = 2, 3
_UNKNOWN_TOKEN: Final = 4004
_BOT_USER: Final = {
    "id": str(APPLICATION),
    "username": "Codebreaker",
    "discriminator": "0000",
    "avatar": None,
    "bot": True,
}


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


class Session:
    """One connection of a bot to the gateway."""

    def __init__(
        self, socket: web.WebSocketResponse, answers: dict[str, asyncio.Future[Answer]]
    ) -> None:
        self._socket = socket
        self._answers = answers
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

    async def type_command(self, user: int, name: str, **options: str) -> asyncio.Future[Answer]:
        """A user's slash command in a private channel; the answer comes when it comes."""
        number = str(next(_numbers))
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        await self.dispatch("INTERACTION_CREATE", _command(number, user, name, options))
        return answer

    async def command(self, user: int, name: str, **options: str) -> Answer:
        """A user's slash command and the bot's answer."""
        answer = await self.type_command(user, name, **options)
        return await asyncio.wait_for(answer, PATIENCE_SECONDS)


class Loopback:
    """Knows one token; remembers what it was asked and the application's commands."""

    def __init__(self, token: str) -> None:
        self.address = ""
        self.requests: list[Request] = []
        self.commands: list[dict[str, Any]] = []
        self.seconds_to_arrive = 0.0
        self.lets_log_in = asyncio.Event()
        self.lets_log_in.set()
        self._is_asked_to_log_in = asyncio.Event()
        self._token = token
        self._sessions: asyncio.Queue[Session] = asyncio.Queue()
        self._answers: dict[str, asyncio.Future[Answer]] = {}

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
        return _json({"url": f"{self.address}/gateway", "shards": 1, "session_start_limit": limit})

    async def _get_commands(self, _: web.Request) -> web.Response:
        return _json(self.commands)

    async def _put_commands(self, request: web.Request) -> web.Response:
        self.commands = [
            {"id": str(next(_numbers)), "application_id": str(APPLICATION), "version": "1"}
            | command
            for command in await request.json()
        ]
        return _json(self.commands)

    async def _post_answer(self, request: web.Request) -> web.Response:
        await asyncio.sleep(self.seconds_to_arrive)
        number, body = request.match_info["id"], await request.json()
        answer = Answer(body["type"], body.get("data", {}))
        self._answers.pop(number).set_result(answer)
        return _json(_receipt(number, answer))

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        session = Session(socket, self._answers)
        await session.send(_HELLO, {"heartbeat_interval": 40_000})
        async for message in socket:
            said = json.loads(message.data)
            if said["op"] == _HEARTBEAT:
                await session.heartbeat()
            elif said["op"] == _IDENTIFY:
                if said["d"]["token"] != self._token:
                    await socket.close(code=_UNKNOWN_TOKEN)
                    break
                await session.dispatch("READY", self._ready(said["d"]["shard"]))
                self._sessions.put_nowait(session)
        return socket

    def _ready(self, shard: list[int]) -> dict[str, Any]:
        return {
            "v": 10,
            "user": _BOT_USER,
            "guilds": [],
            "session_id": "1",
            "resume_gateway_url": f"{self.address}/gateway",
            "shard": shard,
            "application": {"id": str(APPLICATION), "flags": 0},
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


def _json(data: Any, *, status: int = 200) -> web.Response:
    # With `text`, aiohttp would name a charset; discord.py takes such an answer for a string.
    body = json.dumps(data).encode()
    return web.Response(body=body, status=status, content_type="application/json")


def _user(number: int) -> dict[str, Any]:
    return {
        "id": str(number),
        "username": f"player{number}",
        "discriminator": "0",
        "global_name": None,
        "avatar": None,
    }


def _command(number: str, user: int, name: str, options: dict[str, str]) -> dict[str, Any]:
    channel = str(user + 1)
    return {
        "id": number,
        "application_id": str(APPLICATION),
        "type": _COMMAND,
        "token": f"token-{number}",
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


def _receipt(number: str, answer: Answer) -> dict[str, Any]:
    message: dict[str, Any] = {
        "id": str(next(_numbers)),
        "channel_id": "1",
        "author": _BOT_USER,
        "content": "",
        "timestamp": "2026-11-20T12:00:00+00:00",
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "pinned": False,
        "type": 20,
        "flags": answer.data.get("flags", 0),
        "components": answer.data.get("components", []),
    }
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
