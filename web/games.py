"""All games on the page: their endpoints, and by kind what shows one, or tells its version."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from bot.games.model import Source
from web import duels, focdle, mastermind, races
from web.endpoints import Call, Data

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
ENDPOINTS: Final = (*focdle.ENDPOINTS, *mastermind.ENDPOINTS, *duels.ENDPOINTS, *races.ENDPOINTS)
