"""How many games that count for nothing each player has begun on the last day with any."""

from datetime import date
from typing import Final

from sqlalchemy import delete

from bot.db.database import Transaction
from bot.db.keyed import Keyed
from bot.db.tables import free_games
from bot.games.model.free_games import FreeGames

of_player: Final = Keyed[FreeGames, int](FreeGames, free_games)
"""A player's; nothing if they never began any, or not of late."""


async def purge(tx: Transaction, before: date) -> None:
    """Forget what was before a date."""
    await tx.execute(delete(free_games).where(free_games.c.day < before))
