"""The bot's permissions in a server, checked at each choice and whenever settings are shown."""

from dataclasses import replace
from typing import Any, Final

import discord
from discord import app_commands

from bot.posts.game.post_choices import PostSettings
from bot.posts.model.errors import (
    ChannelUnusableError,
    RoleForbiddenError,
    RoleUnusableError,
    ThreadsUnusableError,
)
from bot.refused import NotAllowedError
from cogs.ui.replies import Interaction

CHANNEL_TYPES: Final = [discord.ChannelType.text, discord.ChannelType.news]
# What the bot must be able to do in the channel it posts in, by Discord's names.
_TO_POST: Final = ("view_channel", "send_messages")
_TO_KEEP_THREADS: Final = (
    "view_channel",
    "create_private_threads",
    "send_messages_in_threads",
    "manage_threads",
)


def managed_server(interaction: Interaction) -> discord.Guild:
    """The server an interaction is in, for who may change its settings.

    Discord offers the command to those members only, but a server may grant it
    to others, and a panel stays open when a role is taken away.

    Raises:
        NotAllowedError: the member may not manage the server.
    """
    guild = interaction.client.get_guild(interaction.guild_id or 0)
    if guild is None or not interaction.permissions.manage_guild:
        raise NotAllowedError
    return guild


def check_channel(
    guild: discord.Guild, channel_id: int, may: discord.Permissions | None = None
) -> None:
    """Make sure that the bot can post in a channel.

    Args:
        guild: the server.
        channel_id: the channel.
        may: what the bot may do there, where Discord has just told; else as far as is known.

    Raises:
        ChannelUnusableError: it cannot, or the server has no such channel.
    """
    if may is None:
        if guild.get_channel(channel_id) is None:
            raise ChannelUnusableError(channel_id=channel_id, missing=[])
        may = _permissions(guild, channel_id)
    missing = [name for name in _TO_POST if not getattr(may, name)]
    if missing:
        raise ChannelUnusableError(channel_id=channel_id, missing=missing)


def told_permissions(
    interaction: Interaction, channel_id: int | None
) -> discord.Permissions | None:
    """What the bot may do in a channel that was chosen in this interaction, as Discord tells.

    Discord tells it beside each channel that is chosen, as `app_permissions`; `permissions` there
    are those of who chooses. The library (2.7) reads only the latter. What follows from other
    permissions is left to us: who cannot see a channel can do nothing in it.

    Returns:
        None where Discord has told nothing: what is known of the server then has to do.
    """
    data: Any = interaction.data or {}
    channel: Any = data.get("resolved", {}).get("channels", {}).get(str(channel_id), {})
    told = channel.get("app_permissions")
    if told is None:
        return None
    may = discord.Permissions(int(told))
    if may.administrator:
        return discord.Permissions.all()
    return may if may.view_channel else discord.Permissions.none()


def as_they_stand(guild: discord.Guild, posts: PostSettings) -> PostSettings:
    """What a server has chosen about its posts, and whether their channel is still there."""
    channel_id = posts.channel_id
    return replace(posts, is_gone=channel_id is not None and not guild.get_channel(channel_id))


def reads_history(guild: discord.Guild, channel_id: int) -> bool:
    """Whether the bot can look for its own messages in a channel."""
    return _permissions(guild, channel_id).read_message_history


def check_role(guild: discord.Guild, role_id: int, channel_id: int | None) -> discord.Role:
    """A role that the bot can mention where it posts.

    Raises:
        RoleUnusableError: it cannot, or the server has no such role.
    """
    role = guild.get_role(role_id)
    if role is None or role.is_default():
        raise RoleUnusableError(role_id=role_id, is_everyone=role is not None)
    if not may_mention(guild.me, role, channel_id):
        raise RoleUnusableError(role_id=role_id)
    return role


def check_choice_of_role(
    interaction: Interaction, guild: discord.Guild, role_id: int, channel_id: int | None
) -> None:
    """Make sure that the bot, and who chooses a role, can mention it where the bot posts.

    Raises:
        RoleUnusableError: the bot cannot, or the server has no such role.
        RoleForbiddenError: the member cannot.
    """
    role, member = check_role(guild, role_id, channel_id), interaction.user
    if not isinstance(member, discord.Member) or not may_mention(member, role, channel_id):
        raise RoleForbiddenError(role_id=role_id)


def may_mention(member: discord.Member, role: discord.Role, channel_id: int | None) -> bool:
    """Whether somebody can mention a role in a channel, or where no channel is set."""
    may = member.guild_permissions
    if channel_id is not None:
        may = _permissions(member.guild, channel_id, member)
    return role.mentionable or may.mention_everyone


def check_threads(guild: discord.Guild, channel_id: int | None) -> None:
    """Make sure that the bot can keep private threads in a channel.

    Raises:
        ThreadsUnusableError: it cannot, or there is no channel.
    """
    channel = None if channel_id is None else guild.get_channel(channel_id)
    if channel_id is None or channel is None:
        raise ThreadsUnusableError(channel_id=None, missing=[])
    if not has_private_threads(channel):
        raise ThreadsUnusableError(channel_id=channel_id, missing=[])
    may = _permissions(guild, channel_id)
    missing = [name for name in _TO_KEEP_THREADS if not getattr(may, name)]
    if missing:
        raise ThreadsUnusableError(channel_id=channel_id, missing=missing)


def has_private_threads(channel: object) -> bool:
    """Whether a channel is of a kind that can have private threads."""
    return isinstance(channel, discord.TextChannel) and not channel.is_news()


def _permissions(
    guild: discord.Guild, channel_id: int, member: discord.Member | None = None
) -> discord.Permissions:
    """What a member may do in a channel; without one, the bot."""
    channel = guild.get_channel(channel_id)
    if channel is None:
        return discord.Permissions.none()
    return channel.permissions_for(member or guild.me)


class PostChannel(app_commands.Transformer):
    """The option for a channel to post in.

    discord.py's own would fail on a channel that the bot cannot see; ours says so.
    """

    @property
    def type(self) -> discord.AppCommandOptionType:
        """What Discord offers."""
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        """Channels that hold messages, announcements too."""
        return CHANNEL_TYPES

    async def transform(self, interaction: Interaction, value: Any, /) -> int:
        """The channel's id."""
        return value.id
