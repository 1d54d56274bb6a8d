"""The start page: who plays, today's puzzle, open games, how to play; and signing out."""

from typing import Final

from bot.clock import PuzzleName
from bot.home import web_pages
from web.endpoints import Call, Data, Endpoint, server_of

_MOST_LISTED: Final = 10


async def me(call: Call) -> Data:
    """Return the player, today's puzzle, and up to ten other unfinished games."""
    services, player = call.services, call.player_id
    chosen = await services.preferences.view(player)
    agenda = await services.agendas.of(player, await server_of(call))
    unfinished = await services.agendas.unfinished(player)
    games = [game for each in unfinished if (game := web_pages.listed(each, player))]
    return {
        "player": str(player),
        "name": await services.sessions.name(player),
        "palette": chosen.palette,
        "today": web_pages.today(agenda),
        "finishers": await finishers(call, agenda.puzzle),
        "games": sorted(games, key=lambda game: not game["waits"])[:_MOST_LISTED],
        "levels": web_pages.levels(),
    }


async def finishers(call: Call, puzzle: PuzzleName) -> Data:
    """Show who else in the session's server has finished a daily on its date."""
    server = await server_of(call)
    return web_pages.company(await call.services.faces.finishers(call.player_id, server, puzzle))


async def how(_call: Call) -> Data:
    return {"topics": web_pages.how_to_play()}


async def leave(call: Call) -> Data:
    await call.services.sessions.end(call.session)
    return {}


ENDPOINTS: Final = (
    Endpoint("GET", "me", me),
    Endpoint("GET", "how", how),
    Endpoint("POST", "leave", leave),
)
