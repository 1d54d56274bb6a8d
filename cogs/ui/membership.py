"""Members: noted when they do something, looked up at Discord when shown but not seen of late."""

import asyncio
from collections.abc import Mapping
from typing import Final

import discord

from bot.privacy.game.members import Members
from cogs.ui.faults import UNDONE
from cogs.ui.replies import Interaction, server_of, services_of

LOOKS: Final = 2
"""How many rounds of look-ups a page gets: members who have left let others move up."""

_UNKNOWN_MEMBER: Final = frozenset({10007, 10013})


async def note_member(interaction: Interaction) -> None:
    """Note who has done something, and where; costs nothing if that was noted today."""
    user, guild_id = interaction.user, server_of(interaction)
    await services_of(interaction).standings.members.seen(
        user.id,
        user.global_name or user.name,
        None if user.avatar is None else user.avatar.key,
        guild_id=guild_id,
        guild_name="" if guild_id is None else user.display_name,
    )


async def is_member(interaction: Interaction, guild_id: int) -> bool:
    """Whether who asks is in a server: here, or known from there."""
    if interaction.guild_id == guild_id:
        return True
    members = services_of(interaction).standings.members
    return await members.knows(interaction.user.id, guild_id)


async def look_up(
    client: discord.Client, members: Members, guild_id: int, names: Mapping[int, str]
) -> bool:
    """Ask Discord about members who may have left; whether any has, or is renamed.

    Args:
        client: who asks.
        members: who is told.
        guild_id: the server.
        names: those who are shown, with what they are called there.
    """
    guild = client.get_guild(guild_id)
    if guild is None:
        return False
    player_ids = await members.to_look_up(guild_id, names)
    answers = await asyncio.gather(
        *(_has_changed(guild, members, player_id, names[player_id]) for player_id in player_ids)
    )
    return any(answers)


async def _has_changed(guild: discord.Guild, members: Members, player_id: int, name: str) -> bool:
    try:
        member = await guild.fetch_member(player_id)
    except discord.NotFound as error:
        if error.code not in _UNKNOWN_MEMBER:
            return False
        await members.gone(guild.id, player_id)
        return True
    except UNDONE:
        return False  # another day
    await members.still_here(guild.id, player_id, member.display_name)
    return member.display_name != name
