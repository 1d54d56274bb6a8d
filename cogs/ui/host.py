"""What cogs ask of the client: the state of shards, hosts' choices, racers' messages."""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from time import monotonic
from typing import Final

import aiohttp
import discord
from discord.ext import commands

from bot.outages import Shard
from bot.people.album import Album
from bot.services import Services
from bot.text.markup import CommandIds
from bot.text.tiles import Pegs, Tiles

log = logging.getLogger(__name__)


_HOUR: Final = 3600.0
_ABOUT_SECONDS: Final = 1.0
_EDITABLE: Final = 15 * 60.0


class Hearing:
    """The state of each shard.

    The library reports `disconnect` and `resumed` for each shard, but `ready` once for all shards,
    and not for a shard whose session cannot be resumed.

    Attributes:
        heard: the numbers of the shards that are connected.
        begun: set once a shard is ready.
        patience: how many seconds without a connection or an answer to a heartbeat make a shard
            silent; the library sends a heartbeat every 41 seconds.
    """

    patience = 60.0

    def __init__(self, client: commands.AutoShardedBot) -> None:
        self._client = client
        self._heard_at: dict[int, float] = {}
        self._latencies: dict[int, float] = {}
        self.heard: set[int] = set()
        self._known: set[int] = set()
        self.begun = asyncio.Event()
        # Added first, so that all other listeners see the new state.
        client.add_listener(self._connected, "on_shard_connect")
        client.add_listener(self._connected, "on_shard_resumed")
        client.add_listener(self._learned, "on_shard_ready")
        client.add_listener(self._disconnected, "on_shard_disconnect")

    @property
    def count(self) -> int:
        return self._client.shard_count or 1

    def knows(self, guild_id: int | None) -> bool:
        """Return true once a server's shard has been ready: the bot then knows if it is a member.

        For direct messages `guild_id` is None; they are known at once.
        """
        return guild_id is None or any(
            Shard(number, self.count).serves(guild_id) for number in self._known
        )

    def is_ours(self, guild_id: int | None) -> bool:
        """Return true if this process has a server's shard; for None, that of direct messages."""
        ids = self._client.shard_ids
        return ids is None or any(Shard(number, self.count).serves(guild_id) for number in ids)

    @property
    def numbers(self) -> Iterable[int]:
        ids = self._client.shard_ids
        return range(self.count) if ids is None else ids

    @property
    def latencies(self) -> Mapping[int, float]:
        """Map shards to the seconds that Discord took to answer a heartbeat, when last seen."""
        return {number: late for number, late in self._latencies.items() if math.isfinite(late)}

    def look(self) -> None:
        """Note which shards got an answer to a heartbeat since the last call; call it each second.

        The library tells only each shard's latency: when it changes, there was an answer.
        """
        for number, latency in self._client.latencies:
            if self._latencies.get(number) != latency:
                self._latencies[number] = latency
                if math.isfinite(latency):
                    self._heard_at[number] = monotonic()

    def silent(self) -> list[int]:
        """List this process's shards that were not heard for `patience` seconds, or never."""
        since = monotonic() - self.patience
        return [number for number in self.numbers if self._heard_at.get(number, since) <= since]

    async def _connected(self, shard_id: int) -> None:
        self.heard.add(shard_id)
        self._heard_at[shard_id] = monotonic()

    async def _learned(self, shard_id: int) -> None:
        self._known.add(shard_id)
        self.begun.set()

    async def _disconnected(self, shard_id: int) -> None:
        self.heard.discard(shard_id)


@dataclass(frozen=True, slots=True)
class PrivateBoard:
    """A racer's private message.

    Attributes:
        interaction: the click that the message answers.
        kept_at: the reading of `monotonic` at that click.
        stage: the race's stage that the message shows.
    """

    interaction: discord.Interaction["Host"]
    message: discord.InteractionMessage | discord.WebhookMessage
    race_id: int
    stage: str
    kept_at: float = field(default_factory=monotonic)


class PrivateBoards(dict[tuple[int, int], PrivateBoard]):
    """Racers' latest private messages by channel and player, in the order of clicks."""

    def drop_old(self) -> None:
        """Drop those that Discord lets nobody edit any more."""
        while self and next(iter(self.values())).kept_at < monotonic() - _EDITABLE:
            del self[next(iter(self))]

    def forget(self, player_id: int | None) -> None:
        """Drop a player's, or everybody's for None."""
        for key in [key for key in self if player_id in {None, key[1]}]:
            del self[key]


class Host(discord.AutoShardedClient):
    """The client, as cogs see it.

    Attributes:
        album: fetches avatars; None for coloured discs in their place.
        command_ids: ids of our slash commands by name; empty until Discord has told them.
        contact: the way for players to reach the host; may be empty.
        forget_after: the absence after which a player's data are deleted; None if they never are.
        web_url: where browsers find the page; empty if there is no page.
        has_activity: whether Discord shows the page in a frame, too.
        launch_refusals: the errors of Discord's for which it launched no Activity.
        private_boards: what racers saw last of a race, to be edited when it starts and ends.
        examine: lists in sentences what is wrong with this machine and the settings.
    """

    services: Services
    album: Album | None
    hearing: Hearing
    command_ids: CommandIds
    contact: str
    forget_after: timedelta | None
    web_url: str
    has_activity: bool
    launch_refusals: set[int]
    private_boards: PrivateBoards
    examine: Callable[[], Awaitable[Sequence[str]]]
    _about: discord.AppInfo | None = None
    _ask_again_at = 0.0

    async def application_now(self) -> discord.AppInfo | None:
        """Return what Discord says of the application: asked once an hour, or the last it said."""
        if monotonic() >= self._ask_again_at:
            self._ask_again_at = monotonic() + _HOUR
            with suppress(discord.DiscordException, aiohttp.ClientError, TimeoutError):
                async with asyncio.timeout(_ABOUT_SECONDS):
                    self._about = await self.application_info()
        return self._about or self.application

    async def is_host(self, user_id: int) -> bool:
        """Return true for the application's owner, or those who have joined its team."""
        about = await self.application_now()
        if about is None or about.team is None:
            return about is not None and user_id == about.owner.id
        joined = discord.TeamMembershipState.accepted
        return any(m.id == user_id and m.membership_state is joined for m in about.team.members)

    @property
    def tiles(self) -> Tiles | None:
        """The tiles as emojis; None while Discord does not have all of them."""
        raise NotImplementedError

    @property
    def pegs(self) -> Pegs:
        """The pegs as emojis; Unicode while Discord does not have all of them."""
        raise NotImplementedError

    def lose_emojis(self) -> None:
        """Show squares in place of emojis until Discord has all of them.

        The caller knows that Discord has refused one.
        """
        raise NotImplementedError
