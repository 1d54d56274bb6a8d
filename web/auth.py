"""Who asks: by ticket, cookie or key of a session, from which page, shown to whom."""

from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from http import HTTPStatus
from typing import Final

from aiohttp import web

from bot.gauges import gauges_here
from bot.home.web_words import door, play_as
from bot.page.model import (
    SESSION_LASTS,
    TICKET_LASTS,
    NoCookiesError,
    OtherPlayerError,
    Session,
    SignedOutError,
)
from bot.people.game import Admission, Cost
from bot.refused import OutdatedError, TooFastError
from bot.services import Services
from web.endpoints import Call, Data, answered, read_given, speak_to
from web.games import VIEWS

SHOWN: Final = "X-Player"
"""The header that says whom the page shows."""
_BEARER: Final = "Bearer "
_MOST_AT_ONCE: Final = 8
"""How many requests of one player are answered at once; nothing else is limited for all together.
"""


class Access:
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
        self._asking = Counter[int]()

    async def look(self, request: web.Request) -> web.Response:
        """Answer with a ticket's player and game, without spending the ticket.

        The browser also gets an empty cookie, unless it has one: so `enter` sees that it keeps it.
        """
        self.require_own(request)
        token = (await read_given(request, {"ticket": str}))["ticket"]
        async with self.counted(token):
            ticket = await self._services.sessions.look(token)
        if self._services.allowances.take(ticket.player_id, Cost.LIGHT) is not Admission.GRANTED:
            raise TooFastError
        session = Session(ticket.player_id, ticket.guild_id, ticket.channel_id, ticket.ends_at, "")
        await speak_to(self._services, ticket.player_id, request)
        call = Call(self._services, session, ticket.place or "", {})
        game = await VIEWS[call.game.source](call)
        name = await self._services.sessions.name(ticket.player_id)
        said: Data = {
            "player": str(ticket.player_id),
            "game": game["title"],
            "enter": play_as(name),
            **door(call.game.source),
        }
        response = answered(said)
        if self._cookie not in request.cookies:
            self._set_cookie(response, "", TICKET_LASTS)
        return response

    async def enter(self, request: web.Request) -> web.Response:
        """Spend a ticket, and set the cookie of a new session in the browser.

        Raises:
            NoCookiesError: the browser would not keep it; the ticket is not spent.
        """
        self.require_own(request)
        if self._cookie not in request.cookies:
            raise NoCookiesError
        token = (await read_given(request, {"ticket": str}))["ticket"]
        async with self.counted(token):
            kept = await self._services.sessions.enter(token)
        gauges_here().signed_in()
        response = web.Response(status=HTTPStatus.NO_CONTENT)
        self._set_cookie(response, kept, SESSION_LASTS)
        return response

    def _set_cookie(self, response: web.Response, value: str, lasts: timedelta) -> None:
        response.set_cookie(
            self._cookie,
            value,
            max_age=int(lasts.total_seconds()),
            httponly=True,
            secure=self._is_safe,
            samesite="Strict",
        )

    @asynccontextmanager
    async def counted(self, token: str) -> AsyncGenerator[None]:
        """Count a request, for a block, as one of the player's for whom its token was made.

        A forged token is nobody's; it is refused without a look into the database.
        """
        player_id = await self._services.sessions.whose(token)
        if player_id is None:
            yield
            return
        if self._asking[player_id] >= _MOST_AT_ONCE:
            raise TooFastError
        self._asking[player_id] += 1
        try:
            yield
        finally:
            self._asking[player_id] -= 1
            if not self._asking[player_id]:
                del self._asking[player_id]

    @asynccontextmanager
    async def visited(self, request: web.Request) -> AsyncGenerator[Session]:
        """Find the session of the key in a request's cookie, or in the header of a frame.

        While the block runs, the request counts as one of its player's.

        Raises:
            SignedOutError: the key has no session, or one of the other kind (browser or frame).
            TooFastError: the player has too many requests at once.
        """
        kept = self._key_of(request)
        async with self.counted(kept):
            session = await self._services.sessions.find(kept)
            if session is None or session.is_framed != self._is_framed(request):
                raise SignedOutError
            yield session

    def _key_of(self, request: web.Request) -> str:
        if self._is_framed(request):
            return request.headers["Authorization"].removeprefix(_BEARER)
        return request.cookies.get(self._cookie, "")

    def _is_framed(self, request: web.Request) -> bool:
        is_bearer = request.headers.get("Authorization", "").startswith(_BEARER)
        return is_bearer and bool(self._framed)

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
