"""Clicks that do something once and have no row of their own to say that it is done."""

from typing import Final

from bot.storage import facts
from bot.storage.database import Database

_FACT: Final = "spent_clicks"
_MOST: Final = 12
"""Of two clicks at once, the second comes before a dozen others have."""


class SpentClicks:
    """Remembers on which messages something was last done.

    Whoever does it takes its button off the message; this is for clicks that come before that.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def spend(self, message_id: int) -> bool:
        """Whether nobody has done it on this message of late; from now on somebody has."""
        async with self._database.transaction() as tx:
            spent = (await facts.get(tx, _FACT) or "").split()
            if str(message_id) in spent:
                return False
            await facts.put(tx, _FACT, " ".join([*spent, str(message_id)][-_MOST:]))
            return True
