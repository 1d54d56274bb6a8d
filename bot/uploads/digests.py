"""Digests of the pictures that Discord has as emojis of an application."""

from sqlalchemy import select

from bot.db import keyed
from bot.db.database import Transaction
from bot.db.tables import emojis


def get(tx: Transaction, application_id: int) -> dict[str, str]:
    """The digests of an application's pictures, by the emojis' names."""
    rows = tx.execute(
        select(emojis.c.name, emojis.c.digest).where(emojis.c.application_id == application_id)
    )
    return {row.name: row.digest for row in rows}


def put(tx: Transaction, application_id: int, name: str, digest: str) -> None:
    """Store the digest of an emoji's picture, replacing what was there."""
    key = {"application_id": application_id, "name": name}
    keyed.put(tx, emojis, key, {"digest": digest})
