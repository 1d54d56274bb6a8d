"""The page in Discord's frame: Discord says who plays there, and where."""

import asyncio
import logging
import re
from collections import Counter, OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from http import HTTPStatus
from time import monotonic
from typing import Any, Final, cast

from aiohttp import ClientError, ClientSession, ClientTimeout, web

from bot.clock import Clock
from bot.games.model import Channel
from bot.gauges import gauges_here
from bot.page.game import digest_of
from bot.page.model import (
    FRAMED_LASTS,
    NoPlaceError,
    SignedOutError,
    StrangerError,
    Ticket,
    UnheardError,
)
from bot.people.game import Cost
from bot.refused import OutdatedError, TooFastError
from bot.services import Services
from web import home
from web.auth import Access
from web.endpoints import Call, answered, read_given, speak_to

log = logging.getLogger(__name__)

Admit = Callable[[int, Cost], Awaitable[None]]

_API: Final = "https://discord.com/api/v10"
_PARENTS: Final = (
    "https://discord.com",
    "https://ptb.discord.com",
    "https://canary.discord.com",
)
_ANSWER_SECONDS: Final = 3.0
_REST_SECONDS: Final = 60.0
_DISCORD_SECONDS: Final = 8.0  # less than a request may take
_EXCHANGES: Final = 20
_EXCHANGE_SECONDS: Final = 10
_LOOK_SECONDS: Final = 1.0
_MOST_CODES: Final = 5_000
_CODE: Final = re.compile(r"[\w.-]{1,256}", re.ASCII)
# An instance goes into a URL.
_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,128}")
_NUMBER: Final = re.compile(r"\d{1,19}", re.ASCII)
_TRIES: Final = 3
_INSTANCE_LASTS: Final = timedelta(seconds=60)
_MOST_INSTANCES: Final = 1_000


@dataclass(frozen=True, slots=True)
class Activity:
    """The Discord application whose Activity shows the page in a frame.

    Attributes:
        parents: origins of the pages that may hold the frame.
        pause_seconds: the pause before asking Discord again who is in an Activity.
    """

    application_id: int
    client_secret: str = field(repr=False)
    token: str = field(repr=False)
    api: str = _API
    parents: Sequence[str] = _PARENTS
    pause_seconds: float = 1.0

    @property
    def origin(self) -> str:
        """The origin under which Discord's proxy shows the page."""
        return f"https://{self.application_id}.discordsays.com"

    @property
    def shown(self) -> dict[str, object]:
        """The page's data for Discord's frame."""
        return {"client": str(self.application_id), "parents": [*self.parents]}

    @asynccontextmanager
    async def sign_in(
        self, services: Services, clock: Clock, access: Access, admit: Admit
    ) -> AsyncGenerator["DiscordSignIn"]:
        async with ClientSession(timeout=ClientTimeout(_ANSWER_SECONDS)) as session:
            yield DiscordSignIn(_Discord(self, session), services, clock, access, admit)


@dataclass(frozen=True, slots=True)
class _User:
    id: int
    name: str
    avatar: str | None


@dataclass(frozen=True, slots=True)
class _Instance:
    """An Activity that runs somewhere: its channel, if that is in a server, and who is in it."""

    channel: Channel | None
    players: frozenset[int]


class _Discord:
    """Asks Discord; of its answers only the needed fields are read."""

    def __init__(self, activity: Activity, session: ClientSession) -> None:
        self.pause_seconds = activity.pause_seconds
        self._activity = activity
        self._session = session
        self._is_told = False
        self._silent_until: dict[str, float] = {}

    async def user(self, code: str) -> _User:
        """Exchange an authorization code for the user whom it stands for.

        Raises:
            StrangerError: Discord refuses the code, or does not say whose it is.
            UnheardError: Discord does not answer, fails, or must not be asked for a while.
        """
        form = {
            "client_id": str(self._activity.application_id),
            "client_secret": self._activity.client_secret,
            "grant_type": "authorization_code",
            "code": code,
        }
        status, given = await self._ask("POST", "oauth2/token", data=form)
        if status == HTTPStatus.UNAUTHORIZED and not self._is_told:
            self._is_told = True
            log.error("Discord does not take DISCORD_CLIENT_SECRET: copy it anew from the portal")
        token = _text(given, "access_token")
        if status != HTTPStatus.OK or "identify" not in (_text(given, "scope") or "").split():
            raise StrangerError
        status, given = await self._ask("GET", "users/@me", authorization=f"Bearer {token}")
        number = _number(given.get("id"))
        if status != HTTPStatus.OK or number is None:
            raise StrangerError
        name = _text(given, "global_name") or _text(given, "username") or ""
        return _User(number, name, _text(given, "avatar"))

    async def instance(self, name: str) -> _Instance | None:
        """Return the Activity of this name; None if Discord does not know it or does not answer."""
        path = f"applications/{self._activity.application_id}/activity-instances/{name}"
        try:
            status, given = await self._ask(
                "GET", path, authorization=f"Bot {self._activity.token}"
            )
        except UnheardError:
            return None
        location, users = _object(given.get("location")), given.get("users")
        if status != HTTPStatus.OK or not location or not isinstance(users, list):
            return None
        ids = [_object(each).get("id", each) for each in cast("list[object]", users)]
        players = frozenset(number for each in ids if (number := _number(each)) is not None)
        server, place = _number(location.get("guild_id")), _number(location.get("channel_id"))
        if place is None:
            return None
        return _Instance(None if server is None else Channel(server, place), players)

    async def _ask(
        self, method: str, path: str, *, authorization: str = "", data: Any = None
    ) -> tuple[int, dict[str, Any]]:
        kind = path.partition("/")[0]
        if monotonic() < self._silent_until.get(kind, 0):
            raise UnheardError
        headers = {"Authorization": authorization} if authorization else {}
        url = f"{self._activity.api}/{path}"
        try:
            async with self._session.request(method, url, data=data, headers=headers) as answer:
                given = await answer.json(content_type=None)
        except (ClientError, TimeoutError, ValueError):
            raise UnheardError from None  # the error's text has the URL
        overloaded = answer.status == HTTPStatus.TOO_MANY_REQUESTS
        if overloaded or (answer.status == HTTPStatus.UNAUTHORIZED and kind != "users"):
            self._silent_until[kind] = monotonic() + _rest(answer.headers)
        if overloaded or answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise UnheardError
        return answer.status, _object(given)


def _rest(headers: Mapping[str, str]) -> float:
    """How many seconds to pause this kind of request, so that Discord does not block the bot."""
    try:
        return max(1.0, float(headers.get("Retry-After", _REST_SECONDS)))
    except ValueError:
        return _REST_SECONDS


def _object(given: object) -> dict[str, Any]:
    return cast("dict[str, Any]", given) if isinstance(given, dict) else {}


def _text(given: Mapping[str, Any], name: str) -> str | None:
    found = given.get(name)
    return found if isinstance(found, str) else None


def _number(text: object) -> int | None:
    return int(text) if isinstance(text, str) and _NUMBER.fullmatch(text) else None


class DiscordSignIn:
    """Lets in the players that Discord names."""

    def __init__(
        self, discord: _Discord, services: Services, clock: Clock, access: Access, admit: Admit
    ) -> None:
        self._discord = discord
        self._services = services
        self._clock = clock
        self._access = access
        self._admit = admit
        self._exchanges = _Exchanges()
        self._running = set[str]()
        self._looks_at = 0.0
        self._instances = OrderedDict[str, tuple[datetime, _Instance]]()

    async def enter(self, request: web.Request) -> web.Response:
        """Begin a session for an authorization code from Discord.

        The body may also name a running Activity (`instance`), and the id that a link to it carried
        (`launch`). The session is in no server if there is neither an instance nor a known launch,
        if the bot is not in the Activity's server, or if the player wants to play `alone`.
        """
        self._access.require_own(request, in_frame=True)
        takes = {"code": str, "instance?": str, "launch?": str, "alone?": bool}
        given = await read_given(request, takes)
        code, instance, launch = given["code"], given.get("instance"), given.get("launch")
        named = [each for each in (instance, launch) if each is not None]
        if not _CODE.fullmatch(code) or not all(map(_ID.fullmatch, named)):
            raise OutdatedError(what="a name of Discord's")
        if not await self._is_inside(request):
            self._exchanges.count(await self._lane(named))
        self._exchanges.try_once(code)
        if given.get("alone"):
            named, instance = [each for each in named if each != instance], None
        try:
            async with asyncio.timeout(_DISCORD_SECONDS):
                user = await self._discord.user(code)
                await self._admit(user.id, Cost.HEAVY)  # Discord is asked up to three times
                channel, opened = await self._place(user.id, named, instance)
        except TimeoutError:
            raise UnheardError from None
        kept, session = await self._services.sessions.begin(user.id, channel, instance)
        gauges_here().signed_in()
        await self._note(user, session.guild_id)
        await speak_to(self._services, user.id, request)
        me = await home.me(Call(self._services, session, "", {}))
        seconds = int(FRAMED_LASTS.total_seconds())  # a player's clock may be wrong
        return answered({"session": kept, "seconds": seconds, "me": me, "open": opened})

    async def _is_inside(self, request: web.Request) -> bool:
        """Return true if the request has a session; then the player's rate limit pays for it."""
        try:
            async with self._access.visited(request) as session:
                await self._admit(session.player_id, Cost.LIGHT)
        except SignedOutError:
            return False
        return True

    async def _lane(self, named: Sequence[str]) -> str:
        """Return the digest of the first name that is a noted Activity's; empty if none is.

        Names that are not known cost a read a second, whoever sends how many.
        """
        digests = [digest_of(name) for name in named]
        if self._running.isdisjoint(digests) and monotonic() >= self._looks_at:
            self._looks_at = monotonic() + _LOOK_SECONDS
            self._running = await self._services.sessions.instances()
        return next((each for each in digests if each in self._running), "")

    async def _find_launch(self, player_id: int, named: Sequence[str]) -> Ticket | None:
        for name in named:
            if found := await self._services.sessions.find_launch(player_id, name):
                return found
        return None

    async def _place(
        self, player_id: int, named: Sequence[str], instance: str | None
    ) -> tuple[Channel | None, str | None]:
        """Return the player's channel, and the game from which the page was launched.

        `named` has the ids under which the launch may be noted. Either result is None if there is
        none.

        Raises:
            NoPlaceError: Discord was asked three times and never listed the player in the instance.
        """
        for tries in range(_TRIES):
            if tries:
                await asyncio.sleep(self._discord.pause_seconds)
            if ticket := await self._find_launch(player_id, named):
                return ticket.channel, ticket.place
            if instance is None:
                return None, None
            if found := await self._instance(instance, player_id):
                # A launch is noted once Discord has named it, and shows the frame.
                ticket = await self._find_launch(player_id, named)
                return (ticket.channel, ticket.place) if ticket else (found.channel, None)
        raise NoPlaceError

    async def _instance(self, name: str, player_id: int) -> _Instance | None:
        """Return a running Activity if the player is in it, else None.

        Discord's answer is cached for a minute. If the player is not in it, Discord is asked again.
        """
        now = self._clock.now()
        until, found = self._instances.get(name, (now, None))
        if found is None or until <= now or player_id not in found.players:
            found = await self._discord.instance(name)
            if found is None:
                return None
            self._instances[name] = now + _INSTANCE_LASTS, found
            self._instances.move_to_end(name)
            if len(self._instances) > _MOST_INSTANCES:
                self._instances.popitem(last=False)
        return found if player_id in found.players else None

    async def _note(self, user: _User, guild_id: int | None) -> None:
        """Store a player's name and avatar; a server that has a name of theirs keeps that name."""
        members = self._services.standings.members
        if guild_id is not None and await members.knows(user.id, guild_id):
            guild_id = None
        await members.seen(user.id, user.name, user.avatar, guild_id=guild_id, guild_name=user.name)


class _Exchanges:
    """Lets login codes through to Discord: each once, and so many of a lane in ten seconds.

    Each noted Activity has a lane of its own, and all other strangers share one.
    """

    def __init__(self) -> None:
        self._period = 0
        self._counts = Counter[str]()
        self._tried = OrderedDict[bytes, None]()

    def count(self, lane: str) -> None:
        if (period := int(monotonic()) // _EXCHANGE_SECONDS) != self._period:
            self._period = period
            self._counts.clear()
        if self._counts[lane] >= _EXCHANGES:
            raise TooFastError
        self._counts[lane] += 1

    def try_once(self, code: str) -> None:
        digest = sha256(code.encode()).digest()
        if digest in self._tried:
            raise StrangerError
        self._tried[digest] = None
        if len(self._tried) > _MOST_CODES:
            self._tried.popitem(last=False)
