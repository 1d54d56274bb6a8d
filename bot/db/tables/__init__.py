"""The tables. Rules, secrets and guesses are stored as short strings in the games' notation."""

from bot.db.tables import bookkeeping, games, kinds, people, posts
from bot.db.tables.kinds import metadata

__all__ = ["bookkeeping", "games", "kinds", "metadata", "people", "posts"]
