"""The page's server: its routes, headers and limits, and answers to errors."""

import asyncio
import logging
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext, suppress
from email.utils import format_datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, cast

from aiohttp import WSCloseCode, web

from bot.address import WEB_ADDRESS, Address
from bot.clock import Clock
from bot.gauges import gauges_here
from bot.listening import Accepting, listening
from bot.moderation.model import KeptOutError
from bot.people.album import Album
from bot.people.game import Admission, Cost
from bot.refusals import breakdown
from bot.refused import Refused, TooFastError
from bot.services import Services
from bot.text.language import speak
from web import games, home, page
from web.auth import Access
from web.endpoints import (
    MOST_BYTES,
    Call,
    Data,
    Endpoint,
    answered,
    completed,
    is_about_state,
    read_given,
    refused,
    speak_to,
    tag_of,
)
from web.live import SOCKET, TOKEN, Live

if TYPE_CHECKING:
    from web.activity import Activity

log = logging.getLogger(__name__)

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

# What strangers send is not logged: it may hold a ticket or a cookie, and there may be much of it.
_UNHEARD: Final = logging.getLogger(f"{__name__}.strangers")
_UNHEARD.disabled = True
_LIVE: Final = "/api/live"
_PLAY: Final = web.RequestKey("play", Data)
"""The key under which a refused request keeps the game as it is now."""
_BODY_SECONDS: Final = 2.0
_REQUEST_SECONDS: Final = 10.0
_SILENT_CONNECTIONS: Final = 200
_SILENT_SECONDS: Final = 5.0
# Longer than proxies keep a connection, which would else meet one that is just being closed.
_KEPT_SECONDS: Final = 150.0
_MOST_KEPT: Final = 300


@asynccontextmanager
async def opened(
    address: Address,
    url: str,
    services: Services,
    clock: Clock,
    contact: str = "",
    activity: "Activity | None" = None,
    album: Album | None = None,
) -> AsyncGenerator[Address]:
    """Serve the page while the block runs; yield the address with its actual port.

    `url` is the page's address in browsers; with `activity`, Discord shows the page, too. Without
    an `album`, nobody's avatar is shown.
    """
    accepting = Accepting(_SILENT_CONNECTIONS, _SILENT_SECONDS, None)
    server = Server(url, services, clock, accepting, contact, activity, album)
    await services.watch(server.live.changed)
    await services.watch(services.posting.changed)
    services.standings.members.when_forgotten(server.live.look)
    if album is not None:
        services.standings.members.when_forgotten(album.forget)
    await services.moderation.refresh()
    options: dict[str, Any] = {
        "keepalive_timeout": _KEPT_SECONDS,
        "lingering_time": 0.0,  # a body that is still to come holds no connection open
        "logger": _UNHEARD,
    }
    async with (
        server.app() as app,
        listening(address, app, accepting, WEB_ADDRESS, **options) as there,
    ):
        log.info("the page at http://%s, for players at %s", there, url)
        yield there


class Server:
    def __init__(
        self,
        url: str,
        services: Services,
        clock: Clock,
        accepting: Accepting,
        contact: str,
        activity: "Activity | None",
        album: Album | None,
    ) -> None:
        self._url = url
        self._services = services
        self._clock = clock
        self._activity = activity
        self._album = album
        self._accepting = accepting
        self._contact = contact
        self._access = Access(services, url, activity.origin if activity else "")
        self.live = Live(services, self._access, clock)
        self._headers = _headers_for(url, activity)

    @asynccontextmanager
    async def app(self) -> AsyncGenerator[web.Application]:
        """Build the application with all its routes; those for Discord's frame need an Activity."""
        app = web.Application(middlewares=[self._guard], client_max_size=MOST_BYTES)
        shown = self._activity and self._activity.shown
        app.router.add_get("/", page.index_with(self._url, shown, self._contact))
        app.router.add_get("/s/{hash}/{file}", page.file)
        for name in page.PAPERS:
            app.router.add_get(f"/{name}", page.paper)
        app.router.add_post("/api/enter/look", self._access.look)
        app.router.add_post("/api/enter", self._access.enter)
        app.router.add_get(_LIVE, _upgraded(self.live.serve))
        texts = page.labels_with(self._contact)
        for each in (*games.ENDPOINTS, TOKEN, home.face_from(self._album), texts):
            app.router.add_route(each.method, f"/api/{each.path}", self._answering(each))
        if self._activity is None:
            yield app
            return
        needed = (self._services, self._clock, self._access, self._admit)
        async with self._activity.sign_in(*needed) as sign_in:
            app.router.add_post("/api/discord", sign_in.enter)
            yield app

    def _answering(self, endpoint: Endpoint) -> _Handler:
        async def answer(request: web.Request) -> web.Response:
            if request.method == "POST":
                self._access.require_own(request)
            async with self._access.visited(request) as session:
                if endpoint.answer is not home.me:  # which says whom the page shows
                    self._access.require_shown(request, session)
                await self._admit(session.player_id, endpoint.cost)
                given = await read_given(request, endpoint.takes)
                place = request.match_info.get("place", "")
                await speak_to(self._services, session.player_id, request)
                call = Call(self._services, session, place, given)
                try:
                    return answered(await completed(call, await endpoint.answer(call)))
                except Refused as error:
                    if "at" in endpoint.takes and is_about_state(error):
                        play = await games.VIEWS[call.game.source](call)
                        request[_PLAY] = await completed(call, play)
                    raise

        return answer

    async def _admit(self, player_id: int, cost: Cost) -> None:
        """Take a request's cost from the player's rate limit, the same as for clicks in Discord.

        Slow work then waits for its turn.

        Raises:
            TooFastError: the limit is used up.
            KeptOutError: the host keeps the player out.
        """
        allowances = self._services.allowances
        if allowances.take(player_id, cost) is not Admission.GRANTED:
            raise TooFastError
        if self._services.moderation.is_kept_out(player_id):
            raise KeptOutError
        if cost in {Cost.HEAVY, Cost.COACH}:
            await allowances.begin()
        if cost is Cost.HEAVY:
            task = cast("asyncio.Task[object]", asyncio.current_task())
            await allowances.turn(player_id, task)

    @web.middleware
    async def _guard(self, request: web.Request, handler: _Handler) -> web.StreamResponse:
        """Answer any request: limit its time, set language and headers, answer errors."""
        speak(tag_of(request))
        is_live = request.path == _LIVE
        try:
            await self._hear(request)
            limit = nullcontext() if is_live else asyncio.timeout(_REQUEST_SECONDS)
            async with limit:
                response = await handler(request)
        except web.HTTPException as error:
            response = web.Response(status=error.status)
        except Exception as error:  # noqa: BLE001 - the last place that can tell the player
            response = self._refused(request, error)
            socket = request.get(SOCKET)
            if socket is not None:  # which is the answer already
                await socket.close(code=WSCloseCode.INTERNAL_ERROR)
                response = socket
        gauges_here().served(response.status)
        if not response.prepared:
            date = format_datetime(self._clock.now(), usegmt=True)
            response.headers.update({**self._headers, "Date": date, **response.headers})
            http = self._accepting.http
            are_many_kept = http is not None and len(http.connections) > _MOST_KEPT
            if response.status >= HTTPStatus.BAD_REQUEST or are_many_kept:
                response.force_close()
            await self._send(request, response)
        return response

    async def _send(self, request: web.Request, response: web.StreamResponse) -> None:
        """Send a response; until it is taken, the connection counts as silent."""
        if request.transport is None:
            return
        self._accepting.waits(request.transport)
        with suppress(ConnectionError):
            await response.prepare(request)
            await response.write_eof()
            self._accepting.asks(request.transport)

    async def _hear(self, request: web.Request) -> None:
        """Wait for a request's body; until it is there, the connection counts as silent."""
        if request.transport is None:
            return
        if request.can_read_body:
            self._accepting.waits(request.transport)
            async with asyncio.timeout(_BODY_SECONDS):
                await request.read()
        self._accepting.asks(request.transport)

    def _refused(self, request: web.Request, error: Exception) -> web.Response:
        """Build the response to an error; log a bug of ours with the reference that is shown."""
        if isinstance(error, TimeoutError | ConnectionError):  # the browser's own line
            return web.Response(status=HTTPStatus.SERVICE_UNAVAILABLE)
        response = refused(error, request.get(_PLAY))
        if response is not None:
            return response
        gauges_here().broke_down()
        reference = secrets.token_hex(4)
        route = request.match_info.route.resource
        log.error(
            "%s %s failed, reference %s",
            *(request.method, route and route.canonical, reference),
            exc_info=error,
        )
        said = breakdown(reference, self._contact).splitlines()
        return answered({"said": said, "reference": reference}, HTTPStatus.INTERNAL_SERVER_ERROR)


def _upgraded(serve: _Handler) -> _Handler:
    """Refuse what a proxy without upgrades hands on; by that the doctor knows one."""

    async def answer(request: web.Request) -> web.StreamResponse:
        if not web.WebSocketResponse().can_prepare(request):
            raise web.HTTPUpgradeRequired
        return await serve(request)

    return answer


def _headers_for(url: str, activity: "Activity | None") -> dict[str, str]:
    origins = [url, *([activity.origin] if activity else [])]
    live = " ".join(origin.replace("http", "ws", 1) for origin in origins)
    # In WebKit 'self' is nothing in a frame with an opaque origin, and lacked WebSockets once.
    own = " ".join(["'self'", *origins])
    policy = {
        "default-src": "'none'",
        "script-src": own,
        "style-src": own,
        "img-src": f"{own} data:",
        "connect-src": f"{own} {live}",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": " ".join(activity.parents) if activity else "'none'",
    }
    return {
        "Cache-Control": "no-store",
        "Content-Security-Policy": "; ".join(f"{name} {of}" for name, of in policy.items()),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }
