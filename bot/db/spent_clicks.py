"""Buttons that work once: on which messages one was pressed."""

from datetime import datetime

from sqlalchemy import delete, insert, select

from bot.clock import Clock
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.db.tables import spent_clicks


def add(tx: Transaction, message_id: int, spent_at: datetime) -> bool:
    """Note a click; whether it is the first on its message, which the transaction is about."""
    mine = spent_clicks.c.message_id == message_id
    if tx.scalar(select(spent_clicks.c.message_id).where(mine)) is not None:
        return False
    values = {"message_id": message_id, "spent_at": spent_at}
    tx.execute(insert(spent_clicks).values(values))
    return True


def purge(tx: Transaction, *, before: datetime) -> None:
    """Forget clicks of before an instant."""
    tx.execute(delete(spent_clicks).where(spent_clicks.c.spent_at < before))


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
            lambda tx: add(tx, message_id, self._clock.now()), keys.message(message_id)
        )
