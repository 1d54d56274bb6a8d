"""The tables. Notation is stored as it is: rules, secrets and guesses are short strings."""

from bot.storage.schema.bookkeeping import (
    emojis,
    facts,
    leases,
    login_slots,
    outages,
    pulses,
    spent_clicks,
)
from bot.storage.schema.choices import (
    blocks,
    guild_lengths,
    guilds,
    preferences,
    zones,
)
from bot.storage.schema.coach import (
    analyses,
    hints,
    pars,
)
from bot.storage.schema.duels import (
    CALLED_OFF,
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
    streak_changes,
    streaks,
)
from bot.storage.schema.kinds import (
    FIRST_PLAYER,
    RowId,
    UtcDateTime,
    metadata,
)
from bot.storage.schema.mastermind import (
    CHALLENGES,
    FLEETING,
    mastermind_turns,
    masterminds,
)
from bot.storage.schema.posts import (
    finishers,
    finishers_threads,
    post_plans,
    posts,
    reminder_plans,
    reminders,
    streak_restorations,
)
from bot.storage.schema.privacy import (
    departed_guilds,
    erasures,
    kept_pairs,
    kept_ratings,
    kept_salts,
    spent_dailies,
)
from bot.storage.schema.shares import (
    always_shares,
    running_messages,
    running_rows,
    shares,
)
from bot.storage.schema.standings import (
    members,
    players,
    standing_levels,
    standing_rebuilds,
    standings,
)

__all__ = [
    "CALLED_OFF",
    "CHALLENGES",
    "FIRST_PLAYER",
    "FLEETING",
    "RowId",
    "UtcDateTime",
    "always_shares",
    "analyses",
    "blocks",
    "departed_guilds",
    "duel_moves",
    "duel_seats",
    "duels",
    "emojis",
    "erasures",
    "facts",
    "finishers",
    "finishers_threads",
    "guesses",
    "guild_lengths",
    "guilds",
    "hints",
    "kept_pairs",
    "kept_ratings",
    "kept_salts",
    "leases",
    "login_slots",
    "mastermind_turns",
    "masterminds",
    "members",
    "metadata",
    "outages",
    "pars",
    "players",
    "plays",
    "post_plans",
    "posts",
    "preferences",
    "pulses",
    "puzzles",
    "rating_changes",
    "ratings",
    "reminder_plans",
    "reminders",
    "running_messages",
    "running_rows",
    "shares",
    "spent_clicks",
    "spent_dailies",
    "standing_levels",
    "standing_rebuilds",
    "standings",
    "streak_changes",
    "streak_restorations",
    "streaks",
    "zones",
]
