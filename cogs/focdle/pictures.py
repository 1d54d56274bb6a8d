"""Pictures of boards, long ones and those that are over: drawn once for each state."""

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable
from hashlib import blake2b
from typing import Final, Protocol, cast

import discord

from bot.pool.threads import in_thread
from bot.text.pictures.ending import Flame, draw_ending
from bot.text.pictures.tiles import draw_rows
from bot.text.tiles import Palette
from engine import Game, Marks, Shown

MOST_BYTES: Final = 8 * 1024 * 1024
"""How much is remembered: some eighty boards of thirteen symbols."""

Draw = Callable[[Game[Marks], Palette, Flame | None, tuple[Shown, ...]], bytes]


def draw_board(
    game: Game[Marks], palette: Palette, flame: Flame | None, shown: tuple[Shown, ...]
) -> bytes:
    """The picture of a board: in play its rows, then how it has ended."""
    if game.outcome is None:
        return draw_rows(game, palette, shown)
    return draw_ending(game, palette, flame)


class BoardPictures:
    """Remembers the pictures that were wanted last, each under a digest of what is on it.

    Whose board it is, nobody can tell from it; a process keeps it no longer than it lasts.

    Args:
        draw: draws one, in a worker thread.
        most_bytes: how much all of them together may take.
    """

    def __init__(self, draw: Draw = draw_board, *, most_bytes: int = MOST_BYTES) -> None:
        self._draw = draw
        self._most_bytes = most_bytes
        self._salt = secrets.token_bytes(16)
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        self._coming: dict[bytes, asyncio.Task[bytes]] = {}
        self._bytes = 0

    async def find(
        self,
        game: Game[Marks],
        palette: Palette,
        flame: Flame | None = None,
        shown: tuple[Shown, ...] = (),
    ) -> bytes:
        """The picture of a board; who wants one that is being drawn waits for that.

        Args:
            game: the game.
            palette: how its tiles look.
            flame: the streak beside a board that is over.
            shown: what hints have shown, on one in play.
        """
        key = self._key(game, palette, flame, shown)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if key not in self._coming:
            drawing = self._draw_and_keep(key, game, palette, flame, shown)
            self._coming[key] = asyncio.create_task(drawing)
        return await asyncio.shield(self._coming[key])

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
