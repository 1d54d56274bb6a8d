"""A server of avatars in place of Discord's, and an album that asks it."""

import asyncio
import io
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web
from aiohttp.test_utils import TestServer
from PIL import Image

from bot.people.album import Album
from bot.text.pictures.boards import AVATAR

ENDLESS = 600.0
"""Seconds that no test waits for."""

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


def png(colour: str = "red", size: int = AVATAR, mode: str = "RGB") -> bytes:
    file = io.BytesIO()
    Image.new(mode, (size, size), colour).save(file, "PNG")
    return file.getvalue()


@dataclass
class Cdn:
    """A server in place of Discord's.

    Attributes:
        asked: how often for each path.
        answers: by player, what they get; a red picture if nothing is said.
        knocked: set when somebody is at the gate.
        gate: opens it.
    """

    asked: Counter[str] = field(default_factory=Counter[str])
    answers: dict[int, Answer] = field(default_factory=dict[int, Answer])
    knocked: asyncio.Event = field(default_factory=asyncio.Event)
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked[request.path_qs] += 1
        player = int(request.match_info["player"])
        if player in self.answers:
            return await self.answers[player](request)
        picture = web.Response(body=png())
        picture.force_close()  # SimCord would wait for the timer that ends a kept connection
        return picture

    async def wait(self, _request: web.Request) -> web.StreamResponse:
        """Answer when the gate opens."""
        self.knocked.set()
        await self.gate.wait()
        return web.Response(body=png())


@asynccontextmanager
async def opened(cdn: Cdn, seconds: float = ENDLESS) -> AsyncGenerator[Album]:
    app = web.Application()
    app.router.add_get("/avatars/{player}/{file}", cdn.answer)
    server = TestServer(app)
    await server.start_server()
    album = Album(str(server.make_url("")).rstrip("/"), seconds=seconds)
    try:
        yield album
    finally:
        cdn.gate.set()
        await album.close()
        await server.close()
