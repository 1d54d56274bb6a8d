"""What the page asks of the server: endpoints, what they take, how they answer."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from http import HTTPStatus
from typing import Any, Final, cast

from aiohttp import web

from bot.coach.model import FirstHintError
from bot.errors import LostDatabaseError, StorageError, UnusableDatabaseError
from bot.focdle.model import GuessRefusedError
from bot.games.model import Channel, GameName, Source
from bot.home.web_words import GONE, SENTENCES
from bot.page.model import (
    WRITING,
    Came,
    NoCookiesError,
    NoPlaceError,
    OtherPlayerError,
    Session,
    SignedOutError,
    StrangerError,
    TicketGoneError,
    UnheardError,
)
from bot.people.game import Cost
from bot.races.model import RaceGuessRefusedError
from bot.refusals import refusal
from bot.refused import (
    MayNotSpeakError,
    MovedOnError,
    NotAMemberError,
    OutdatedError,
    Refused,
    TextRefusedError,
    TooFastError,
)
from bot.services import Services
from bot.text.labels import SHARE_BUTTON
from bot.text.language import ENGLISH, is_known, offered_for, say, speak
from bot.text.markup import visible
from engine import GameOverError, NotYourTurnError

MOST_BYTES: Final = 2048
"""The most bytes of the body of a request."""
Data = dict[str, object]
_MENTION: Final = re.compile(r"<@(\d{1,19})>", re.ASCII)
_STATUSES: Final[tuple[tuple[type[Exception], HTTPStatus], ...]] = (
    (OutdatedError, HTTPStatus.BAD_REQUEST),
    (SignedOutError, HTTPStatus.UNAUTHORIZED),
    (StrangerError, HTTPStatus.UNAUTHORIZED),
    (NoPlaceError, HTTPStatus.FORBIDDEN),
    *((kind, HTTPStatus.NOT_FOUND) for kind in GONE),
    (OtherPlayerError, HTTPStatus.CONFLICT),
    (MovedOnError, HTTPStatus.CONFLICT),
    (TicketGoneError, HTTPStatus.GONE),
    (NoCookiesError, HTTPStatus.PRECONDITION_REQUIRED),
    (TooFastError, HTTPStatus.TOO_MANY_REQUESTS),
    (StorageError, HTTPStatus.SERVICE_UNAVAILABLE),
    (UnheardError, HTTPStatus.SERVICE_UNAVAILABLE),
)


@dataclass(frozen=True, slots=True)
class Call:
    """A request that a player's page makes.

    Attributes:
        place: the name of the game in its path; empty where there is none.
        given: the fields of its body or query, checked by `Endpoint.takes`.
    """

    services: Services
    session: Session
    place: str
    given: Mapping[str, Any]

    @property
    def player_id(self) -> int:
        return self.session.player_id

    @property
    def game(self) -> GameName:
        return GameName.read(self.place)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """What answers one method and path below `api/`.

    `takes` maps each field's name to its type. A question mark after the name means that the field
    may be missing.
    """

    method: str
    path: str
    answer: Callable[[Call], Awaitable[Data]]
    cost: Cost = Cost.LIGHT
    takes: Mapping[str, type] = field(default_factory=dict[str, type])


def path_of(source: Source) -> str:
    """Return the path of games of a kind, such as `race-3`; `Call.game` is the one asked for."""
    return rf"{{place:{source}-[0-9]{{1,18}}}}"


async def server_of(call: Call) -> int | None:
    """The server of the session; None in private, or if the player is no longer known there."""
    guild_id = call.session.guild_id
    if guild_id is None or call.services.moderation.is_server_kept_out(guild_id):
        return None
    is_there = await call.services.standings.members.knows(call.player_id, guild_id)
    return guild_id if is_there else None


async def channel_of(call: Call) -> Channel | None:
    """The session's channel, as a click or Discord named it; None as in `server_of`."""
    return None if await server_of(call) is None else call.session.channel


async def require_may_write(
    call: Call, channel: Channel | None, other_id: int | None = None
) -> None:
    """Let the bot ask Discord whether the player may write in a channel, where others see it.

    Raises:
        MayNotSpeakError: they may not, or the bot may not, or there is no channel.
        NotAMemberError: the other player is no member there.
        UnheardError: the bot or Discord did not answer.
    """
    if channel is None:
        raise MayNotSpeakError(channel_id=0, instead="")
    posting = call.services.posting

    async def came(player_id: int) -> str:
        await posting.ask(player_id, channel, WRITING)
        return await posting.wait(player_id, channel, WRITING)

    own, *others = await asyncio.gather(*map(came, [call.player_id, *filter(None, [other_id])]))
    if own in {Came.REFUSED, Came.ABSENT}:
        raise MayNotSpeakError(channel_id=channel.channel_id, instead="")
    if others == [Came.ABSENT]:
        raise NotAMemberError(player_id=other_id or 0)
    if not {own, *others} <= {Came.SENT, Came.REFUSED}:
        raise UnheardError


async def completed(call: Call, data: Data) -> Data:
    """Complete an answer by what all games have in common.

    That are the names of players whom its texts mention, by id, where known; and *Share* before the
    coach, besides the text to copy, where the page was opened in a channel.
    """
    actions = cast("list[Data]", data.get("actions", []))
    acts = [each["act"] for each in actions]
    if call.session.channel is not None and "share" in acts:
        at = acts.index("verdict" if "verdict" in acts else "share")
        post: Data = {"act": "post", "label": say(SHARE_BUTTON)}
        data = data | {"actions": [*actions[:at], post, *actions[at:]]}
    ids = {int(each) for each in _MENTION.findall(json.dumps(data))}
    if not ids:
        return data
    found = await call.services.sessions.names(ids)
    return data | {"names": {str(each): visible(name) for each, name in found.items()}}


async def read_given(request: web.Request, takes: Mapping[str, type]) -> dict[str, Any]:
    """Read the fields in a request's JSON body, or those in the query of a GET request.

    Raises:
        OutdatedError: the body is no JSON object, or a field is unknown, missing, or of another
            type than in `takes`.
    """
    if request.method == "GET":
        given: Any = dict(request.query)
    else:
        try:
            given = json.loads(await request.text())
        except (ValueError, LookupError, RecursionError) as error:  # LookupError: no such charset
            raise OutdatedError(what="a body") from error
    kinds = {name.removesuffix("?"): kind for name, kind in takes.items()}
    needed = {name for name in takes if not name.endswith("?")}
    if not isinstance(given, dict) or not needed <= given.keys() <= kinds.keys():
        raise OutdatedError(what="a body")
    found = cast("dict[str, Any]", given)
    try:
        return {name: _checked(value, kinds[name]) for name, value in found.items()}
    except ValueError as error:
        raise OutdatedError(what="a body") from error


def _checked(value: object, kind: type) -> object:
    if issubclass(kind, Enum):
        return kind(value)
    if type(value) is not kind:
        raise ValueError(value)
    return value


def tag_of(request: web.Request) -> str:
    """Return the language that the browser asks for first, if it is one to us; else English.

    What any stranger calls a language would stay in memory.
    """
    first = request.headers.get("Accept-Language", "").partition(",")[0]
    tag = first.partition(";")[0].strip()
    return next(filter(is_known, (tag, tag.partition("-")[0])), ENGLISH)


async def speak_to(services: Services, player_id: int, request: web.Request) -> None:
    """Speak a player's language: as chosen, as last answered in Discord, or as the browser's.

    If that is the browser's, too, dates are the browser's.
    """
    chosen, answered_in = await services.languages.of_player(player_id)
    known, asked = chosen or answered_in, tag_of(request)
    speak(asked if known is None or known == offered_for(asked) else known)


def answered(data: Data, status: HTTPStatus = HTTPStatus.OK) -> web.Response:
    return web.json_response(text=json.dumps(data), status=status)


def is_about_state(error: Refused) -> bool:
    """True if the page has to show the game anew: what it showed is past, not what was typed."""
    is_typed = isinstance(error, TextRefusedError)
    return not is_typed or isinstance(error.cause, GameOverError | NotYourTurnError)


def refused(error: Exception, play: Data | None = None) -> web.Response | None:
    """Turn a refusal, or a failure of the database, into a response; None for a bug of ours.

    `play` is the game as it is now, if the page has to show that.
    """
    if isinstance(error, UnusableDatabaseError):
        error = LostDatabaseError()  # whose sentence names no command
    here = SENTENCES.get(type(error))
    said = refusal(error) if here is None else say(here)
    if said is None:
        return None
    kinds = (status for kind, status in _STATUSES if isinstance(error, kind))
    data: Data = {"said": said.splitlines()}
    if play is not None:
        data["play"] = play
    if isinstance(error, GuessRefusedError | RaceGuessRefusedError):
        data["ask"] = error.probe is not None
    if isinstance(error, FirstHintError):
        data["asks"] = "hint"
    return answered(data, next(kinds, HTTPStatus.UNPROCESSABLE_ENTITY))
