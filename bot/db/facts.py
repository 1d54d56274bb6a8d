"""Facts: a key-value table of what the bot remembers about itself."""

from sqlalchemy import delete, select

from bot.db import keyed
from bot.db.database import Transaction
from bot.db.tables.bookkeeping import facts


def get(tx: Transaction, name: str) -> str | None:
    return tx.scalar(select(facts.c.value).where(facts.c.name == name))


def beginning_with(tx: Transaction, prefix: str) -> dict[str, str]:
    query = select(facts.c.name, facts.c.value).where(facts.c.name.startswith(prefix))
    return {row.name: row.value for row in tx.execute(query)}


def remove(tx: Transaction, name: str) -> None:
    tx.execute(delete(facts).where(facts.c.name == name))


def put(tx: Transaction, name: str, value: str) -> None:
    keyed.put(tx, facts, {"name": name}, {"value": value})
