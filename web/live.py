"""The WebSocket that tells the page which games have changed, or its channel; nothing else."""

import asyncio
import json
from collections import defaultdict
from contextlib import suppress
from typing import Any, Final, cast

from aiohttp import WSMsgType, web

from bot.clock import Clock
from bot.errors import StorageError
from bot.games.model import GameName, Source
from bot.gauges import gauges_here
from bot.page.model import Session, SignedOutError
from bot.people.game import Admission, Cost
from bot.refused import OutdatedError, Refused, TooFastError
from bot.services import Services
from web.auth import Access
from web.endpoints import Call, Data, Endpoint, channel_of
from web.games import VERSIONS

_MOST: Final = 500
_MOST_OF_ONE: Final = 3
_MOST_WATCHED: Final = 8
_MOST_BYTES: Final = 1024
_SILENT_SECONDS: Final = 5.0
_BEAT_SECONDS: Final = 30.0
_PLACE: Final = "place"
_ME: Final = "me"
_PLAYER: Final = "player:"
_SIGNED_OUT: Final = 4001
_WRONG: Final = 4002


class Live:
    """The WebSockets of all players in this process."""

    def __init__(self, services: Services, access: Access, clock: Clock) -> None:
        self._services = services
        self._access = access
        self._clock = clock
        self._sockets = defaultdict[int, set[_Socket]](set)

    def changed(self, name: str | None) -> None:
        """Wake the sockets that a change is about: of a player, a game or a channel; None is all.

        See `Database.watch`.
        """
        if name is None:
            self.look(None)
            return
        is_of_player = name.startswith(_PLAYER)
        players = [int(name.removeprefix(_PLAYER))] if is_of_player else [*self._sockets]
        for each in players:
            for socket in self._sockets.get(each, ()):
                socket.hear(name)

    def look(self, player_id: int | None) -> None:
        """Have a player's sockets look at their session and games again; None means everybody's."""
        players = [*self._sockets] if player_id is None else [player_id]
        for each in players:
            for socket in self._sockets.get(each, ()):
                socket.hear(None)

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Serve a WebSocket whose address has a token for a session."""
        token, sessions = request.query.get("token", ""), self._services.sessions
        async with self._access.counted(token):
            session = await sessions.passed(token)
        if session is None:
            raise SignedOutError
        if not self._has_room(session):
            raise TooFastError
        response = await _open(request)
        mine = self._sockets[session.player_id]
        socket = _Socket(self._services, response, session)
        mine.add(socket)
        gauges_here().listens(1)
        seconds = (session.ends_at - self._clock.now()).total_seconds()
        try:
            await socket.serve(seconds)
        finally:
            mine.discard(socket)
            gauges_here().listens(-1)
            if not mine:
                self._sockets.pop(session.player_id, None)
        return response

    def _has_room(self, session: Session) -> bool:
        is_full = sum(map(len, self._sockets.values())) >= _MOST
        return not is_full and len(self._sockets.get(session.player_id, ())) < _MOST_OF_ONE


async def give_token(call: Call) -> Data:
    return {"token": await call.services.sessions.pass_for(call.session)}


TOKEN: Final = Endpoint("POST", "live/token", give_token)

SOCKET: Final = web.RequestKey("socket", web.WebSocketResponse)
"""The key under which a request keeps its socket, once that is open."""


async def _open(request: web.Request) -> web.WebSocketResponse:
    socket = web.WebSocketResponse(
        heartbeat=_BEAT_SECONDS, max_msg_size=_MOST_BYTES, compress=False
    )
    await socket.prepare(request)
    request[SOCKET] = socket
    return socket


async def _first(response: web.WebSocketResponse) -> object:
    """Return the first message of a socket, read from JSON; None if it is late or no JSON."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_SILENT_SECONDS):
            return _read(await response.receive())
    return None


def _read(message: Any) -> object:
    if message.type is not WSMsgType.TEXT:
        return None
    try:
        return json.loads(message.data)
    except (ValueError, RecursionError):
        return None


class _Socket:
    def __init__(
        self,
        services: Services,
        response: web.WebSocketResponse,
        session: Session,
    ) -> None:
        self.response = response
        self._woken = asyncio.Event()
        self._services = services
        self._session = session
        self._told: dict[str, int] = {}
        self._due = set[str]()

    def hear(self, name: str | None) -> None:
        """Look soon at what is watched and has this name; with None, at everything.

        The player's own games, and plays of FoCdle, are when anything of the player has changed.
        """
        if name is None:
            due = set(self._told)
        elif name.startswith(_PLAYER):
            due = {each for each in self._told if each == _ME or each.startswith(Source.PLAY)}
        else:
            is_here = self._session.channel is not None and name == str(self._session.channel)
            due = {_PLACE if is_here else name} & self._told.keys()
            if not due:
                return
        self._due |= due
        self._woken.set()

    async def serve(self, seconds: float) -> None:
        """Serve the socket until the browser leaves or breaks the rules, or until the session ends.

        The session ends in `seconds`, or when it is signed out.
        """
        if not self._take(await _first(self.response)):
            await self.response.close(code=_WRONG)
            return
        hearing, telling = (asyncio.create_task(each) for each in (self._hear(), self._tell()))
        tasks = {hearing, telling}
        try:
            await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            code = _WRONG if hearing.done() else _SIGNED_OUT
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
        await self.response.close(code=code)
        for error in ended:
            if isinstance(error, Exception) and not isinstance(error, OSError):
                raise error

    async def _hear(self) -> None:
        while self._take(_read(await self.response.receive())):
            pass

    def _take(self, given: Any) -> bool:
        """Watch from now on what a message names; return False if it is refused.

        These are games; `place`, the channel of the session; and `me`, all games of the player.
        """
        match given:
            case {"player": str(player), "watch": list()} if len(given) == 2:  # noqa: PLR2004
                names = cast("list[object]", given["watch"])
                found = [self._watched(name) for name in names]
            case _:
                return False
        if player != str(self._session.player_id) or len(found) > _MOST_WATCHED:
            return False
        allowances = self._services.allowances
        for _ in range(max(1, len(found))):  # each is read at once
            if allowances.take(self._session.player_id, Cost.LIGHT) is not Admission.GRANTED:
                return False
        self._told = {name: -1 for name in found if name}
        self.hear(None)
        return True

    def _watched(self, given: object) -> str:
        """Return the name of what the page may watch; empty for anything else."""
        if given == _PLACE:
            return _PLACE if self._session.channel else ""
        if given == _ME:
            return _ME
        with suppress(ValueError):
            name = GameName.read(str(given))
            return str(name) if name.source in VERSIONS else ""
        return ""

    async def _tell(self) -> None:
        """Send the version of each watched game, now and after changes, until the session ends."""
        while True:
            await self._woken.wait()
            self._woken.clear()
            with suppress(StorageError):  # the page asks again
                if await self._services.sessions.running(self._session.digest) is None:
                    return
                while self._due:
                    await self._tell_of(self._due.pop())

    async def _tell_of(self, name: str) -> None:
        try:
            version = await self._version(name)
        except Refused:
            self._told.pop(name, None)
            return
        except StorageError:
            self._due.add(name)
            raise
        if self._told.get(name, version) != version:
            self._told[name] = version
            await self.response.send_json({"changed": name, "version": version})

    async def _version(self, name: str) -> int:
        """Return a game's version; of the place and the player, who have none, the next number.

        Raises:
            Refused: the player may not see the game, or is no longer known in the server.
        """
        call = Call(self._services, self._session, name, {})
        if name == _PLACE and await channel_of(call) is None:
            raise OutdatedError(what="a place")
        if name in {_PLACE, _ME}:
            return 1 + self._told.get(name, -1)
        return await VERSIONS[call.game.source](call)
