"""What every interaction is held against: who is kept out, and whom to tell that they are off."""

from typing import Final

from bot.db import facts, keys
from bot.db.database import Database, Transaction
from bot.moderation import store

USER: Final = "user"
SERVER: Final = "server"


class Moderation:
    """All processes read it anew every ten seconds, so that no interaction has to."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._key = ""
        self._kept_out: frozenset[str] = frozenset()
        self._untold: set[tuple[int, int]] = set()

    async def refresh(self) -> None:
        """Load into memory whom the host keeps out, and which members to tell of an exclusion."""

        def body(tx: Transaction) -> tuple[frozenset[str], str, set[tuple[int, int]]]:
            kept_out = frozenset(store.digests_kept_out(tx))
            return kept_out, facts.digest_key(tx) if kept_out else "", set(store.untold(tx))

        self._kept_out, self._key, self._untold = await self._database.read(body)

    def is_kept_out(self, user_id: int) -> bool:
        return self._keeps_out(USER, user_id)

    def is_server_kept_out(self, guild_id: int) -> bool:
        return self._keeps_out(SERVER, guild_id)

    def _keeps_out(self, what: str, number: int) -> bool:
        return (
            bool(self._kept_out) and facts.keyed_hash(self._key, what, [number]) in self._kept_out
        )

    async def tell(self, player_id: int, guild_id: int) -> bool:
        """Note that a player is told of an exclusion; return false if there is none to tell of."""
        if (guild_id, player_id) not in self._untold:
            return False
        self._untold.discard((guild_id, player_id))
        return await self._database.write(
            lambda tx: store.tell(tx, guild_id, player_id, is_told=True), keys.server(guild_id)
        )

    async def tell_later(self, player_id: int, guild_id: int) -> None:
        """Note that the player could not be told of an exclusion after all."""
        await self._database.write(
            lambda tx: store.tell(tx, guild_id, player_id, is_told=False), keys.server(guild_id)
        )
