"""Two players beside each other on the dates that both have played."""

from datetime import datetime

from bot.clock import first_running
from bot.db.database import Transaction
from bot.games.model.rivals import FEWEST_SHARED, SharedDailies
from bot.leaderboards.store import shared
from bot.people.store import preferences
from engine import Focdle

_LOST = Focdle().max_guesses + 1
"""What a daily counts as that was not solved."""


async def shared_dailies(
    tx: Transaction, one_id: int, other_id: int, now: datetime
) -> SharedDailies | None:
    """How dailies went that both have finished, if these are enough and their dates are over.

    Who hides is compared with nobody, and nobody with them.
    """
    for player_id in (one_id, other_id):
        if await preferences.is_hidden(tx, player_id):
            return None
    before = first_running(now)
    found = await shared.shared_dailies(tx, one_id, other_id, before=before, most=_LOST)
    return found if found.dailies >= FEWEST_SHARED else None
