"""Hearing: which of the bot's shards are connected now, so that none waits for the others."""

import asyncio
from typing import Protocol, cast

import discord
from discord.ext import commands

from bot.model.outages import Shard


class Hearing:
    """The truth about each shard, as far as the library tells it.

    It says `disconnect` and `resumed` for each, too, but `ready` only for all at once, and that
    never again for one that has to begin anew.

    Args:
        client: the bot, not yet started.

    Attributes:
        heard: the shards by which events come now.
    """

    def __init__(self, client: commands.AutoShardedBot) -> None:
        self._client = client
        self.heard: set[int] = set()
        self._known: set[int] = set()
        self._is_begun = asyncio.Event()
        # Before all others, which are to find it as it is.
        client.add_listener(self._connected, "on_shard_connect")
        client.add_listener(self._connected, "on_shard_resumed")
        client.add_listener(self._learned, "on_shard_ready")
        client.add_listener(self._disconnected, "on_shard_disconnect")

    @property
    def count(self) -> int:
        """How many shards there are."""
        return self._client.shard_count or 1

    def knows(self, guild_id: int | None) -> bool:
        """Whether the bot can tell if it is in a server; None for direct messages.

        That is so from when the server's shard was ready for the first time.
        """
        return guild_id is None or any(
            Shard(number, self.count).serves(guild_id) for number in self._known
        )

    def is_ours(self, guild_id: int | None) -> bool:
        """Whether a server's events come to this process, and not to another one."""
        ids = self._client.shard_ids
        return ids is None or any(Shard(number, self.count).serves(guild_id) for number in ids)

    async def until_begun(self) -> None:
        """Wait until the first shard is ready."""
        await self._is_begun.wait()

    async def _connected(self, shard_id: int) -> None:
        self.heard.add(shard_id)

    async def _learned(self, shard_id: int) -> None:
        self._known.add(shard_id)
        self._is_begun.set()

    async def _disconnected(self, shard_id: int) -> None:
        self.heard.discard(shard_id)


class _Host(Protocol):
    @property
    def hearing(self) -> Hearing: ...


def hearing_of(client: discord.Client) -> Hearing:
    """Which of the bot's shards are heard."""
    return cast("_Host", client).hearing
