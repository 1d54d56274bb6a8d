"""The stand-in for Discord as tests need it: it stumbles, keeps waiting, and can be waited for."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from email.utils import format_datetime
from enum import Enum
from typing import Final

from aiohttp import web

from bot.clock import SystemClock
from tests.support.discord_stand_in import StandIn, is_public, listening, too_late
from tests.support.payloads import COMMAND, command, interaction, privately, read_body
from tests.support.sessions import Answer, Line, Session
from tests.support.waiting import until

_ENTRY_POINT: Final = 4  # a kind of command


class Mishap(Enum):
    """What can become of an answer to an interaction, other than that it is shown."""

    LOST = "the line breaks before it has arrived"
    SHOWN = "the line breaks when it has arrived"
    TOO_LATE = "nobody waits for it any more"


class Loopback(StandIn):
    """A Discord that does what a test wants.

    Attributes:
        out_of_order: paths that are answered with nothing but a status of HTTP.
        seconds_ahead: by how much its clock, as it tells in answers, is ahead of this machine's.
        before_posting: called with every public message that arrives, before it is there.
        before_answering: called when it is there, before the bot is told.
        mishaps: what becomes of the next answers to interactions.
        seconds_to_arrive: how long an answer to an interaction is under way.
        lets_log_in: whether a bot may log in, or waits for that.
        lets_resume: whether a line that broke may be taken up again, or waits for that.
        lets_in_all: whether any line is let in, or all but the first wait for that.
        hears_beats: whether heartbeats are answered, or wait for that.
        beats: how many were answered.
    """

    def __init__(self, token: str) -> None:
        super().__init__(token)
        self.out_of_order: dict[str, int] = {}
        self.seconds_ahead = 0
        self.before_posting: Callable[[], Awaitable[None]] = _do_nothing
        self.before_answering: Callable[[], Awaitable[None]] = _do_nothing
        self.mishaps: list[Mishap] = []
        self.seconds_to_arrive = 0.0
        self.lets_log_in = _open_gate()
        self.lets_resume = _open_gate()
        self.lets_in_all = _open_gate()
        self.hears_beats = _open_gate()
        self.beats = 0
        self._is_asked_to_log_in = asyncio.Event()

    async def until_asked(self, method: str, end_of_path: str, times: int = 1) -> None:
        """Wait until something was asked for so many times."""
        await until(lambda: self.asked(method, end_of_path) >= times)

    async def until_asked_to_log_in(self) -> None:
        """Wait for the first login."""
        await self._is_asked_to_log_in.wait()

    @web.middleware
    async def receive(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        status = self.out_of_order.get(request.path)

        async def fail(_: web.Request) -> web.StreamResponse:
            return web.Response(status=status or 500)

        answer = await super().receive(request, fail if status else handler)
        if self.seconds_ahead:
            now = SystemClock(timedelta(seconds=self.seconds_ahead)).now()
            answer.headers["Date"] = format_datetime(now, usegmt=True)
        return answer

    async def get_user(self, request: web.Request) -> web.Response:
        self._is_asked_to_log_in.set()
        await self.lets_log_in.wait()
        return await super().get_user(request)

    async def post_answer(self, request: web.Request) -> web.Response:
        await request.read()
        await asyncio.sleep(self.seconds_to_arrive)
        mishap = self.mishaps.pop(0) if self.mishaps else None
        if mishap is Mishap.TOO_LATE:
            return too_late()
        if mishap is Mishap.LOST:
            return _hang_up(request)
        if is_post := is_public(read_body(await request.read(), request.content_type)):
            await self.before_posting()
        answer = await super().post_answer(request)
        if is_post:
            await self.before_answering()
        return _hang_up(request) if mishap is Mishap.SHOWN else answer

    async def post_message(self, request: web.Request) -> web.Response:
        await request.read()
        await self.before_posting()
        answer = await super().post_message(request)
        await self.before_answering()
        return answer

    async def resume(self, line: Line, number: str) -> None:
        await self.lets_resume.wait()
        await super().resume(line, number)

    async def hear_beat(self, line: Line) -> None:
        await self.hears_beats.wait()
        self.beats += 1
        await super().hear_beat(line)

    async def let_in(self, line: Line, shard: int, shards: int) -> None:
        if shard:
            await self.lets_in_all.wait()
        await super().let_in(line, shard, shards)


@asynccontextmanager
async def open_loopback(token: str) -> AsyncGenerator[Loopback]:
    """A Discord that knows this token."""
    async with listening(Loopback(token)) as loopback:
        yield loopback


async def launch(session: Session, user: int, name: str) -> Answer:
    """A user's use of the command that opens the application, and the bot's answer."""
    data = command(name, {}) | {"type": _ENTRY_POINT}
    answer = await session.interact(interaction(COMMAND, data, privately(user), None))
    return await answer


async def _do_nothing() -> None:
    pass


def _open_gate() -> asyncio.Event:
    gate = asyncio.Event()
    gate.set()
    return gate


def _hang_up(request: web.Request) -> web.Response:
    """Break the line instead of an answer."""
    assert request.transport is not None
    request.transport.abort()
    return web.Response()
