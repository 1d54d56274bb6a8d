"""All games by name: what the shared parts of the bot read in place of each game's modules."""

from typing import Final

from bot.duels.feature import DUELS
from bot.equations.feature import EQUATIONS
from bot.focdle.feature import FOCDLE
from bot.mastermind.feature import MASTERMIND
from bot.races.feature import RACES

PUZZLES: Final = (FOCDLE, EQUATIONS, RACES)
"""Games in which all guess the same secret."""
CODES: Final = (MASTERMIND, DUELS)
"""Games in which two, or a player and the bot, guess each other's secrets."""
FEATURES: Final = (*PUZZLES, *CODES)
IN_PLAY: Final = (RACES, EQUATIONS, DUELS, MASTERMIND, FOCDLE)
"""The same, in the order of *My games* in `/play`."""
IN_HELP: Final = (FOCDLE, MASTERMIND, EQUATIONS, RACES, DUELS)
"""The same, in the order of `/help`."""
FINISHED: Final = {
    feature.finished.source: feature.finished
    for feature in FEATURES
    if feature.finished is not None
}
TALLIES: Final = tuple(feature.tally for feature in FEATURES if feature.tally is not None)
