"""Threads of duels, which are archived when those are over."""

from typing import Final

import discord

ARCHIVED: Final = 50083
"""What Discord says to who would edit a message in an archived thread."""


async def set_archived(client: discord.Client, thread_id: int, *, archived: bool) -> None:
    """Archive a thread, or open it again."""
    thread = await client.fetch_channel(thread_id)
    if isinstance(thread, discord.Thread):
        await thread.edit(archived=archived)
