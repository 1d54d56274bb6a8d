"""Requests that all processes share come one after the other; answers to players wait for none."""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic

import aiohttp
import pytest
from aiohttp import web

from bot.outages import ShardRange
from cogs.ui.schedule import paced
from tests.support.discord_stand_in import StandIn, listening

pytestmark = pytest.mark.long(only=True)


class Counting(StandIn):
    """A Discord that knows when what was asked for, and has none of it."""

    def __init__(self) -> None:
        super().__init__("")
        self.asked_at: list[tuple[str, float]] = []

    @web.middleware
    async def receive(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        self.asked_at.append((request.path.split("/")[2], monotonic()))
        return web.Response()


async def test_each_process_stays_within_its_share_of_discords_request_limit() -> None:
    async with (
        listening(Counting()) as discord,
        aiohttp.ClientSession(trace_configs=[paced(ShardRange(0, 0, 9))]) as session,
    ):

        async def ask(path: str) -> None:
            async with session.get(f"{discord.address}/api/{path}"):
                pass

        await asyncio.gather(*(ask("channels/1/messages") for _ in range(3)), ask("webhooks/1/a"))
        posts = [at for kind, at in discord.asked_at if kind == "channels"]
        # A ninth of 45 a second; what is on its way for longer comes closer to the next.
        assert posts[2] - posts[0] > 1.5 / 5
        assert [kind for kind, _ in discord.asked_at].index("webhooks") < 2
