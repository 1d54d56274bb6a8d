"""The tables. Notation is stored as it is: rules, secrets and guesses are short strings."""

from bot.storage.schema.bookkeeping import (
    emojis,
    facts,
    outages,
)
from bot.storage.schema.choices import (
    guild_lengths,
    guilds,
    preferences,
    zones,
)
from bot.storage.schema.duels import (
    duel_moves,
    duel_seats,
    duels,
    rating_changes,
    ratings,
)
from bot.storage.schema.focdle import (
    guesses,
    plays,
    puzzles,
    shares,
    streak_changes,
    streaks,
)
from bot.storage.schema.kinds import (
    UtcDateTime,
    metadata,
)
from bot.storage.schema.mastermind import (
    mastermind_turns,
    masterminds,
)

__all__ = [
    "UtcDateTime",
    "duel_moves",
    "duel_seats",
    "duels",
    "emojis",
    "facts",
    "guesses",
    "guild_lengths",
    "guilds",
    "mastermind_turns",
    "masterminds",
    "metadata",
    "outages",
    "plays",
    "preferences",
    "puzzles",
    "rating_changes",
    "ratings",
    "shares",
    "streak_changes",
    "streaks",
    "zones",
]
