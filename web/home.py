"""The start page: who plays, today's puzzle, open games, how to play; faces; signing out."""

from base64 import b64encode
from typing import Final

from aiohttp import web

from bot.clock import PuzzleName
from bot.home import web_words
from bot.people.album import Album
from bot.pool.pool import in_thread
from bot.text.language import spoken
from bot.text.pictures.boards import colour_of, encode_avatar
from web.endpoints import Call, Data, Endpoint, server_of

_MOST_LISTED: Final = 10


async def me(call: Call) -> Data:
    """Return who plays, which each screen asks first."""
    services, player = call.services, call.player_id
    return {
        "player": str(player),
        "name": await services.sessions.name(player),
        "face": (await services.faces.named(player, [player])).get(player, ""),
        "colour": colour_of(player),
        "palette": (await services.preferences.view(player)).palette,
        "language": spoken(),
    }


async def start(call: Call) -> Data:
    """Return the start page: today's puzzle, and up to ten other unfinished games."""
    services, player, server = call.services, call.player_id, await server_of(call)
    agenda = await services.agendas.of(player, server)
    unfinished = await services.agendas.unfinished(player)
    games = [game for each in unfinished if (game := web_words.listed(each, player))]
    return {
        "today": web_words.today(agenda),
        "finishers": await _company(call, server, agenda.puzzle),
        "games": sorted(games, key=lambda game: not game["waits"])[:_MOST_LISTED],
        "levels": web_words.levels(),
    }


async def finishers(call: Call, puzzle: PuzzleName) -> Data:
    """Show who else in the session's server has finished a daily on its date."""
    return await _company(call, await server_of(call), puzzle)


async def _company(call: Call, server: int | None, puzzle: PuzzleName) -> Data:
    return web_words.company(await call.services.faces.finishers(call.player_id, server, puzzle))


async def how(_call: Call) -> Data:
    return {"topics": web_words.how_to_play()}


async def leave(call: Call) -> Data:
    await call.services.sessions.end(call.session)
    return {}


def face_from(album: Album | None) -> Endpoint:
    """Build the endpoint that shows an avatar to whom it was named; without an album, none.

    In Discord's frame a picture's own request would carry no session: so it comes as data.
    """

    async def face(call: Call) -> Data:
        found = await call.services.faces.find(call.player_id, await server_of(call), call.place)
        avatars = await album.find([found]) if album and found else {}
        if not avatars:
            raise web.HTTPNotFound
        (avatar,) = avatars.values()
        picture = b64encode(await in_thread(encode_avatar, avatar)).decode()
        return {"picture": f"data:image/png;base64,{picture}"}

    return Endpoint("GET", r"face/{place:[0-7][0-9a-f]{31}}", face)


ENDPOINTS: Final = (
    Endpoint("GET", "me", me),
    Endpoint("GET", "start", start),
    Endpoint("GET", "how", how),
    Endpoint("POST", "leave", leave),
)
