"""Discord as an Activity meets it: the window around the page, and three endpoints.

It stands in for Discord in the playground and in tests, and knows neither the bot nor SimCord.
"""

import json
import re
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from aiohttp import web

_FILES: Final = Path(__file__).parent
_WINDOW: Final = {"/": "window.html", "/window.js": "window.js"}
_GOODBYE_SECONDS: Final = 0.2
_API: Final = r"/api{version:(?:/v\d+)?}"


@dataclass(frozen=True, slots=True)
class User:
    id: int
    username: str
    global_name: str

    def payload(self) -> dict[str, Any]:
        return {
            "id": str(self.id),
            "username": self.username,
            "global_name": self.global_name,
            "discriminator": "0",
            "avatar": None,
            "flags": 0,
            "public_flags": 0,
            "bot": False,
        }


@dataclass(slots=True)
class Instance:
    """An Activity that runs in a channel of a server, or in direct messages.

    Attributes:
        users: the ids of those who are in it.
        missing: how many of the next requests for it are answered with 404.
        as_objects: whether answers have users as objects, not as ids.
    """

    users: Sequence[int]
    channel_id: int
    guild_id: int | None = None
    missing: int = 0
    as_objects: bool = False

    def location(self) -> dict[str, str]:
        if self.guild_id is None:
            channel = str(self.channel_id)
            return {"id": f"pc-{channel}", "kind": "pc", "channel_id": channel}
        server, channel = str(self.guild_id), str(self.channel_id)
        where = {"channel_id": channel, "guild_id": server}
        return {"id": f"gc-{server}-{channel}", "kind": "gc"} | where


class DiscordStub:
    """Discord's side of an application's Activity.

    Attributes:
        codes: the users by OAuth code; a code may be followed by a dot and a unique ending.
        instances: the Activities that run, by id.
        page: the address that the window shows.
        asked: the kind of each request so far: the first word of its path below the API's version,
            such as `users`; empty for other paths.
        overloaded: the kinds of requests that are answered with 429.
    """

    def __init__(self, application_id: int, secret: str, bot_token: str) -> None:
        self._application_id = application_id
        self._secret = secret
        self._bot_token = bot_token
        self._spent = set[str]()
        self._tokens: dict[str, User] = {}
        self.codes: dict[str, User] = {}
        self.instances: dict[str, Instance] = {}
        self.page = ""
        self.asked: list[str] = []
        self.overloaded = set[str]()

    def runs(self, users: Iterable[User], channel_id: int, guild_id: int | None = None) -> str:
        """Start an Activity, and return its id."""
        instance = Instance([user.id for user in users], channel_id, guild_id)
        name = f"i-{len(self.instances) + 1}-{instance.location()['id']}"
        self.instances[name] = instance
        return name

    def app(self) -> web.Application:
        app = web.Application(middlewares=[self._limited])
        for path in _WINDOW:
            app.router.add_get(path, self._file)
        app.router.add_get("/world.json", self._world)
        app.router.add_post(f"{_API}/oauth2/token", self._exchange)
        app.router.add_get(f"{_API}/users/@me", self._who)
        path = f"{_API}/applications/{{application}}/activity-instances/{{instance}}"
        app.router.add_get(path, self._instance)
        return app

    @web.middleware
    async def _limited(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        kind = re.sub(r"^/api/v\d+/|/.*", "", request.path)
        self.asked.append(kind)
        if kind not in self.overloaded:
            return await handler(request)
        return web.Response(status=HTTPStatus.TOO_MANY_REQUESTS, headers={"Retry-After": "30"})

    async def _file(self, request: web.Request) -> web.StreamResponse:
        return web.FileResponse(_FILES / _WINDOW[request.path], headers=_UNKEPT)

    async def _world(self, _: web.Request) -> web.Response:
        """Describe the world to the window: the page, the users, and the Activities that run."""
        places = [
            {"instance_id": name, "users": [str(user) for user in each.users], **each.location()}
            for name, each in self.instances.items()
        ]
        people = [{"code": code, **user.payload()} for code, user in self.codes.items()]
        world = {"client_id": str(self._application_id), "page": self.page}
        return _answer({**world, "people": people, "places": places})

    async def _exchange(self, request: web.Request) -> web.Response:
        form = await request.post()
        if (form.get("client_id"), form.get("client_secret")) != (
            str(self._application_id),
            self._secret,
        ):
            return _answer({"error": "invalid_client"}, HTTPStatus.UNAUTHORIZED)
        if form.get("grant_type") != "authorization_code" or "redirect_uri" in form:
            return _answer({"error": "invalid_request"}, HTTPStatus.BAD_REQUEST)
        code = str(form.get("code", ""))
        user = self.codes.get(code.partition(".")[0])
        if user is None or code in self._spent:
            return _answer({"error": "invalid_grant"}, HTTPStatus.BAD_REQUEST)
        self._spent.add(code)
        token = secrets.token_urlsafe(24)
        self._tokens[token] = user
        granted = {"token_type": "Bearer", "scope": "identify", "expires_in": 604_800}
        return _answer(
            {"access_token": token, "refresh_token": secrets.token_urlsafe(24)} | granted
        )

    async def _who(self, request: web.Request) -> web.Response:
        kind, _, token = request.headers.get("Authorization", "").partition(" ")
        user = self._tokens.get(token)
        if kind != "Bearer" or user is None:
            return _refuse(HTTPStatus.UNAUTHORIZED)
        return _answer(user.payload())

    async def _instance(self, request: web.Request) -> web.Response:
        if request.headers.get("Authorization") != f"Bot {self._bot_token}":
            return _refuse(HTTPStatus.UNAUTHORIZED)
        name = request.match_info["instance"]
        found = self.instances.get(name)
        if found is None or request.match_info["application"] != str(self._application_id):
            return _refuse(HTTPStatus.NOT_FOUND)
        if found.missing:
            found.missing -= 1
            return _refuse(HTTPStatus.NOT_FOUND)
        known = {user.id: user.payload() for user in self.codes.values()}
        ids = [str(each) for each in found.users]
        users = [known[each] for each in found.users] if found.as_objects else ids
        about = {"application_id": str(self._application_id), "launch_id": "1"}
        return _answer({"instance_id": name, **about, "location": found.location(), "users": users})


@asynccontextmanager
async def listening(app: web.Application, port: int = 0) -> AsyncGenerator[str]:
    """Serve an application at a port of this machine, 0 for any; yield its address."""
    runner = web.AppRunner(app, shutdown_timeout=_GOODBYE_SECONDS)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", port).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


_UNKEPT: Final = {"Cache-Control": "no-store"}


def _answer(data: dict[str, Any], status: HTTPStatus = HTTPStatus.OK) -> web.Response:
    return web.json_response(text=json.dumps(data), status=status, headers=_UNKEPT)


def _refuse(status: HTTPStatus) -> web.Response:
    return _answer({"message": f"{status.value}: {status.phrase}", "code": 0}, status)
