"""How a process of the bot is, for programs that look after it: whether it is ready, and figures.

It answers `/healthz`, `/readyz` and `/metrics` at `HEALTH_ADDRESS`. Where a host has not set that,
neither this nor what it needs is loaded.
"""

import asyncio
import errno
import json
import logging
import os
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from http import HTTPStatus
from time import monotonic
from typing import Final, Generic, NamedTuple, TypeVar, cast

from aiohttp import web

from bot.address import Address, CannotListenError
from bot.app import CodebreakerBot
from bot.clock import wait_only
from bot.database_health import Stored
from bot.errors import ClosingError
from bot.failures import Failures
from bot.hosting.figures import CONTENT_TYPE, Figures, Level
from bot.services import Services

log = logging.getLogger(__name__)

T = TypeVar("T")
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_WRITTEN_SECONDS: Final = 2.0
"""How long it may take until a write is committed."""
_WAITED_SECONDS: Final = 1.75
"""How much of that it may wait for others."""
_PATIENCE_SECONDS: Final = 2.5
"""How long whoever asks may wait for the database."""

_BETWEEN_WRITES: Final = 3.0
_BETWEEN_LOOKS: Final = 10.0
_BETWEEN_TEXTS: Final = 1.0
_FRESH_SECONDS: Final = 60.0
"""How long something tells how things are, where nothing newer is known."""
# Each tenth of a second it is looked how late the loop is, each second who is heard.
_TICK_SECONDS: Final = 0.1
_TICKS: Final = 10

_GOODBYE_SECONDS: Final = 0.2


class Limits(NamedTuple):
    """What keeps those who ask from taking what players need.

    Attributes:
        connections: how many are held. Where there are more, the one goes that has been silent
            for longest: a check is answered though somebody opens all of them and says nothing.
        request_seconds: how long a connection may take until its one request is here.
        answer_seconds: how long its answer may take, and be taken.
        a_second: how many requests are answered; a check and two scrapes at once are three.
        delay: seconds that the others are kept waiting, so that they do not come back at once.
    """

    connections: int = 64
    request_seconds: float = 5.0
    answer_seconds: float = 10.0
    a_second: int = 20
    delay: float = 1.0


_LIMITS: Final = Limits()


@asynccontextmanager
async def opened(address: Address) -> AsyncGenerator["Health"]:
    """Answer at an address how this process is, until the block ends.

    Raises:
        CannotListenError: nobody can be answered there.
    """
    health = Health()
    async with listening(address, health) as there:
        log.info("health and figures at http://%s", there)
        try:
            yield health
        finally:
            await health.close()


class Health:
    """Knows how this process is, from before its database is open.

    Attributes:
        gauges: count what is measured.
    """

    def __init__(self) -> None:
        self.gauges = Figures()
        self._watch: _Watch | None = None
        self._text = Cached(self._write_text, _BETWEEN_TEXTS)

    def watch(self, services: Services, bot: CodebreakerBot) -> None:
        """Begin to look after a bot that begins now."""
        services.measure(self.gauges)
        self._watch = _Watch(self.gauges, services, bot)

    async def missing(self) -> list[str]:
        """What keeps it from being ready, in a word or two each; nothing if it is."""
        return ["start"] if self._watch is None else await self._watch.missing()

    async def expose(self) -> bytes | None:
        """All figures as text; None if there are none now."""
        return await self._text.get(2 * _PATIENCE_SECONDS)

    async def close(self) -> None:
        """Look after nothing any more."""
        await self._text.close()
        if self._watch is not None:
            await self._watch.close()

    async def _write_text(self) -> bytes:
        if self._watch is not None:
            self.gauges.levels = await self._watch.levels()
        return await asyncio.to_thread(self.gauges.expose)


class _Watch:
    """Looks after a bot."""

    def __init__(self, figures: Figures, services: Services, bot: CodebreakerBot) -> None:
        self._figures = figures
        self._services = services
        self._bot = bot
        self._failures = Failures(log)
        self._written = Cached(self._write, _BETWEEN_WRITES)
        self._seen = Cached(self._look, _BETWEEN_LOOKS)
        self._ticking = asyncio.create_task(self._tick(), name="health")

    async def missing(self) -> list[str]:
        """What keeps it from being ready."""
        missing = [f"shard {number}" for number in self._bot.hearing.silent()]
        if not await self._written.get(_PATIENCE_SECONDS):
            missing.append("write")
        return missing

    async def levels(self) -> dict[str, Level]:
        """What there is now, as far as it is known."""
        is_ready = not await self.missing()
        stored, made_at = await self._seen.get(_PATIENCE_SECONDS) or (None, None)
        hearing, services = self._bot.hearing, self._services
        silent = hearing.silent()
        return {
            "ready": is_ready,
            "shard_heard": {str(number): number not in silent for number in hearing.numbers},
            "shard_latency_seconds": {str(of): late for of, late in hearing.latencies.items()},
            "coach_queue": {of.name.lower(): many for of, many in services.coach.waiting.items()},
            "chart_queue": services.pool.waiting,
            "posts_late": stored and stored.late_posts,
            "database_bytes": stored and stored.size,
            "last_backup_timestamp_seconds": made_at and made_at.timestamp(),
        }

    async def close(self) -> None:
        """Look after it no more."""
        await self._written.close()
        await self._seen.close()
        self._ticking.cancel()
        with suppress(asyncio.CancelledError):
            await self._ticking

    async def _tick(self) -> None:
        while True:
            for _ in range(_TICKS):
                due = monotonic() + _TICK_SECONDS
                await asyncio.sleep(_TICK_SECONDS)
                self._figures.delayed(max(0.0, monotonic() - due))
            with self._failures.telling("health: a look at who is heard and answered"):
                self._bot.hearing.look()
                if self._bot.timing is not None:
                    self._bot.timing.look()

    async def _write(self) -> bool:
        """Whether a write is committed in time."""
        is_written, until = False, monotonic() + _WAITED_SECONDS
        wait_only(lambda: until - monotonic())
        with suppress(ClosingError), self._failures.telling("health: a write of its own"):
            async with asyncio.timeout(_WRITTEN_SECONDS):
                await self._services.health.write()
            is_written = True
        return is_written

    async def _look(self) -> tuple[Stored | None, datetime | None]:
        """What the database tells, and of when the newest backup is; None for what is not known."""
        stored = made_at = None
        with self._failures.telling("health: a look at the backups"):
            made_at = await self._services.health.backed_up_at()
        with suppress(ClosingError), self._failures.telling("health: a look at the database"):
            stored = await self._services.health.look()
        return stored, made_at


class Cached(Generic[T]):
    """Finds something out, once for all who ask within some seconds.

    Args:
        find: finds it out; it raises nothing but what is nobody's to mend.
        rest: how many seconds what was found is given to who asks.
        now: seconds of some clock.
    """

    def __init__(
        self, find: Callable[[], Awaitable[T]], rest: float, now: Callable[[], float] = monotonic
    ) -> None:
        self._find = find
        self._rest = rest
        self._now = now
        self._finding: asyncio.Task[None] | None = None
        self._found: tuple[float, T] | None = None

    async def get(self, patience: float) -> T | None:
        """What was found last; None if that is too long ago, or nothing was ever.

        Args:
            patience: how many seconds to wait for something newer.
        """
        if self._finding is None and self._age >= self._rest:
            self._finding = asyncio.create_task(self._refresh())
        if self._finding is not None:
            await asyncio.wait({self._finding}, timeout=patience)
        return self._found[1] if self._found and self._age < _FRESH_SECONDS else None

    async def close(self) -> None:
        """Find nothing out any more."""
        if self._finding is not None:
            self._finding.cancel()
            with suppress(asyncio.CancelledError):
                await self._finding

    @property
    def _age(self) -> float:
        return float("inf") if self._found is None else self._now() - self._found[0]

    async def _refresh(self) -> None:
        try:
            found = await self._find()
            self._found = self._now(), found
        finally:
            self._finding = None


@asynccontextmanager
async def listening(
    address: Address, health: Health, limits: Limits = _LIMITS
) -> AsyncGenerator[Address]:
    """Answer at an address until the block ends; gives the address, with the port it has.

    Raises:
        CannotListenError: nobody can be answered there.
    """
    accepting = _Accepting(limits)
    runner = web.AppRunner(
        _Answers(health, accepting, limits).app(),
        access_log=None,
        shutdown_timeout=_GOODBYE_SECONDS,
        handler_cancellation=True,
    )
    await runner.setup()
    accepting.http = runner.server
    server: asyncio.Server | None = None
    try:
        try:
            server = await asyncio.get_running_loop().create_server(
                lambda: accepting, address.host, address.port, backlog=limits.connections
            )
        except OSError as error:
            may_pass = error.errno == errno.EADDRINUSE
            raise CannotListenError(address, _why(error), may_pass=may_pass) from error
        yield address._replace(port=server.sockets[0].getsockname()[1])
    finally:
        if server is not None:
            server.close()
        await runner.cleanup()


def _why(error: OSError) -> str:
    """Why nobody can listen, in the words of the system."""
    is_numbered = error.errno is not None and error.errno > 0  # those of names are not
    return (os.strerror(error.errno or 0) if is_numbered else error.strerror or "").lower()


class _Accepting(asyncio.Protocol):
    """Hands new connections to aiohttp, and ends those that exceed limits.

    Attributes:
        http: aiohttp's server.
    """

    http: web.Server | None = None

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._silent: dict[asyncio.Transport, asyncio.TimerHandle] = {}  # the oldest first
        self._asking: dict[asyncio.Transport, asyncio.TimerHandle] = {}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Hold a connection, unless as many are being answered."""
        new = cast("asyncio.Transport", transport)
        for gone in [each for each in (*self._silent, *self._asking) if each.is_closing()]:
            self._forget(gone)
        if len(self._silent) + len(self._asking) >= self._limits.connections:
            oldest = next(iter(self._silent), new)
            self._forget(oldest)
            oldest.abort()
        if self.http is not None and not new.is_closing():
            self._silent[new] = _abort_in(self._limits.request_seconds, new)
            http = self.http()
            new.set_protocol(http)
            http.connection_made(new)

    def asks(self, transport: asyncio.Transport) -> None:
        """Know that a connection's request is here."""
        self._forget(transport)
        self._asking[transport] = _abort_in(self._limits.answer_seconds, transport)

    def _forget(self, transport: asyncio.Transport) -> None:
        for held in (self._silent, self._asking):
            if (timer := held.pop(transport, None)) is not None:
                timer.cancel()


def _abort_in(seconds: float, transport: asyncio.Transport) -> asyncio.TimerHandle:
    return asyncio.get_running_loop().call_later(seconds, transport.abort)


class _Answers:
    """Answers each connection once, and so many a second."""

    def __init__(self, health: Health, accepting: _Accepting, limits: Limits) -> None:
        self._health = health
        self._accepting = accepting
        self._limits = limits
        self._second = 0
        self._asked = 0

    def app(self) -> web.Application:
        """What answers, not yet listening."""
        app = web.Application(middlewares=[self._answer])
        app.router.add_get("/healthz", self._is_alive)
        app.router.add_get("/readyz", self._is_ready)
        app.router.add_get("/metrics", self._figures)
        return app

    @web.middleware
    async def _answer(self, request: web.Request, handler: _Handler) -> web.StreamResponse:
        """Answer and hang up; whoever comes when too many have asked waits for a while in vain."""
        if request.transport is None or request.transport.is_closing():
            return web.Response()  # nobody takes it any more
        self._accepting.asks(request.transport)
        if (second := int(monotonic())) != self._second:
            self._second, self._asked = second, 0
        self._asked += 1
        try:
            answer = await (handler if self._asked <= self._limits.a_second else self._put_off)(
                request
            )
        except web.HTTPException as refused:
            refused.force_close()
            raise
        answer.force_close()
        return answer

    async def _put_off(self, _: web.Request) -> web.Response:
        await asyncio.sleep(self._limits.delay)
        return web.Response(status=HTTPStatus.TOO_MANY_REQUESTS, headers={"Retry-After": "1"})

    async def _is_alive(self, _: web.Request) -> web.Response:
        return _said({"alive": True})

    async def _is_ready(self, _: web.Request) -> web.Response:
        missing = await self._health.missing()
        status = HTTPStatus.SERVICE_UNAVAILABLE if missing else HTTPStatus.OK
        return _said({"ready": not missing, "missing": missing}, status)

    async def _figures(self, _: web.Request) -> web.Response:
        text = await self._health.expose()
        if text is None:
            return web.Response(status=HTTPStatus.SERVICE_UNAVAILABLE)
        return web.Response(body=text, headers={"Content-Type": CONTENT_TYPE})


def _said(what: dict[str, object], status: HTTPStatus = HTTPStatus.OK) -> web.Response:
    return web.json_response(text=json.dumps(what) + "\n", status=status)
