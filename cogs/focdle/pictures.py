"""Pictures of long boards: drawn once for each state, however often it is looked at."""

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable
from hashlib import blake2b
from typing import Final, Protocol, cast

import discord

from bot.presentation.base.tiles import Palette
from bot.presentation.pictures.tiles import draw_rows
from bot.services.base.workers import in_thread
from engine import Game, Marks

MOST_BYTES: Final = 8 * 1024 * 1024
"""How much is remembered: some eighty boards of thirteen symbols."""

Draw = Callable[[Game[Marks], Palette], bytes]


class BoardPictures:
    """Remembers the pictures that were wanted last, each under a digest of what is on it.

    Whose board it is, nobody can tell from it; a process keeps it no longer than it lasts.

    Args:
        draw: draws one, in a worker thread.
        most_bytes: how much all of them together may take.
    """

    def __init__(self, draw: Draw = draw_rows, *, most_bytes: int = MOST_BYTES) -> None:
        self._draw = draw
        self._most_bytes = most_bytes
        self._salt = secrets.token_bytes(16)
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        self._coming: dict[bytes, asyncio.Task[bytes]] = {}
        self._bytes = 0

    async def find(self, game: Game[Marks], palette: Palette) -> bytes:
        """The picture of a board; who wants one that is being drawn waits for that."""
        key = self._key(game, palette)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if key not in self._coming:
            self._coming[key] = asyncio.create_task(self._draw_and_keep(key, game, palette))
        return await asyncio.shield(self._coming[key])

    def _key(self, game: Game[Marks], palette: Palette) -> bytes:
        left = game.guesses_left if game.outcome is None else 0
        shown = (palette.value, len(game.secret), left, game.turns)
        return blake2b(repr(shown).encode(), digest_size=16, key=self._salt).digest()

    async def _draw_and_keep(self, key: bytes, game: Game[Marks], palette: Palette) -> bytes:
        try:
            # Drawing takes longer than other players should wait.
            picture = await in_thread(self._draw, game, palette)
        finally:
            del self._coming[key]
        self._kept[key] = picture
        self._bytes += len(picture)
        while self._bytes > self._most_bytes:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= len(oldest)
        return picture


class _Host(Protocol):
    board_pictures: BoardPictures


def pictures_of(client: discord.Client) -> BoardPictures:
    """Where a bot keeps them."""
    return cast("_Host", client).board_pictures
