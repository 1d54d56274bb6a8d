"""Pictures of duels that are over: drawn when the board has told the end, and put into it."""

import asyncio
import io
import logging
from collections import OrderedDict
from typing import Final, Protocol, cast

import discord

from bot.duels.model.duel import DuelGame
from bot.duels.model.transitions import State
from bot.duels.pages.final import DRAW_FINAL, FinalPicture, final_picture
from bot.errors import StorageError
from bot.refused import Refused
from bot.services import Services
from bot.text.language import in_this_language
from cogs.duels.pages import board_page, look_of
from cogs.duels.threads import ARCHIVED, set_archived
from cogs.ui.album import Album
from cogs.ui.faults import UNDONE
from cogs.ui.presence import may_attach
from cogs.ui.public import in_language, language_of

log = logging.getLogger(__name__)

MOST_LATE: Final = 200
"""How many duels that have ended without tiles are remembered: the last ones."""
_NAME: Final = "duel.png"


class _Host(Protocol):
    services: Services
    album: Album | None
    final_pictures: "FinalPictures"


class FinalPictures:
    """Puts pictures into boards, in the background; a board without one tells all of it in text.

    Args:
        client: the bot.
    """

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._coming: dict[int, asyncio.Task[None]] = {}
        self._without_tiles: OrderedDict[int, DuelGame] = OrderedDict()

    def begin_late(self) -> None:
        """Draw those of duels that had ended before there were tiles."""
        games, self._without_tiles = self._without_tiles, OrderedDict()
        for game in games.values():
            self.begin(game)

    def begin(self, game: DuelGame) -> None:
        """Draw the picture of a duel whose board tells its end, unless that is under way.

        Where Discord does not have our tiles yet, it is drawn when it has.
        """
        is_played = game.state is State.OVER and any(seat.turns for seat in game.seats)
        channel_id = game.thread_id or game.channel_id or 0
        if (
            not is_played
            or game.is_against_bot
            or game.id in self._coming
            or not may_attach(self._client, channel_id)
        ):
            return
        if look_of(self._client) is None:
            self._without_tiles[game.id] = game
            if len(self._without_tiles) > MOST_LATE:
                self._without_tiles.popitem(last=False)
            return
        task = asyncio.create_task(self._attempt(game.id), name=f"picture of duel {game.id}")
        self._coming[game.id] = task
        task.add_done_callback(lambda _: self._coming.pop(game.id, None))

    async def settle(self) -> None:
        """Wait for those that are under way."""
        await asyncio.gather(*self._coming.values(), return_exceptions=True)

    async def close(self) -> None:
        """Draw no more; boards without a picture stay as they are."""
        for task in self._coming.values():
            task.cancel()
        await self.settle()

    async def _attempt(self, duel_id: int) -> None:
        try:
            await self._put(duel_id)
        except (*UNDONE, Refused, StorageError) as error:
            log.info("duel %d has no picture: %r", duel_id, error)
        except Exception:
            log.exception("duel %d has no picture", duel_id)

    async def _put(self, duel_id: int) -> None:
        host = cast("_Host", self._client)
        boards = host.services.duels.boards
        ended = await boards.ended(duel_id)
        faces = list(ended.faces.values())
        avatars = {} if host.album is None else await host.album.find(faces)
        tag = language_of(self._client, ended.game.guild_id)
        picture = in_language(tag, lambda: final_picture(ended, avatars))
        png = await host.services.workshop.draw(
            in_language(tag, lambda: in_this_language(DRAW_FINAL, picture)),
            kind=DRAW_FINAL.module,
            asker_id=duel_id,
            owner_id=ended.game.challenger_id or 0,
        )
        await self._show(ended.game, png, picture, tag)

    async def _show(self, game: DuelGame, png: bytes, picture: FinalPicture, tag: str) -> None:
        channel_id = game.thread_id or game.channel_id or 0
        message = self._client.get_partial_messageable(channel_id).get_partial_message(
            game.message_id or 0
        )
        file = discord.File(io.BytesIO(png), _NAME, description=picture.description)
        look = look_of(self._client)
        page = in_language(tag, lambda: board_page(game, look, file))
        try:
            await message.edit(view=page, attachments=[file])
        except discord.HTTPException as error:
            if error.code != ARCHIVED:
                raise
            await set_archived(self._client, channel_id, archived=False)
            file.reset()
            await message.edit(view=page, attachments=[file])
            await set_archived(self._client, channel_id, archived=True)


def final_pictures_of(client: discord.Client) -> FinalPictures:
    """Where a bot draws them."""
    return cast("_Host", client).final_pictures
