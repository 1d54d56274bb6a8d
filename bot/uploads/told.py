"""Remembers which commands and tiles Discord was last sent, so that only changes are sent."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import select

from bot.db import facts, keyed
from bot.db.database import Database, Transaction
from bot.db.tables import emojis


def digests_of(tx: Transaction, application_id: int) -> dict[str, str]:
    """The digests of an application's pictures, by the emojis' names."""
    rows = tx.execute(
        select(emojis.c.name, emojis.c.digest).where(emojis.c.application_id == application_id)
    )
    return {row.name: row.digest for row in rows}


def put_digest(tx: Transaction, application_id: int, name: str, digest: str) -> None:
    """Store the digest of an emoji's picture, replacing what was there."""
    key = {"application_id": application_id, "name": name}
    keyed.put(tx, emojis, key, {"digest": digest})


SYNCED: Final = "synced_commands"
"""The fact that has the fingerprint of the commands that Discord was last told."""


def fingerprint(application_id: int, definitions: Sequence[dict[str, Any]]) -> str:
    """A short string that changes when the application or any definition does."""
    text = json.dumps([application_id, list(definitions)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


class SyncedCommands:
    """Remembers the fingerprint of the commands that Discord has."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def are(self, mark: str) -> bool:
        """Whether Discord was last told the definitions with this fingerprint."""
        return await self._database.read(lambda tx: facts.get(tx, SYNCED) == mark)

    async def remember(self, mark: str) -> None:
        """Note that Discord has been told."""
        await self._database.write(lambda tx: facts.put(tx, SYNCED, mark))


def digest(picture: bytes) -> str:
    """A short string that changes when the picture does."""
    return hashlib.sha256(picture).hexdigest()


class TileDigests:
    """Remembers the digests of the pictures that each application's emojis were made from."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, application_id: int) -> dict[str, str]:
        """The digests of an application's emojis, by their names."""
        return await self._database.read(lambda tx: digests_of(tx, application_id))

    async def remember(self, application_id: int, name: str, mark: str) -> None:
        """Note that Discord has been given the picture with this digest under a name."""
        await self._database.write(lambda tx: put_digest(tx, application_id, name, mark))
