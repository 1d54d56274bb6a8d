"""An HTTP server with a limited number of connections."""

import asyncio
import errno
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Final, cast

from aiohttp import web, web_response

from bot.address import Address, CannotListenError

_GOODBYE_SECONDS: Final = 0.2
# Of the 1,024 files that a process may commonly have open, some are for the rest of the bot.
_MOST_OPEN: Final = 900
# Answers to malformed requests pass no signal, and would name the versions of Python and aiohttp.
web_response.SERVER_SOFTWARE = ""  # pyright: ignore[reportPrivateImportUsage]


class Accepting(asyncio.Protocol):
    """A protocol that passes connections to aiohttp's server, within limits.

    A connection is silent until its first request has arrived. Whoever serves a request may say
    that it waits for more of it, or for its answer to be taken.

    Args:
        connections: the most connections that count at a time. When one more comes, the one that
            has been silent longest is closed: so nobody can keep others out by opening them all.
        request_seconds: the time after which a silent connection is closed.
        answer_seconds: the time from a connection's first request until it is closed; it counts
            until then. With None, a connection no longer counts once its first request has arrived,
            and is not closed.
    """

    http: web.Server | None = None

    def __init__(
        self, connections: int, request_seconds: float, answer_seconds: float | None
    ) -> None:
        self.connections = connections
        self._request_seconds = request_seconds
        self._answer_seconds = answer_seconds
        self._silent: dict[asyncio.Transport, asyncio.TimerHandle] = {}  # oldest first
        self._asking: dict[asyncio.Transport, asyncio.TimerHandle] = {}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Accept a connection and, beyond the limit, close the longest silent one.

        The new one is closed if none is silent, or if the server has too many open.
        """
        new = cast("asyncio.Transport", transport)
        for gone in [each for each in (*self._silent, *self._asking) if each.is_closing()]:
            self._forget(gone)
        if len(self._silent) + len(self._asking) >= self.connections:
            oldest = next(iter(self._silent), new)
            self._forget(oldest)
            oldest.abort()
        if self.http is not None and len(self.http.connections) >= _MOST_OPEN:
            new.abort()
        if self.http is not None and not new.is_closing():
            self.waits(new)
            http = self.http()
            new.set_protocol(http)
            http.connection_made(new)

    def waits(self, transport: asyncio.Transport) -> None:
        """Note that a connection's other end is to send or to take something: it is silent."""
        if transport not in self._silent:
            self._silent[transport] = _abort_in(self._request_seconds, transport)

    def asks(self, transport: asyncio.Transport) -> None:
        """Note that a connection's other end has done so: it is no longer silent."""
        self._forget(transport)
        if self._answer_seconds is not None:
            self._asking[transport] = _abort_in(self._answer_seconds, transport)

    def _forget(self, transport: asyncio.Transport) -> None:
        for held in (self._silent, self._asking):
            if (timer := held.pop(transport, None)) is not None:
                timer.cancel()


def _abort_in(seconds: float, transport: asyncio.Transport) -> asyncio.TimerHandle:
    return asyncio.get_running_loop().call_later(seconds, transport.abort)


async def _name_no_server(_: web.Request, response: web.StreamResponse) -> None:
    response.headers.popall("Server", None)


@asynccontextmanager
async def listening(
    address: Address, app: web.Application, accepting: Accepting, setting: str, **options: Any
) -> AsyncGenerator[Address]:
    """Serve an app within a `with` block; yield the address with the port in use.

    `setting` is the name of the setting with the address; `options` go to aiohttp's server. Raise
    `CannotListenError` if the address cannot be used.
    """
    app.on_response_prepare.append(_name_no_server)
    runner = web.AppRunner(
        app,
        access_log=None,
        shutdown_timeout=_GOODBYE_SECONDS,
        **options,
    )
    await runner.setup()
    accepting.http = runner.server
    server: asyncio.Server | None = None
    try:
        try:
            server = await asyncio.get_running_loop().create_server(
                lambda: accepting, address.host, address.port, backlog=accepting.connections
            )
        except OSError as error:
            number = error.errno or 0  # below 0 if a name was not resolved
            why = (os.strerror(number) if number > 0 else error.strerror or "").lower()
            may_pass = number == errno.EADDRINUSE
            raise CannotListenError(address, why, setting, may_pass=may_pass) from error
        yield address._replace(port=server.sockets[0].getsockname()[1])
    finally:
        if server is not None:
            server.close()
        await runner.cleanup()
