"""Remembers which commands, tiles and pegs Discord has, so that only changes are sent."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import select

from bot.db import facts, keyed
from bot.db.database import Database, Transaction
from bot.db.tables.bookkeeping import emojis

COMMANDS: Final = "synced_commands"
"""The name of the fact with the fingerprint of the commands that Discord has."""


def fingerprint(application_id: int, definitions: Sequence[dict[str, Any]]) -> str:
    """Hash an application's id and the definitions of its commands."""
    text = json.dumps([application_id, list(definitions)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def digest(picture: bytes) -> str:
    return hashlib.sha256(picture).hexdigest()


def digests_of(tx: Transaction, application_id: int) -> dict[str, str]:
    """Read the digests of the pictures of which an application's emojis were made, by name."""
    rows = tx.execute(
        select(emojis.c.name, emojis.c.digest).where(emojis.c.application_id == application_id)
    )
    return {row.name: row.digest for row in rows}


class Synced:
    """Stores what Discord has: a fingerprint of our commands, digests of our emojis' pictures."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def has_commands(self, mark: str) -> bool:
        """Return true if the commands that Discord has are those with this fingerprint."""
        return await self._database.read(lambda tx: facts.get(tx, COMMANDS) == mark)

    async def remember_commands(self, mark: str) -> None:
        await self._database.write(lambda tx: facts.put(tx, COMMANDS, mark))

    async def digests(self, application_id: int) -> dict[str, str]:
        return await self._database.read(lambda tx: digests_of(tx, application_id))

    async def remember_digest(self, application_id: int, name: str, mark: str) -> None:
        key = {"application_id": application_id, "name": name}
        await self._database.write(lambda tx: keyed.put(tx, emojis, key, {"digest": mark}))
