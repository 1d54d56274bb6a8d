"""Answers programs that look after the bot: `/healthz`, `/readyz` and `/metrics`.

Whoever asks very often is kept waiting: answers must not take the time that players' answers need.
"""

import asyncio
import errno
import json
import os
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from time import monotonic
from typing import Final, Protocol

from aiohttp import web

from bot.health.address import Address, CannotListenError
from bot.health.figures import CONTENT_TYPE

_MOST_A_SECOND: Final = 20
"""How many requests a second are answered; a check and two scrapes at once are three."""
_MOST_HELD: Final = 50
"""How many of the others are kept waiting; whoever comes when there are so many is hung up on."""
_HELD_SECONDS: Final = 1.0
_GOODBYE_SECONDS: Final = 0.2

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Source(Protocol):
    """What knows how the bot is."""

    async def missing(self) -> list[str]:
        """What keeps the bot from being ready, in a word or two each; nothing if it is."""
        ...

    async def expose(self) -> bytes | None:
        """All figures as text; None if there are none now."""
        ...


class _Server:
    """Answers with what a source knows."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._second = 0
        self._asked = 0
        self._held = 0

    def app(self) -> web.Application:
        """What answers, not yet listening."""
        app = web.Application(middlewares=[self._unhurried])
        app.add_routes(
            [
                web.get("/healthz", self._is_alive),
                web.get("/readyz", self._is_ready),
                web.get("/metrics", self._figures),
            ]
        )
        return app

    async def _is_alive(self, _: web.Request) -> web.Response:
        return _said({"alive": True})

    async def _is_ready(self, _: web.Request) -> web.Response:
        missing = await self._source.missing()
        status = HTTPStatus.SERVICE_UNAVAILABLE if missing else HTTPStatus.OK
        return _said({"ready": not missing, "missing": missing}, status)

    async def _figures(self, _: web.Request) -> web.Response:
        text = await self._source.expose()
        if text is None:
            return web.Response(status=HTTPStatus.SERVICE_UNAVAILABLE)
        return web.Response(body=text, headers={"Content-Type": CONTENT_TYPE})

    @web.middleware
    async def _unhurried(self, request: web.Request, handler: _Handler) -> web.StreamResponse:
        """Answer so many requests a second; of the others, each waits for a while in vain."""
        if (second := int(monotonic())) != self._second:
            self._second, self._asked = second, 0
        self._asked += 1
        if self._asked <= _MOST_A_SECOND:
            return await handler(request)
        if self._held >= _MOST_HELD and request.transport is not None:
            request.transport.abort()
        else:
            self._held += 1
            try:
                await asyncio.sleep(_HELD_SECONDS)
            finally:
                self._held -= 1
        return web.Response(status=HTTPStatus.TOO_MANY_REQUESTS, headers={"Retry-After": "1"})


def _said(what: dict[str, object], status: HTTPStatus = HTTPStatus.OK) -> web.Response:
    return web.json_response(text=json.dumps(what) + "\n", status=status)


@asynccontextmanager
async def listening(address: Address, source: Source) -> AsyncGenerator[Address]:
    """Answer at an address until the block ends; gives the address, with the port it has.

    Raises:
        CannotListenError: nobody can be answered there.
    """
    runner = web.AppRunner(
        _Server(source).app(),
        access_log=None,
        shutdown_timeout=_GOODBYE_SECONDS,
        handler_cancellation=True,
    )
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, address.host, address.port).start()
        except OSError as error:
            may_pass = error.errno == errno.EADDRINUSE
            raise CannotListenError(address, _why(error), may_pass=may_pass) from error
        yield address._replace(port=runner.addresses[0][1])
    finally:
        await runner.cleanup()


def _why(error: OSError) -> str:
    """Why nobody can listen, in the words of the system."""
    is_numbered = error.errno is not None and error.errno > 0  # those of names are not
    return (os.strerror(error.errno or 0) if is_numbered else error.strerror or "").lower()
