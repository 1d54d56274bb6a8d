"""All games by name: what the shared parts of the bot read in place of each game's modules."""

from typing import Final

from bot.clock import Clock
from bot.db.database import Database
from bot.duels.feature import DUELS, DuelServices
from bot.equations.feature import EQUATIONS
from bot.equations.game import Equations
from bot.focdle.feature import FOCDLE
from bot.focdle.game import Daily, Practice
from bot.games.model import FAIR
from bot.mastermind.feature import MASTERMIND, MastermindServices
from bot.outages import ShardRange
from bot.pool.pool import Pool
from bot.posts.finishers import note_finisher
from bot.races.feature import RACES
from bot.races.game import Races

PUZZLES: Final = (FOCDLE, EQUATIONS, RACES)
"""Games in which all guess the same secret."""
CODES: Final = (MASTERMIND, DUELS)
"""Games in which two, or a player and the bot, guess each other's secrets."""
FEATURES: Final = (*PUZZLES, *CODES)
IN_PLAY: Final = (RACES, EQUATIONS, DUELS, MASTERMIND, FOCDLE)
"""The same, in the order of *My games* in `/play`."""
IN_HELP: Final = (FOCDLE, MASTERMIND, DUELS, EQUATIONS, RACES)
"""The same, in the order of `/help`."""
FINISHED: Final = {
    feature.finished.source: feature.finished
    for feature in FEATURES
    if feature.finished is not None
}
TALLIES: Final = tuple(feature.tally for feature in FEATURES if feature.tally is not None)


class GameServices:
    """The use cases of all games, which `Services` has."""

    def __init__(
        self, database: Database, clock: Clock, pool: Pool, key: str, shards: ShardRange
    ) -> None:
        self.daily = Daily(database, clock, key, note_finisher)
        self.practice = Practice(database, clock)
        self.mastermind = MastermindServices.on(database, clock, pool, shards)
        self.duels = DuelServices.on(database, clock, key, shards=shards)
        self.equations = Equations(database, clock, shards)
        self.races = Races(database, clock, FAIR, shards)
