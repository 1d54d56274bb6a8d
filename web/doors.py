"""Who asks: by ticket, cookie or key of a session, from which page, shown to whom."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from http import HTTPStatus
from time import monotonic
from typing import Any, Final

from aiohttp import web

from bot.focdle.pages import name as name_of
from bot.home.web_pages import play_as
from bot.people.game import Cost, Verdict
from bot.refused import OutdatedError, TooFastError
from bot.services import Services
from bot.sessions.model import (
    SESSION_LASTS,
    OtherPlayerError,
    Session,
    SignedOutError,
    TicketGoneError,
)
from web.calls import answered, read_given

SHOWN: Final = "X-Player"
"""The header that says whom the page shows."""
_BEARER: Final = "Bearer "
_STRANGERS_A_SECOND: Final = 200
"""How many wrong tickets and keys of sessions are looked up in a second, one read each."""
_MOST_KNOWN: Final = 5_000
_MOST_READ: Final = 50
_READ_SECONDS: Final = 2.0


class Doors:
    """Lets browsers in by tickets and sessions, and refuses requests from other pages.

    Args:
        url: the page's origin.
        framed: the page's origin in Discord's frame; empty without an Activity.
    """

    def __init__(self, services: Services, url: str, framed: str) -> None:
        self._services = services
        self._url = url
        self._framed = framed
        self._is_safe = url.startswith("https:")
        self._cookie = "__Host-focdle" if self._is_safe else "focdle"
        self._strangers = _Strangers()
        self._reading = 0
        # Who was let in of late is looked up even while many strangers ask.
        self._known = OrderedDict[str, None]()

    async def look(self, request: web.Request) -> web.Response:
        """Answer with a ticket's player and play, without spending the ticket."""
        self.require_own(request)
        token = (await self.read(request, {"ticket": str}))["ticket"]
        with self._strangers.counted():
            ticket = await self._services.sessions.look(token)
        if self._services.allowances.take(ticket.player_id, Cost.LIGHT) is not Verdict.GRANTED:
            raise TooFastError
        play = await self._services.daily.view(ticket.player_id, ticket.play_id)
        name = await self._services.sessions.name(ticket.player_id)
        said = {"player": str(ticket.player_id), "game": name_of(play), "enter": play_as(name)}
        return answered({**said, "play": play.id})

    async def enter(self, request: web.Request) -> web.Response:
        """Spend a ticket, and set the cookie of a new session in the browser."""
        self.require_own(request)
        token = (await self.read(request, {"ticket": str}))["ticket"]
        with self._strangers.counted():
            kept = await self._services.sessions.enter(token)
        response = web.Response(status=HTTPStatus.NO_CONTENT)
        response.set_cookie(
            self._cookie,
            kept,
            max_age=int(SESSION_LASTS.total_seconds()),
            httponly=True,
            secure=self._is_safe,
            samesite="Strict",
        )
        return response

    async def read(self, request: web.Request, takes: Mapping[str, type]) -> dict[str, Any]:
        """Read an unknown sender's body; refuse it if it is slow, or if too many are being read."""
        if request.content.is_eof():
            return await read_given(request, takes)
        if self._reading >= _MOST_READ:
            raise TooFastError
        self._reading += 1
        try:
            async with asyncio.timeout(_READ_SECONDS):
                return await read_given(request, takes)
        finally:
            self._reading -= 1

    async def visitor(self, request: web.Request) -> Session:
        """Return the session whose key is in the request's cookie, or in the header of a frame.

        Raises:
            SignedOutError, TooFastError: as `find`.
        """
        if self._is_framed(request):
            kept = request.headers["Authorization"].removeprefix(_BEARER)
            return await self.find(kept, is_framed=True)
        return await self.find(request.cookies.get(self._cookie, ""), is_framed=False)

    def _is_framed(self, request: web.Request) -> bool:
        is_bearer = request.headers.get("Authorization", "").startswith(_BEARER)
        return is_bearer and bool(self._framed)

    async def find(self, kept: str, *, is_framed: bool) -> Session:
        """Return the session of a key that a browser, or Discord's frame, has sent.

        Raises:
            SignedOutError: the key has no session, or one of the other kind (browser or frame).
            TooFastError: too many wrong keys and tickets came in this second.
        """
        if not kept:
            raise SignedOutError
        if kept in self._known:
            self._known.move_to_end(kept)
            session = await self._services.sessions.find(kept)
        else:
            with self._strangers.counted():
                session = await self._services.sessions.find(kept)
                if session is None:
                    raise SignedOutError
            self._known[kept] = None
            if len(self._known) > _MOST_KNOWN:
                self._known.popitem(last=False)
        if session is None:
            self._known.pop(kept, None)
        if session is None or session.is_framed != is_framed:
            raise SignedOutError
        return session

    def require_shown(self, request: web.Request, session: Session) -> None:
        """Refuse a request whose page does not show the player of the session."""
        if request.headers.get(SHOWN) != str(session.player_id):
            raise OtherPlayerError

    def require_own(self, request: web.Request, *, in_frame: bool = False) -> None:
        """Refuse a request from another page, and one whose content type is not JSON."""
        self.require_origin(request, in_frame=in_frame)
        if request.content_type != "application/json":
            raise OutdatedError(what="a kind of body")

    def require_origin(self, request: web.Request, *, in_frame: bool = False) -> None:
        """Refuse a request from another page.

        A request from Discord's frame may lack an origin, or have an opaque one (`null`): another
        page cannot send its header with the key.
        """
        own: set[str | None] = {self._url}
        if in_frame or self._is_framed(request):
            own |= {self._framed, None, "null"}
        if request.headers.get("Origin") not in own:
            raise OutdatedError(what="an origin")


class _Strangers:
    """Counts wrong tickets and keys of sessions; too many in a second raise TooFastError."""

    def __init__(self) -> None:
        self._second = 0
        self._found = 0

    def counted(self) -> "_Strangers":
        if (second := int(monotonic())) != self._second:
            self._second, self._found = second, 0
        if self._found >= _STRANGERS_A_SECOND:
            raise TooFastError
        return self

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None and issubclass(kind, TicketGoneError | SignedOutError):
            self._found += 1
