"""A server's first day with the bot: what its manager chooses then need not wait."""

from datetime import datetime, timedelta
from typing import Final

from bot.db.database import Transaction
from bot.focdle.store import plays
from bot.posts.game.beginning_anew import is_remembered

FIRST_DAY: Final = timedelta(days=1)
"""How long after its first daily was opened a server is on its first day."""


async def is_first_day(tx: Transaction, guild_id: int, now: datetime) -> bool:
    """Whether a server is new at an instant: its first daily was opened a day before at most.

    One that has deleted its data of late is not, nor one that adds the bot again: its plays stay.
    """
    if await plays.has_daily(tx, guild_id, before=now - FIRST_DAY):
        return False
    return not await is_remembered(tx, guild_id, now)
