"""Who asks: tickets, the cookie of a session, where a request comes from, whom the page shows."""

from collections import OrderedDict
from http import HTTPStatus
from time import monotonic
from typing import Final

from aiohttp import web

from bot.focdle.pages import name as name_of
from bot.home.web_pages import play_as
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
_JSON: Final = "application/json"
_STRANGERS_A_SECOND: Final = 200
"""How many wrong tickets and sessions are looked up; each costs one read."""
_MOST_KNOWN: Final = 5_000


class Doors:
    def __init__(self, services: Services, url: str) -> None:
        self._services = services
        self._url = url
        self._is_safe = url.startswith("https:")
        self._cookie = "__Host-focdle" if self._is_safe else "focdle"
        self._strangers = _Strangers()
        # Who was let in of late is looked up even while many strangers ask.
        self._known = OrderedDict[str, None]()

    async def look(self, request: web.Request) -> web.Response:
        """Say whose a ticket is, and to which game it leads; that spends nothing."""
        self.require_own(request)
        token = (await read_given(request, {"ticket": str}))["ticket"]
        with self._strangers.counted():
            ticket = await self._services.sessions.look(token)
        play = await self._services.daily.view(ticket.player_id, ticket.play_id)
        name = await self._services.sessions.name(ticket.player_id)
        said = {"player": str(ticket.player_id), "game": name_of(play), "enter": play_as(name)}
        return answered({**said, "play": play.id})

    async def enter(self, request: web.Request) -> web.Response:
        """Spend a ticket, and give the browser its session."""
        self.require_own(request)
        token = (await read_given(request, {"ticket": str}))["ticket"]
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

    async def visitor(self, request: web.Request) -> Session:
        """Return the session in a request's cookie.

        Raises:
            SignedOutError: there is none.
        """
        kept = request.cookies.get(self._cookie)
        if not kept:
            raise SignedOutError
        if kept in self._known:
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
            raise SignedOutError
        return session

    def require_shown(self, request: web.Request, session: Session) -> None:
        """Refuse a request of a page that shows another player."""
        if request.headers.get(SHOWN) != str(session.player_id):
            raise OtherPlayerError

    def require_own(self, request: web.Request) -> None:
        """Refuse what another page has sent, or a form."""
        self.require_origin(request)
        if request.content_type != _JSON:
            raise OutdatedError(what="a kind of body")

    def require_origin(self, request: web.Request) -> None:
        if request.headers.get("Origin") != self._url:
            raise OutdatedError(what="an origin")


class _Strangers:
    """Counts wrong tickets and sessions in a second, and refuses to look up more."""

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
