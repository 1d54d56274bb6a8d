"""All games on the page: their endpoints, and by kind what shows one, or tells its version."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from bot.games.model import Source
from bot.people.game import Cost
from bot.refused import OutdatedError
from web import duels, focdle, home, lobby, mastermind, races
from web.endpoints import Call, Data, Endpoint, channel_of, path_of

VIEWS: Final[Mapping[Source, Callable[[Call], Awaitable[Data]]]] = {
    Source.PLAY: focdle.view,
    Source.MASTERMIND: mastermind.view,
    Source.DUEL: duels.view,
    Source.RACE: races.view,
}
VERSIONS: Final[Mapping[Source, Callable[[Call], Awaitable[int]]]] = {
    Source.PLAY: focdle.version,
    Source.MASTERMIND: mastermind.version,
    Source.DUEL: duels.version,
    Source.RACE: races.version,
}
_RESULTS: Final[Mapping[Source, Callable[[Call], Awaitable[str]]]] = {
    Source.PLAY: focdle.result,
    Source.MASTERMIND: mastermind.result,
    Source.DUEL: duels.result,
}


async def share(call: Call) -> Data:
    return {"text": await _RESULTS[call.game.source](call)}


async def post(call: Call) -> Data:
    """Have the bot share a result in the channel where the page was opened; say what came of it."""
    shared, here, posting = await share(call), await channel_of(call), call.services.posting
    if here is None:
        raise OutdatedError(what="a place")
    await posting.ask(call.player_id, here, call.game)
    return shared | {"came": await posting.wait(call.player_id, here, call.game)}


async def verdict(call: Call) -> Data:
    await VERSIONS[call.game.source](call)  # it must be a game that the player may see
    return await focdle.verdict(call)


ENDPOINTS: Final = (
    *(*focdle.ENDPOINTS, *mastermind.ENDPOINTS, *duels.ENDPOINTS, *races.ENDPOINTS),
    *(*home.ENDPOINTS, *lobby.ENDPOINTS),
    *(Endpoint("GET", f"{path_of(source)}/verdict", verdict, Cost.COACH) for source in VERSIONS),
    *(Endpoint("GET", f"{path_of(source)}/share", share) for source in _RESULTS),
    *(Endpoint("POST", f"{path_of(source)}/share", post) for source in _RESULTS),
)
