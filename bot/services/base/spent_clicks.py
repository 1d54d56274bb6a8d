"""Buttons that work once: remembers the last messages on which one was pressed."""

from typing import Final

from bot.storage import facts
from bot.storage.database import Database

_FACT: Final = "spent_clicks"
_MOST: Final = 12
"""How many messages are remembered; a double click's second comes before so many others."""


class SpentClicks:
    """Remembers the messages whose one-time button was pressed last.

    The first click takes the button off its message. A second click that comes before that is
    told apart here.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def spend(self, message_id: int) -> bool:
        """Note a click on a message's button; returns whether it is the first."""
        async with self._database.transaction() as tx:
            spent = (await facts.get(tx, _FACT) or "").split()
            if str(message_id) in spent:
                return False
            await facts.put(tx, _FACT, " ".join([*spent, str(message_id)][-_MOST:]))
            return True
