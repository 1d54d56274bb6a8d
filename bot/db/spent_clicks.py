"""Buttons that work once: remembers for a day on which messages one was pressed."""

from bot.clock import Clock
from bot.db import keys
from bot.db import spent_click_rows as spent_clicks
from bot.db.database import Database


class SpentClicks:
    """Remembers the messages whose one-time button was pressed.

    The first click takes the button off its message. A second click that comes before that, to
    this process or another one, is told apart here.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def spend(self, message_id: int) -> bool:
        """Note a click on a message's button; returns whether it is the first."""
        return await self._database.write(
            lambda tx: spent_clicks.add(tx, message_id, self._clock.now()), keys.message(message_id)
        )
