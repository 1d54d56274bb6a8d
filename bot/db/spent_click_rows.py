"""Messages on which a button was pressed that works once."""

from datetime import datetime

from sqlalchemy import delete, insert, select

from bot.db.database import Transaction
from bot.db.tables import spent_clicks


async def add(tx: Transaction, message_id: int, spent_at: datetime) -> bool:
    """Note a click; whether it is the first on its message, which the transaction is about."""
    mine = spent_clicks.c.message_id == message_id
    if await tx.scalar(select(spent_clicks.c.message_id).where(mine)) is not None:
        return False
    values = {"message_id": message_id, "spent_at": spent_at}
    await tx.execute(insert(spent_clicks).values(values))
    return True


async def purge(tx: Transaction, *, before: datetime) -> None:
    """Forget clicks of before an instant."""
    await tx.execute(delete(spent_clicks).where(spent_clicks.c.spent_at < before))
