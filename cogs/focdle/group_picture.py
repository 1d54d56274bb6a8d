"""Results as a picture with faces: on today's card, and in the daily post."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import discord

from bot.pool.threads import in_thread
from bot.posts.game.running_content import RunningRow
from bot.text.pictures.group import Portrait, described, draw_group
from cogs.ui.presence import may_attach
from cogs.ui.replies import album_of

_NAME: Final = "group.png"


@dataclass(frozen=True, slots=True)
class GroupPicture:
    """A picture, if there may be one.

    Attributes:
        file: to be attached; None without leave, or without results.
        is_whole: whether it has all avatars that can be had.
    """

    file: discord.File | None = None
    is_whole: bool = True


async def group_picture(
    client: discord.Client,
    channel_id: int,
    rows: Sequence[RunningRow],
    *,
    waits: bool,
    is_over: bool = False,
) -> GroupPicture:
    """Results as a picture.

    Args:
        client: the bot.
        channel_id: where it is to be.
        rows: the results.
        waits: whether to wait for avatars that are not at hand; else the next picture has them.
        is_over: whether the best is known, and marked.
    """
    if not rows or not may_attach(client, channel_id):
        return GroupPicture()
    album, faces = album_of(client), [row.face for row in rows if row.face is not None]
    avatars = {} if album is None else await album.find(faces, waits=waits)
    portraits = [
        Portrait(
            row.player_id,
            row.name,
            row.turns,
            row.max_guesses,
            is_solved=row.is_solved,
            is_hard=row.is_hard,
            is_best=is_over and row.is_best,
            avatar=avatars.get(row.player_id),
        )
        for row in rows
    ]
    drawn = await in_thread(draw_group, portraits)
    file = discord.File(io.BytesIO(drawn), _NAME, description=described(portraits))
    return GroupPicture(file, is_whole=waits or album is None or len(avatars) == len(faces))
