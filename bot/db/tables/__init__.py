"""The tables. Notation is stored as it is: rules, secrets and guesses are short strings."""

from bot.db.tables import bookkeeping, games, kinds, people, posts
from bot.db.tables.kinds import metadata

__all__ = ["bookkeeping", "games", "kinds", "metadata", "people", "posts"]
