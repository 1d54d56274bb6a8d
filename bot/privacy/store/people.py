"""Everybody of whom a database has something."""

from sqlalchemy import select

from bot.db.database import Transaction
from bot.db.tables import FIRST_PLAYER
from bot.privacy.store.declared import DECLARED


async def players(tx: Transaction) -> set[int]:
    """The ids of all players who are named anywhere, servers' among them where one column has both.

    It goes through whole tables, so nobody is to wait for it.
    """
    found: set[int] = set()
    for table, held in DECLARED.items():
        for name in filter(None, (held.player, *held.named, *held.whom)):
            column = table.c[name]
            query = select(column).where(column >= FIRST_PLAYER).distinct()
            found.update((await tx.scalars(query)).all())
    return found
