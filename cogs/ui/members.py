"""Members, and what they and the bot may do in a channel."""

import asyncio
from collections.abc import Mapping
from typing import Final

import discord

from bot.games.model import Channel
from bot.people.members import Members
from bot.posts.model import ChannelUnusableError, ServerElsewhereError, ServerUnseenError
from bot.refused import CannotSeeChannelError, NoServerError, NotAMemberError
from cogs.ui.deliveries import Refusal, delivered
from cogs.ui.host import Host
from cogs.ui.replies import Interaction, server_of

LOOKS: Final = 2
"""How often a page's members are looked up at most: where some have left, others move up."""

_UNKNOWN_MEMBER: Final = frozenset({10007, 10013})


async def find_member(guild: discord.Guild, member_id: int) -> discord.Member | None:
    """Ask Discord for a member; None for somebody who is none."""
    try:
        return await guild.fetch_member(member_id)
    except discord.NotFound as error:
        if error.code not in _UNKNOWN_MEMBER:
            raise
        return None


async def note_member(interaction: Interaction) -> None:
    """Store an interaction's user and, in a server of the bot's, that they are a member.

    What was stored today is not stored again. A user whom the host keeps out is not stored.
    """
    user, guild_id, services = interaction.user, server_of(interaction), interaction.client.services
    if services.moderation.is_kept_out(user.id):
        return
    await services.standings.members.seen(
        user.id,
        user.global_name or user.name,
        None if user.avatar is None else user.avatar.key,
        guild_id=guild_id,
        guild_name="" if guild_id is None else user.display_name,
    )


async def is_member(interaction: Interaction, guild_id: int) -> bool:
    """Return true if an interaction comes from this server, or its player is stored as a member."""
    if interaction.guild_id == guild_id:
        return True
    members = interaction.client.services.standings.members
    return await members.knows(interaction.user.id, guild_id)


async def look_up(client: Host, members: Members, guild_id: int, names: Mapping[int, str]) -> bool:
    """Ask Discord about members who may have left, and store its answers.

    `names` maps the members on a page to their names in the server. Return true if any has left or
    has another name now, so that the page is outdated.
    """
    guild = client.get_guild(guild_id)
    if guild is None:
        return False
    player_ids = await members.claim_look_ups(guild_id, names)
    answers = await asyncio.gather(
        *(_has_changed(guild, members, player_id, names[player_id]) for player_id in player_ids)
    )
    return any(answers)


async def _has_changed(guild: discord.Guild, members: Members, player_id: int, name: str) -> bool:
    member = await delivered("look-up of member", find_member(guild, player_id))
    if isinstance(member, Refusal):
        return False  # tomorrow
    if member is None:
        await members.gone(guild.id, player_id)
        return True
    await members.still_here(guild.id, player_id, member.display_name)
    return member.display_name != name


def here(interaction: Interaction) -> Channel:
    """Return the channel of an interaction; outside servers, its server's id is 0."""
    return Channel(interaction.guild_id or 0, interaction.channel_id or 0)


def usable_channel(interaction: Interaction) -> tuple[int, int]:
    """Return the ids of this server and channel; refuse if the bot cannot post here.

    Raises:
        NoServerError: this is no server of the bot's.
        ChannelUnusableError: the bot may not see the channel or write in it.
    """
    guild_id, channel_id = server_of(interaction), interaction.channel_id
    if guild_id is None or channel_id is None:
        raise NoServerError
    is_thread = isinstance(interaction.channel, discord.Thread)
    needed = ("view_channel", "send_messages_in_threads" if is_thread else "send_messages")
    missing = [name for name in needed if not getattr(interaction.app_permissions, name)]
    if missing:
        raise ChannelUnusableError(channel_id=channel_id, missing=missing)
    return guild_id, channel_id


def find_guild(client: Host, guild_id: int | None) -> discord.Guild:
    """Return a server that the bot is a member of.

    Raises:
        NoServerError: the bot is no member there, or `guild_id` is None.
        ServerUnseenError: the server's shard is not ready, so nobody knows if the bot is a member.
        ServerElsewhereError: another process has the server's shard.
    """
    guild, hearing = client.get_guild(guild_id or 0), client.hearing
    if guild is not None:
        return guild
    if hearing.knows(guild_id):
        raise NoServerError
    raise ServerUnseenError if hearing.is_ours(guild_id) else ServerElsewhereError


async def require_present(
    interaction: Interaction, member_id: int, guild_id: int | None = None
) -> None:
    """Refuse if a member would not see a message that is posted in the interaction's channel.

    If `guild_id` is another server, refuse only if they are no member there.

    Raises:
        NotAMemberError: they are no member of the server.
        CannotSeeChannelError: they may not see the channel.
        Refused: the server is none that `find_guild` returns.
    """
    guild = find_guild(interaction.client, guild_id or interaction.guild_id)
    member = await find_member(guild, member_id)
    if member is None:
        raise NotAMemberError(player_id=member_id)
    if guild.id != interaction.guild_id:
        return
    channel = interaction.channel
    # A thread whose channel is unknown excludes nobody.
    place = channel.parent if isinstance(channel, discord.Thread) else channel
    is_known = isinstance(place, discord.abc.GuildChannel)
    if is_known and not place.permissions_for(member).view_channel:
        raise CannotSeeChannelError(player_id=member_id, channel_id=interaction.channel_id or 0)


def may_attach(client: Host, channel_id: int) -> bool:
    """Return true if the bot may attach files in a channel or thread; false if it is unknown."""
    channel = client.get_channel(channel_id)
    parent = channel.parent if isinstance(channel, discord.Thread) else channel
    if not isinstance(parent, discord.abc.GuildChannel):
        return False
    return parent.permissions_for(parent.guild.me).attach_files
