"""The health server: `/healthz`, `/readyz` and `/metrics` at `HEALTH_ADDRESS`.

Without that setting, neither this module nor its libraries are loaded.
"""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from http import HTTPStatus
from time import monotonic
from typing import Final, Generic, NamedTuple, TypeVar

from aiohttp import web

from bot.address import HEALTH_ADDRESS, Address
from bot.app import CodebreakerBot
from bot.clock import wait_only
from bot.database_health import Stored
from bot.errors import ClosingError
from bot.failures import Failures
from bot.hosting.figures import CONTENT_TYPE, Figures, Level
from bot.listening import Accepting
from bot.listening import listening as listening_at
from bot.pool.pool import Lane
from bot.services import Services

log = logging.getLogger(__name__)

T = TypeVar("T")
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_WRITTEN_SECONDS: Final = 2.0
"""The time limit of a write."""
_WAITED_SECONDS: Final = 1.75
"""The part of `_WRITTEN_SECONDS` for waiting on locks."""
_PATIENCE_SECONDS: Final = 2.5
"""The longest that a client waits for the database."""

_BETWEEN_WRITES: Final = 3.0
_BETWEEN_LOOKS: Final = 10.0
_BETWEEN_TEXTS: Final = 1.0
_FRESH_SECONDS: Final = 60.0
"""The age up to which a value is used while there is none that is newer."""
# The loop's delay is measured every tick, the heard shards every ten.
_TICK_SECONDS: Final = 0.1
_TICKS: Final = 10


class Limits(NamedTuple):
    """Limits that keep the health server's clients from slowing down the bot.

    Attributes:
        request_seconds: the time for a request to arrive.
        answer_seconds: the time to make and send its answer.
        a_second: the number of requests answered in a second; a check and two scrapes need three.
        delay: the seconds that clients beyond `a_second` wait, so that they do not return at once.
    """

    connections: int = 64
    request_seconds: float = 5.0
    answer_seconds: float = 10.0
    a_second: int = 20
    delay: float = 1.0


_LIMITS: Final = Limits()


@asynccontextmanager
async def opened(address: Address) -> AsyncGenerator["Health"]:
    health = Health()
    async with listening(address, health) as there:
        log.info("health and figures at http://%s", there)
        try:
            yield health
        finally:
            await health.close()


class Health:
    """The health of this process, which can be asked for even before the database is open."""

    def __init__(self) -> None:
        self.gauges = Figures()
        self._watch: _Watch | None = None
        self._text = Cached(self._write_text, _BETWEEN_TEXTS)

    def watch(self, services: Services, bot: CodebreakerBot | None) -> None:
        """Look at a process from now on; one that serves only the page has no bot."""
        services.measure(self.gauges)
        self._watch = _Watch(self.gauges, services, bot)

    async def missing(self) -> list[str]:
        """List, in a few words each, the reasons why the process is not ready."""
        return ["start"] if self._watch is None else await self._watch.missing()

    async def expose(self) -> bytes | None:
        """Format all metrics.

        If that takes long, return the last text; None if it is over a minute old or missing.
        """
        return await self._text.get(2 * _PATIENCE_SECONDS)

    async def close(self) -> None:
        await self._text.close()
        if self._watch is not None:
            await self._watch.close()

    async def _write_text(self) -> bytes:
        if self._watch is not None:
            self.gauges.levels = await self._watch.levels()
        return await asyncio.to_thread(self.gauges.expose)


class _Watch:
    """The health of a running process."""

    def __init__(self, figures: Figures, services: Services, bot: CodebreakerBot | None) -> None:
        self._figures = figures
        self._services = services
        self._bot = bot
        self._failures = Failures(log)
        self._written = Cached(self._write, _BETWEEN_WRITES)
        self._seen = Cached(self._look, _BETWEEN_LOOKS)
        self._ticking = asyncio.create_task(self._tick(), name="health")

    async def missing(self) -> list[str]:
        silent = self._bot.hearing.silent() if self._bot else ()
        missing = [f"shard {number}" for number in silent]
        if not await self._written.get(_PATIENCE_SECONDS):
            missing.append("write")
        return missing

    async def levels(self) -> dict[str, Level]:
        """Map the gauges' names to their present values; None for a value that is unknown now."""
        services = self._services
        of_all: dict[str, Level] = {
            "ready": not await self.missing(),
            "coach_queue": {
                lane.name.lower(): services.pool.solving.unfinished(lane)
                for lane in (Lane.PLAYING, Lane.REVIEW, Lane.BACKGROUND)
            },
            "chart_queue": services.pool.waiting,
        }
        if self._bot is None:
            return of_all
        stored, made_at = await self._seen.get(_PATIENCE_SECONDS) or (None, None)
        hearing = self._bot.hearing
        silent = hearing.silent()
        return {
            **of_all,
            "shard_heard": {str(number): number not in silent for number in hearing.numbers},
            "shard_latency_seconds": {str(of): late for of, late in hearing.latencies.items()},
            "posts_late": stored and stored.late_posts,
            "database_bytes": stored and stored.size,
            "last_backup_timestamp_seconds": made_at and made_at.timestamp(),
        }

    async def close(self) -> None:
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
            if self._bot is None:
                continue
            with self._failures.telling("health: a look at who is heard and answered"):
                self._bot.hearing.look()
                if self._bot.timing is not None:
                    self._bot.timing.look()

    async def _write(self) -> bool:
        """Try a write; return true if it commits in time."""
        is_written, until = False, monotonic() + _WAITED_SECONDS
        wait_only(lambda: until - monotonic())
        with suppress(ClosingError), self._failures.telling("health: a write of its own"):
            async with asyncio.timeout(_WRITTEN_SECONDS):
                await self._services.health.write()
            is_written = True
        return is_written

    async def _look(self) -> tuple[Stored | None, datetime | None]:
        """Return gauges from the database, and the newest backup's time; None for unknown."""
        stored = made_at = None
        with self._failures.telling("health: a look at the backups"):
            made_at = await self._services.health.backed_up_at()
        with suppress(ClosingError), self._failures.telling("health: a look at the database"):
            stored = await self._services.health.look()
        return stored, made_at


class Cached(Generic[T]):
    """A value that `find` computes for all callers together, at most every `rest` seconds.

    `find` must not raise.
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
        """Return the newest value; None if it is over a minute old or there was none.

        If it is older than `rest`, wait for a newer one, for at most `patience` seconds.
        """
        if self._finding is None and self._age >= self._rest:
            self._finding = asyncio.create_task(self._refresh())
        if self._finding is not None:
            await asyncio.wait({self._finding}, timeout=patience)
        return self._found[1] if self._found and self._age < _FRESH_SECONDS else None

    async def close(self) -> None:
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
    """Serve health for a block; yield the address with its actual port."""
    accepting = Accepting(limits.connections, limits.request_seconds, limits.answer_seconds)
    app = _Answers(health, accepting, limits).app()
    options = {"handler_cancellation": True}
    async with listening_at(address, app, accepting, HEALTH_ADDRESS, **options) as there:
        yield there


class _Answers:
    """The request handlers: one answer a connection, and a limited number of answers a second."""

    def __init__(self, health: Health, accepting: Accepting, limits: Limits) -> None:
        self._health = health
        self._accepting = accepting
        self._limits = limits
        self._second = 0
        self._asked = 0

    def app(self) -> web.Application:
        app = web.Application(middlewares=[self._answer])
        app.router.add_get("/healthz", self._is_alive)
        app.router.add_get("/readyz", self._is_ready)
        app.router.add_get("/metrics", self._figures)
        return app

    @web.middleware
    async def _answer(self, request: web.Request, handler: _Handler) -> web.StreamResponse:
        """Answer and close the connection; clients beyond the limit get an error after a delay."""
        if request.transport is None or request.transport.is_closing():
            return web.Response()  # the client has gone
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
        return _json({"alive": True})

    async def _is_ready(self, _: web.Request) -> web.Response:
        missing = await self._health.missing()
        status = HTTPStatus.SERVICE_UNAVAILABLE if missing else HTTPStatus.OK
        return _json({"ready": not missing, "missing": missing}, status)

    async def _figures(self, _: web.Request) -> web.Response:
        text = await self._health.expose()
        if text is None:
            return web.Response(status=HTTPStatus.SERVICE_UNAVAILABLE)
        return web.Response(body=text, headers={"Content-Type": CONTENT_TYPE})


def _json(what: dict[str, object], status: HTTPStatus = HTTPStatus.OK) -> web.Response:
    return web.json_response(text=json.dumps(what) + "\n", status=status)
