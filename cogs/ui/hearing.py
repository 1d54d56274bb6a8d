"""Hearing: which of the bot's shards are connected now, so that none waits for the others."""

import asyncio
import math
from collections.abc import Callable, Iterable, Mapping
from time import monotonic
from typing import Protocol, cast

import discord
from discord.ext import commands

from bot.outages import Shard


class Hearing:
    """The truth about each shard, as far as the library tells it.

    It says `disconnect` and `resumed` for each, too, but `ready` only for all at once, and that
    never again for one that has to begin anew.

    Args:
        client: the bot, not yet started.
        now: seconds of some clock.

    Attributes:
        heard: the shards by which events come now.
        patience: after so many seconds in which nothing has come by a shard, it is silent. Discord
            answers each heartbeat of the library, of which there is one in 41 seconds.
    """

    patience = 60.0

    def __init__(
        self, client: commands.AutoShardedBot, now: Callable[[], float] = monotonic
    ) -> None:
        self._client = client
        self._now = now
        self._heard_at: dict[int, float] = {}
        self._latencies: dict[int, float] = {}
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

    @property
    def numbers(self) -> Iterable[int]:
        """The shards of this process."""
        ids = self._client.shard_ids
        return range(self.count) if ids is None else ids

    @property
    def latencies(self) -> Mapping[int, float]:
        """How many seconds Discord took for the last heartbeat of each shard that has had one."""
        return {number: late for number, late in self._latencies.items() if math.isfinite(late)}

    def look(self) -> None:
        """Note who has had an answer since the last look, which is to be a second ago or so.

        The library tells nobody of it, but how long it took: another time is another answer.
        """
        for number, latency in self._client.latencies:
            if self._latencies.get(number) != latency:
                self._latencies[number] = latency
                if math.isfinite(latency):
                    self._heard_at[number] = self._now()

    def silent(self) -> list[int]:
        """The shards of this process by which nothing has come for a minute, if ever."""
        since = self._now() - self.patience
        return [number for number in self.numbers if self._heard_at.get(number, since) <= since]

    async def until_begun(self) -> None:
        """Wait until the first shard is ready."""
        await self._is_begun.wait()

    async def _connected(self, shard_id: int) -> None:
        self.heard.add(shard_id)
        self._heard_at[shard_id] = self._now()

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
