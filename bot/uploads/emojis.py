"""Uploads missing or changed tiles and pegs to Discord, as emojis of the application."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, cast

import aiohttp
import discord

from bot.db.leases import Leases
from bot.errors import ClosingError, StorageError
from bot.text.pictures import tile_art
from bot.text.tiles import PLAIN, Pegs, Tiles
from bot.uploads.synced import Synced, digest

log = logging.getLogger(__name__)

# Discord refuses or cannot be reached, or the database is busy.
_FAILURES: Final = (discord.DiscordException, aiohttp.ClientError, OSError, StorageError)
_UPLOAD: Final = "tiles"
_FIRST_WAIT, _LONGEST_WAIT = 60.0, 3600.0
LOOK_SECONDS: Final = 3600.0
"""The time between checks of Discord's emojis, as Discord does not tell of deleted ones."""
ASK_AGAIN_SECONDS: Final = 5.0
"""The time between checks whether another process has uploaded all."""

_Set = Mapping[str, tuple[bytes, str]]
"""Pictures and their digests, by name."""


@dataclass(frozen=True, slots=True)
class _Known:
    """Discord's emojis, and the digests of the pictures from which the bot made them, by name."""

    emojis: Mapping[str, discord.Emoji]
    digests: Mapping[str, str]

    def has(self, digests: Mapping[str, str]) -> bool:
        """Return true if Discord has emojis of all pictures with these digests."""
        return all(
            name in self.emojis and self.digests.get(name) == mark for name, mark in digests.items()
        )


@dataclass(frozen=True, slots=True)
class Pictures:
    tiles: _Set
    pegs: _Set

    @property
    def digests(self) -> dict[str, str]:
        return {name: mark for name, (_, mark) in (*self.tiles.items(), *self.pegs.items())}


class TileUpload:
    """Uploads missing or changed pictures, in one of the processes that share a database.

    Emojis of other names are left alone. Until Discord has all pictures, `tiles` is None and `pegs`
    are plain. After a failure it stays like that, and the upload is tried again later.
    """

    def __init__(self, client: discord.Client, synced: Synced, leases: Leases) -> None:
        self._client = client
        self._synced = synced
        self._leases = leases
        self.tiles: Tiles | None = None
        self.pegs: Pegs = PLAIN
        self._wait = 0.0
        self._keeping: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to upload what Discord lacks, in the background; look again every hour."""
        if self._keeping is None:
            self._keeping = asyncio.create_task(self._keep_complete(), name="tile upload")

    def lose(self) -> None:
        """Note that Discord has refused an emoji: show squares until it has all of them again."""
        if self.tiles is None and self.pegs is PLAIN:
            return
        log.warning("Discord refuses tiles that it had: boards show squares until it has them")
        self.tiles, self.pegs = None, PLAIN
        if self._keeping is not None:
            self._keeping.cancel()
            self._keeping = asyncio.create_task(
                self._keep_complete(is_lost=True), name="tile upload"
            )

    async def close(self) -> None:
        """Cancel the upload; the next start continues it."""
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.gather(self._keeping, return_exceptions=True)

    async def _keep_complete(self, *, is_lost: bool = False) -> None:
        if is_lost:
            await self._rest(0)
        while True:
            if await self.run():
                await asyncio.sleep(LOOK_SECONDS)
                self._wait = 0.0
            else:
                await self._rest(_FIRST_WAIT)

    async def _rest(self, least: float) -> None:
        """Wait for at least `least` seconds; if called again and again, longer each time.

        The longest wait is an hour.
        """
        wait = max(least, self._wait)
        self._wait = min(max(2 * self._wait, _FIRST_WAIT), _LONGEST_WAIT)
        await asyncio.sleep(wait)

    async def run(self) -> bool:
        """Upload what Discord lacks; return true if it has all. Raise only cancellation."""
        try:
            pictures = await asyncio.to_thread(draw_all)
            is_done = await self._attempt(pictures)
            while not is_done:
                await asyncio.sleep(ASK_AGAIN_SECONDS)
                is_done = await self._attempt(pictures)
        except ClosingError:
            log.info("tiles left incomplete by the end; the next start goes on")
        except _FAILURES as error:
            # %r, because Discord's reasons have several lines.
            log.warning("tiles not uploaded, boards show squares for the time being: %r", error)
        except Exception:
            log.exception("tiles not uploaded, boards show squares for the time being")
        else:
            return True
        return False

    async def _attempt(self, pictures: Pictures) -> bool:
        """Upload what Discord lacks, unless another process does; return true if it has all."""
        known = await self._look()
        if known.has(pictures.digests):
            await self._complete(pictures, known)
            return True
        async with self._leases.held(_UPLOAD) as is_ours:
            if is_ours:  # another process may have been faster
                await self._complete(pictures, await self._look())
        return is_ours

    async def _look(self) -> _Known:
        there = await self._client.fetch_application_emojis()
        digests = await self._synced.digests(self._application_id)
        return _Known({emoji.name: emoji for emoji in there}, digests)

    async def _complete(self, pictures: Pictures, known: _Known) -> None:
        self.tiles = Tiles(await self._upload("tiles", pictures.tiles, known))
        self.pegs = Pegs(await self._upload("pegs", pictures.pegs, known))

    @property
    def _application_id(self) -> int:
        return cast("int", self._client.application_id)

    async def _upload(self, what: str, pictures: _Set, known: _Known) -> dict[str, str]:
        """Upload a set's missing or changed pictures; return all emojis' markup, by name."""
        markup: dict[str, str] = {}
        created = replaced = 0
        for name, (picture, mark) in pictures.items():
            emoji = known.emojis.get(name)
            if emoji is None or known.digests.get(name) != mark:
                await self._leases.renew(_UPLOAD)  # Discord may limit the rate
                if emoji is None:
                    created += 1
                else:
                    replaced += 1
                    with suppress(discord.NotFound):  # another process was faster
                        await emoji.delete()
                emoji = await self._client.create_application_emoji(name=name, image=picture)
                await self._synced.remember_digest(self._application_id, name, mark)
            markup[name] = str(emoji)
        kept = len(markup) - created - replaced
        log.info("%s complete: %d created, %d replaced, %d kept", what, created, replaced, kept)
        return markup


def draw_all() -> Pictures:
    """Draw all pictures; takes a quarter of a second."""
    return Pictures(
        _draw(tile_art.tile_names(), tile_art.draw_tile),
        _draw(tile_art.peg_names(), tile_art.draw_peg),
    )


def _draw(names: Iterable[str], draw: Callable[[str], bytes]) -> _Set:
    pictures = {name: draw(name) for name in names}
    return {name: (picture, digest(picture)) for name, picture in pictures.items()}
