"""The group picture of a running message: drawn when that is sent or edited, where files may be."""

import io
from typing import Final

import discord

from bot.presentation.pictures.group import MOST, Portrait, described, draw_group
from bot.services.base.workers import in_thread
from bot.services.server.running_content import RunningContent
from cogs.base.presence import may_attach
from cogs.base.replies import album_of

_NAME: Final = "group.png"


async def group_picture(
    client: discord.Client, channel_id: int, content: RunningContent, *, waits: bool
) -> discord.File | None:
    """The best results as a picture; None once the message opens their marks, or without leave.

    Args:
        client: the bot.
        channel_id: where it is to be.
        content: what the message shows.
        waits: whether to wait for avatars that are not at hand; else the next picture has them.
    """
    if content.is_closed or not content.rows or not may_attach(client, channel_id):
        return None
    rows = content.rows[:MOST]
    album, faces = album_of(client), [row.face for row in rows if row.face is not None]
    avatars = {} if album is None else await album.find(faces, waits=waits)
    portraits = [
        Portrait(
            row.player_id,
            row.name,
            row.turns,
            content.max_guesses,
            is_solved=row.is_solved,
            is_hard=row.is_hard,
            avatar=avatars.get(row.player_id),
        )
        for row in rows
    ]
    drawn = await in_thread(draw_group, portraits)
    return discord.File(io.BytesIO(drawn), _NAME, description=described(portraits))
