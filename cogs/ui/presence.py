"""Whether a member can be challenged here: the bot may post, and the member can see it."""

import discord

from bot.posts.model.errors import ChannelUnusableError, ServerElsewhereError, ServerUnseenError
from bot.refused import CannotSeeChannelError, NoServerError, NotAMemberError
from cogs.ui.hearing import hearing_of
from cogs.ui.replies import Interaction, server_of


def usable_channel(interaction: Interaction) -> tuple[int, int]:
    """The server and the channel an interaction is in, for a board that is kept up to date.

    Raises:
        NoServerError: this is no channel of a server that the bot is a member of.
        ChannelUnusableError: the bot could not keep a board up to date in it.
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


def find_guild(client: discord.Client, guild_id: int | None) -> discord.Guild:
    """A server that the bot is a member of.

    Raises:
        NoServerError: it is no member.
        ServerUnseenError: nobody can tell yet.
        ServerElsewhereError: another process can tell.
    """
    guild, hearing = client.get_guild(guild_id or 0), hearing_of(client)
    if guild is not None:
        return guild
    if hearing.knows(guild_id):
        raise NoServerError
    raise ServerUnseenError if hearing.is_ours(guild_id) else ServerElsewhereError


async def require_present(
    interaction: Interaction, member_id: int, guild_id: int | None = None
) -> None:
    """Make sure that somebody is a member who would see what is posted here.

    Args:
        interaction: where it would be posted.
        member_id: who it is.
        guild_id: a server, if not the one here; then only membership matters.

    Raises:
        NoServerError, NotAMemberError, CannotSeeChannelError: that is not so.
        ServerUnseenError, ServerElsewhereError: nobody here can tell.
    """
    guild = find_guild(interaction.client, guild_id or interaction.guild_id)
    try:
        member = await guild.fetch_member(member_id)
    except discord.NotFound as error:
        raise NotAMemberError(player_id=member_id) from error
    if guild.id != interaction.guild_id:
        return
    channel = interaction.channel
    # Where it cannot be told, nobody is turned away.
    place = channel.parent if isinstance(channel, discord.Thread) else channel
    is_known = isinstance(place, discord.abc.GuildChannel)
    if is_known and not place.permissions_for(member).view_channel:
        raise CannotSeeChannelError(player_id=member_id, channel_id=interaction.channel_id or 0)


def may_attach(client: discord.Client, channel_id: int) -> bool:
    """Whether the bot may attach files in a channel or thread, as far as is known."""
    channel = client.get_channel(channel_id)
    parent = channel.parent if isinstance(channel, discord.Thread) else channel
    if not isinstance(parent, discord.abc.GuildChannel):
        return False
    return parent.permissions_for(parent.guild.me).attach_files
