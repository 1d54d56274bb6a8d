"""What cogs ask of the client: avatars, pictures of boards, the state of shards, hosts' choices."""

import asyncio
import logging
import math
import secrets
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from hashlib import blake2b
from http import HTTPStatus
from time import monotonic
from typing import Final

import aiohttp
import discord
from discord.ext import commands

from bot.outages import Shard
from bot.people.model import Face
from bot.pool.pool import in_thread
from bot.services import Services
from bot.text.markup import CommandIds
from bot.text.pictures.boards import AVATAR, Avatar, Flame, decode_avatar, draw_ending
from bot.text.pictures.tile_art import draw_rows
from bot.text.tiles import Palette, Pegs, Tiles
from engine import Game, Marks, Shown

log = logging.getLogger(__name__)

CDN: Final = "https://cdn.discordapp.com"
"""Where Discord serves avatars."""


def avatar_url(face: Face, size: int, base: str = CDN) -> str:
    """Build the URL of an avatar; an animated one gives its first frame.

    `size` is the width and height in pixels, a power of two.
    """
    return f"{base}/avatars/{face.player_id}/{face.avatar}.png?size={size}"


LARGEST_AVATAR: Final = 256 * 1024
"""The largest file of an avatar that is used; a usual one has a twentieth of it."""
MOST_KEPT: Final = 500
_SECONDS: Final = 1.0
_MOST_AT_ONCE: Final = 10
_CHUNK: Final = 16 * 1024
# These answers are temporary; any other is final, since a hash names one picture.
_PASSING: Final = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.REQUEST_TIMEOUT})


@dataclass(frozen=True, slots=True)
class _Missing:
    """Why an avatar is missing; if the reason is final, it is cached: no fetch is tried again."""

    why: str
    is_final: bool = False


class Album:
    """Fetches avatars, and caches them.

    Simultaneous requests for one avatar are one fetch. An avatar that cannot be had is left out:
    pictures have a disc in its place.
    """

    def __init__(self, base: str = CDN, *, seconds: float = _SECONDS) -> None:
        self._base = base
        self._seconds = seconds
        self._session: aiohttp.ClientSession | None = None
        self._kept: OrderedDict[Face, Avatar | _Missing] = OrderedDict()
        self._coming: dict[Face, asyncio.Task[Avatar | _Missing]] = {}

    async def find(self, faces: Collection[Face], *, waits: bool = True) -> dict[int, Avatar]:
        """Return the avatars that are cached or arrive within a second, by player id.

        Without `waits`, return only cached ones, and fetch the others for later calls.
        """
        if self._session is not None and self._session.closed:
            return {}
        tasks: dict[Face, asyncio.Task[Avatar | _Missing]] = {}
        found: dict[Face, Avatar | _Missing] = {}
        for face in faces:
            if face in self._kept:
                self._kept.move_to_end(face)
                found[face] = self._kept[face]
            else:  # simultaneous callers share a task
                if face not in self._coming:
                    self._coming[face] = asyncio.create_task(self._fetch_and_keep(face))
                tasks[face] = self._coming[face]
        if not waits:
            tasks.clear()
        if tasks:
            await asyncio.wait(tasks.values(), timeout=self._seconds)
        for face, task in tasks.items():
            is_there = task.done() and not task.cancelled()
            found[face] = task.result() if is_there else _Missing("too slow")
        missing = Counter(each.why for each in found.values() if isinstance(each, _Missing))
        if missing:
            why = ", ".join(sorted(missing))
            log.info("%d of %d avatars could not be had: %s", missing.total(), len(found), why)
        return {face.player_id: a for face, a in found.items() if not isinstance(a, _Missing)}

    def forget(self, player_id: int | None) -> None:
        """Drop a player's cached avatars, and do not cache those that are being fetched.

        If `player_id` is None, do so for all players.
        """
        for known in (self._kept, self._coming):
            for face in [face for face in known if player_id in {None, face.player_id}]:
                del known[face]

    async def close(self) -> None:
        """Stop fetching, for good; a second call does nothing."""
        tasks = [*self._coming.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._session is not None:
            await self._session.close()

    async def _fetch_and_keep(self, face: Face) -> Avatar | _Missing:
        found: Avatar | _Missing = _Missing("stopped")
        try:
            found = await self._fetch(face)
        finally:
            # The avatar was dropped meanwhile.
            if self._coming.get(face) is asyncio.current_task():
                del self._coming[face]
                if not isinstance(found, _Missing) or found.is_final:
                    self._kept[face] = found
                    if len(self._kept) > MOST_KEPT:
                        self._kept.popitem(last=False)
        return found

    async def _fetch(self, face: Face) -> Avatar | _Missing:
        try:
            file = await self._download(avatar_url(face, AVATAR, self._base))
        except (aiohttp.ClientError, OSError) as error:  # includes timeouts
            return _Missing(type(error).__name__)
        if isinstance(file, _Missing):
            return file
        avatar = await in_thread(decode_avatar, file)
        return _Missing("no usable picture", is_final=True) if avatar is None else avatar

    async def _download(self, url: str) -> bytes | _Missing:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=_MOST_AT_ONCE),
                timeout=aiohttp.ClientTimeout(total=self._seconds),
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"Accept": "image/png", "Accept-Encoding": "identity"},
                auto_decompress=False,
            )
        async with self._session.get(url, allow_redirects=False) as response:
            status = response.status
            if status != HTTPStatus.OK:
                passes = status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in _PASSING
                return _Missing(f"status {status}", is_final=not passes)
            file = bytearray()
            async for chunk in response.content.iter_chunked(_CHUNK):
                file += chunk
                if len(file) > LARGEST_AVATAR:
                    return _Missing("too large", is_final=True)
            return bytes(file)


MOST_BYTES: Final = 8 * 1024 * 1024
"""The most bytes of pictures in the cache: some eighty boards of thirteen symbols."""

Draw = Callable[[Game[Marks], Palette, Flame | None, tuple[Shown, ...]], bytes]


def draw_picture(
    game: Game[Marks], palette: Palette, flame: Flame | None, shown: tuple[Shown, ...]
) -> bytes:
    if game.outcome is None:
        return draw_rows(game, palette, shown)
    return draw_ending(game, palette, flame)


class BoardPictures:
    """A cache of recent pictures of boards, under salted digests of what is drawn.

    The digests do not tell whose boards they are. The cache ends with the process.
    """

    def __init__(self, draw: Draw = draw_picture, *, most_bytes: int = MOST_BYTES) -> None:
        self._draw = draw
        self._most_bytes = most_bytes
        self._salt = secrets.token_bytes(16)
        self._pictures: OrderedDict[bytes, bytes] = OrderedDict()
        self._drawing: dict[bytes, asyncio.Task[bytes]] = {}
        self._bytes = 0

    async def find(
        self,
        game: Game[Marks],
        palette: Palette,
        flame: Flame | None = None,
        shown: tuple[Shown, ...] = (),
    ) -> bytes:
        """Return the picture of a board, drawn outside the event loop if it is not cached."""
        key = self._key(game, palette, flame, shown)
        if key in self._pictures:
            self._pictures.move_to_end(key)
            return self._pictures[key]
        if key not in self._drawing:
            drawing = self._draw_and_keep(key, game, palette, flame, shown)
            self._drawing[key] = asyncio.create_task(drawing)
        return await asyncio.shield(self._drawing[key])

    def _key(
        self, game: Game[Marks], palette: Palette, flame: Flame | None, shown: tuple[Shown, ...]
    ) -> bytes:
        ended = None if game.outcome is None else game.secret
        hints = shown if game.outcome is None else ()
        drawn = (
            palette.value,
            len(game.secret),
            game.guesses_left,
            game.turns,
            ended,
            flame,
            hints,
        )
        return blake2b(repr(drawn).encode(), digest_size=16, key=self._salt).digest()

    async def _draw_and_keep(
        self,
        key: bytes,
        game: Game[Marks],
        palette: Palette,
        flame: Flame | None,
        shown: tuple[Shown, ...],
    ) -> bytes:
        try:
            # Drawing takes longer than other players should wait.
            picture = await in_thread(self._draw, game, palette, flame, shown)
        finally:
            del self._drawing[key]
        self._pictures[key] = picture
        self._bytes += len(picture)
        while self._bytes > self._most_bytes:
            _, oldest = self._pictures.popitem(last=False)
            self._bytes -= len(oldest)
        return picture


class Hearing:
    """The state of each shard.

    The library reports `disconnect` and `resumed` for each shard, but `ready` once for all shards,
    and not for a shard whose session cannot be resumed.

    Attributes:
        heard: the numbers of the shards that are connected.
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
        self._is_begun = asyncio.Event()
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

    async def until_begun(self) -> None:
        await self._is_begun.wait()

    async def _connected(self, shard_id: int) -> None:
        self.heard.add(shard_id)
        self._heard_at[shard_id] = monotonic()

    async def _learned(self, shard_id: int) -> None:
        self._known.add(shard_id)
        self._is_begun.set()

    async def _disconnected(self, shard_id: int) -> None:
        self.heard.discard(shard_id)


class Host(discord.AutoShardedClient):
    """The client, as cogs see it.

    Attributes:
        album: fetches avatars; None for coloured discs in their place.
        board_pictures: cached pictures of long boards.
        command_ids: ids of our slash commands by name; empty until Discord has told them.
        contact: the way for players to reach the host; may be empty.
        forget_after: the absence after which a player's data are deleted; None if they never are.
        web_url: where browsers find the page; empty if there is no page.
        has_activity: whether Discord shows the page in a frame, too.
        launch_refusals: the errors of Discord's for which it launched no Activity.
    """

    services: Services
    album: Album | None
    board_pictures: BoardPictures
    hearing: Hearing
    command_ids: CommandIds
    contact: str
    forget_after: timedelta | None
    web_url: str
    has_activity: bool
    launch_refusals: set[int]

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
