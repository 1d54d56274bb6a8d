"""The ids of the coach's pages, lessons and replays, which lead to each other."""

from typing import Final

from bot.games.model.games import Source
from cogs.ui.routes import Argument, Route, member_of, one_of

# Without a seat, the own guesses.
_GAME: Final = {
    "source": member_of(Source),
    "seat": one_of({"0": 0, "1": 1, "m": None}),
}

SEE: Final = Route("coach:see:{source}:{game:int}:{seat}:{number:int}", **_GAME)
"""A page of the coach's in a message of its own."""
TURN: Final = Route(
    "coach:turn:{source}:{game:int}:{seat}:{number:int}:{details?}",
    details=one_of({"details": True}),
    **_GAME,
)
"""One in place of what was pressed."""

FIND: Final = Route("coach:find:{play:int}:{turn:int}")
"""A finished FoCdle before one of its guesses, 0 for the first."""

_REPLAYED: Final = _GAME | {"source": Argument("(?:mastermind|duel)", Source)}

REPLAY: Final = Route("replay:open:{source}:{game:int}:{seat}", **_REPLAYED)
"""A replay before its first guess."""
STEP: Final = Route("replay:turn:{player:int}:{source}:{game:int}:{seat}:{step:int}", **_REPLAYED)
"""A replay that a player shows, after so many guesses."""
SHOW: Final = Route("replay:show:{source}:{game:int}:{seat}", **_REPLAYED)
"""A replay for everybody."""

_FORMER: Final = _GAME | {"source": Argument("play", Source)}
FORMER_REPLAYS: Final = (
    Route("replay:open:{source}:{game:int}:{seat}", **_FORMER),
    Route("replay:turn:{player:int}:{source}:{game:int}:{seat}:{step:int}", **_FORMER),
    Route("replay:show:{source}:{game:int}:{seat}", **_FORMER),
)
"""Those of FoCdles, which had some once; they lead to the coach."""
