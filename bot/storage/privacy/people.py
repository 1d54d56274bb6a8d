"""Everybody of whom a database has something."""

from sqlalchemy import select

from bot.storage.database import Transaction
from bot.storage.privacy.declared import DECLARED
from bot.storage.schema import FIRST_PLAYER


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
