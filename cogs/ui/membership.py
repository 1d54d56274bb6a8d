"""Who is a member: noted when they do something, asked of Discord when long unseen."""

import asyncio
from typing import Final

import aiohttp
import discord

from bot.services.standings.members import Members
from bot.services.standings.page import Page
from cogs.ui.answers import Interaction, server_of, services_of

_UNKNOWN_MEMBER: Final = frozenset({10007, 10013})


async def note_member(interaction: Interaction) -> None:
    """Note who has done something, and where; costs nothing if that was noted today."""
    user, guild_id = interaction.user, server_of(interaction)
    await services_of(interaction).standings.members.seen(
        user.id,
        user.global_name or user.name,
        guild_id=guild_id,
        guild_name="" if guild_id is None else user.display_name,
    )


async def look_up(client: discord.Client, members: Members, page: Page) -> bool:
    """Ask Discord about members who were not seen for long; whether any has left or is renamed."""
    guild = client.get_guild(page.board.guild_id or 0)
    if guild is None:
        return False
    names = {row.player_id: row.name for row in page.rows}
    answers = await asyncio.gather(
        *(
            _has_changed(guild, members, player_id, names.get(player_id, ""))
            for player_id in page.to_look_up
        )
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
    except (discord.HTTPException, aiohttp.ClientError, OSError):
        return False  # another day
    await members.still_here(guild.id, player_id, member.display_name)
    return member.display_name != name
