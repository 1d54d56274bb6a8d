"""Which pictures of tiles Discord was last given, so that it is given only what changed."""

import hashlib

from bot.storage import emojis
from bot.storage.database import Database


def digest(picture: bytes) -> str:
    """A short string that changes when the picture does."""
    return hashlib.sha256(picture).hexdigest()


class TileDigests:
    """Remembers the digests of the pictures that each application's emojis were made from."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, application_id: int) -> dict[str, str]:
        """The digests of an application's emojis, by their names."""
        async with self._database.transaction() as tx:
            return await emojis.get(tx, application_id)

    async def remember(self, application_id: int, name: str, mark: str) -> None:
        """Note that Discord has been given the picture with this digest under a name."""
        async with self._database.transaction() as tx:
            await emojis.put(tx, application_id, name, mark)
