"""Gives Discord our tiles, as emojis of the application, where it does not have them yet."""

import asyncio
import logging
from contextlib import suppress
from typing import Final, cast

import aiohttp
import discord

from bot.presentation import tile_pictures
from bot.presentation.tiles import Tiles
from bot.services.tile_digests import TileDigests, digest
from bot.storage.errors import ClosingError, StorageError

log = logging.getLogger(__name__)

# Discord says no or cannot be reached, or the database is busy.
_FAILURES: Final = (discord.DiscordException, aiohttp.ClientError, OSError, StorageError)


class TileUpload:
    """Uploads what is missing or has changed, once.

    Emojis of other names are left alone. Whatever fails, the bot goes on without
    tiles, and the next start tries again with what is left to do.

    Attributes:
        tiles: the tiles as emojis; None until Discord has the whole set.
    """

    def __init__(self, client: discord.Client, digests: TileDigests) -> None:
        self._client = client
        self._digests = digests
        self.tiles: Tiles | None = None

    async def run(self) -> None:
        """Complete the set; raises nothing but its own cancellation."""
        try:
            await self._complete()
        except ClosingError:
            log.info("tiles left incomplete by the end; the next start goes on")
        except _FAILURES as error:
            # As a representation, because Discord's reasons have several lines.
            log.warning("tiles not uploaded, boards show squares until the next start: %r", error)
        except Exception:
            log.exception("tiles not uploaded, boards show squares until the next start")

    async def _complete(self) -> None:
        application_id = cast("int", self._client.application_id)
        there = {emoji.name: emoji for emoji in await self._client.fetch_application_emojis()}
        given = await self._digests.of(application_id)
        pictures = await asyncio.to_thread(_draw_all)
        markup: dict[str, str] = {}
        created = replaced = 0
        for name, (picture, mark) in pictures.items():
            emoji = there.get(name)
            if emoji is None or given.get(name) != mark:
                if emoji is None:
                    created += 1
                else:
                    replaced += 1
                    await _delete(emoji)
                emoji = await self._client.create_application_emoji(name=name, image=picture)
                await self._digests.remember(application_id, name, mark)
            markup[name] = str(emoji)
        self.tiles = Tiles(markup)
        kept = len(markup) - created - replaced
        log.info("tiles complete: %d created, %d replaced, %d kept", created, replaced, kept)


async def _delete(emoji: discord.Emoji) -> None:
    with suppress(discord.NotFound):  # somebody was faster
        await emoji.delete()


def _draw_all() -> dict[str, tuple[bytes, str]]:
    """All pictures and their digests, by name; takes a quarter of a second."""
    pictures = {name: tile_pictures.draw(name) for name in tile_pictures.names()}
    return {name: (picture, digest(picture)) for name, picture in pictures.items()}
