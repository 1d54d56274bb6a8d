"""Facts: short texts by name that the bot must remember about itself."""

from collections.abc import Collection

from sqlalchemy import delete, select

from bot.storage import keyed
from bot.storage.database import Transaction
from bot.storage.schema import facts


async def get(tx: Transaction, name: str) -> str | None:
    """The value stored under a name, if any."""
    return await tx.scalar(select(facts.c.value).where(facts.c.name == name))


async def get_all(tx: Transaction, names: Collection[str]) -> dict[str, str]:
    """The values stored under these names, of those that there are."""
    query = select(facts.c.name, facts.c.value).where(facts.c.name.in_(names))
    return {row.name: row.value for row in await tx.execute(query)}


async def remove(tx: Transaction, name: str) -> None:
    """Forget what is stored under a name, if anything is."""
    await tx.execute(delete(facts).where(facts.c.name == name))


async def put(tx: Transaction, name: str, value: str) -> None:
    """Store a value under a name, replacing what was there."""
    await keyed.put(tx, facts, {"name": name}, {"value": value})
