"""Uploads our tiles and pegs to Discord as emojis of the application, where they are missing."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, cast

import aiohttp
import discord

from bot.errors import ClosingError, StorageError
from bot.presentation.base.pegs import PLAIN, Pegs
from bot.presentation.base.tiles import Tiles
from bot.presentation.pictures import pegs as peg_pictures
from bot.presentation.pictures import tiles as tile_pictures
from bot.services.told import TileDigests, digest

log = logging.getLogger(__name__)

# Discord says no or cannot be reached, or the database is busy.
_FAILURES: Final = (discord.DiscordException, aiohttp.ClientError, OSError, StorageError)


@dataclass(frozen=True, slots=True)
class _Known:
    """What Discord has: its emojis, and what those of ours were made from, by their names."""

    emojis: Mapping[str, discord.Emoji]
    digests: Mapping[str, str]


class TileUpload:
    """Uploads what is missing or has changed, once.

    Emojis of other names are left alone. Whatever fails, the bot goes on without
    them, and the next start tries again with what is left to do.

    Attributes:
        tiles: the tiles as emojis; None until Discord has the whole set.
        pegs: the pegs as emojis; Unicode until Discord has the whole set.
    """

    def __init__(self, client: discord.Client, digests: TileDigests) -> None:
        self._client = client
        self._digests = digests
        self.tiles: Tiles | None = None
        self.pegs: Pegs = PLAIN

    async def run(self) -> None:
        """Complete both sets; raises nothing but its own cancellation."""
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
        there = await self._client.fetch_application_emojis()
        known = _Known(
            {emoji.name: emoji for emoji in there}, await self._digests.of(self._application_id)
        )
        tiles = await asyncio.to_thread(_draw_all, tile_pictures.names(), tile_pictures.draw)
        self.tiles = Tiles(await self._upload("tiles", tiles, known))
        pegs = await asyncio.to_thread(_draw_all, peg_pictures.names(), peg_pictures.draw)
        self.pegs = Pegs(await self._upload("pegs", pegs, known))

    @property
    def _application_id(self) -> int:
        return cast("int", self._client.application_id)

    async def _upload(
        self, what: str, pictures: Mapping[str, tuple[bytes, str]], known: _Known
    ) -> dict[str, str]:
        """Give Discord what it lacks of a set; the markup of all of it, by name."""
        markup: dict[str, str] = {}
        created = replaced = 0
        for name, (picture, mark) in pictures.items():
            emoji = known.emojis.get(name)
            if emoji is None or known.digests.get(name) != mark:
                if emoji is None:
                    created += 1
                else:
                    replaced += 1
                    await _delete(emoji)
                emoji = await self._client.create_application_emoji(name=name, image=picture)
                await self._digests.remember(self._application_id, name, mark)
            markup[name] = str(emoji)
        kept = len(markup) - created - replaced
        log.info("%s complete: %d created, %d replaced, %d kept", what, created, replaced, kept)
        return markup


async def _delete(emoji: discord.Emoji) -> None:
    with suppress(discord.NotFound):  # somebody was faster
        await emoji.delete()


def _draw_all(names: Iterable[str], draw: Callable[[str], bytes]) -> dict[str, tuple[bytes, str]]:
    """All pictures of a set and their digests, by name; takes a quarter of a second."""
    pictures = {name: draw(name) for name in names}
    return {name: (picture, digest(picture)) for name, picture in pictures.items()}
