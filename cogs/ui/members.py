"""Members: noted, looked up, their permissions to post; choosing a time zone."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice
from typing import Any, Final

import discord
from discord import app_commands, ui

from bot.clock import PuzzleName
from bot.games.model import Channel
from bot.posts.model import (
    ChannelUnusableError,
    RoleForbiddenError,
    RoleUnusableError,
    ServerElsewhereError,
    ServerUnseenError,
    ThreadsUnusableError,
)
from bot.posts.plans import PostSettings
from bot.privacy.members import Members
from bot.refused import (
    CannotSeeChannelError,
    MayNotSpeakError,
    NoServerError,
    NotAllowedError,
    NotAMemberError,
    Speech,
    UnknownZoneError,
)
from bot.text import labels
from bot.text.language import say
from cogs.ui.pages import Page, sent
from cogs.ui.replies import UNDONE, Form, Interaction, field, server_of, services_of
from cogs.ui.routes import Argument
from cogs.ui.schedule import hearing_of

LOOKS: Final = 2
"""The most passes of lookups for a page: after members who have left, others move up."""

UNKNOWN_MEMBER: Final = frozenset({10007, 10013})


async def note_member(interaction: Interaction) -> None:
    """Note the member of an interaction; what was noted today is not written again."""
    user, guild_id, services = interaction.user, server_of(interaction), services_of(interaction)
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
    """Return true if the player is in a server: the interaction's, or one where they were noted."""
    if interaction.guild_id == guild_id:
        return True
    members = services_of(interaction).standings.members
    return await members.knows(interaction.user.id, guild_id)


async def look_up(
    client: discord.Client, members: Members, guild_id: int, names: Mapping[int, str]
) -> bool:
    """Ask Discord about members who may have left; return true if any has, or is renamed.

    `names` maps the shown members to their names in the server.
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
        if error.code not in UNKNOWN_MEMBER:
            return False
        await members.gone(guild.id, player_id)
        return True
    except UNDONE:
        return False  # tomorrow
    await members.still_here(guild.id, player_id, member.display_name)
    return member.display_name != name


def here(interaction: Interaction) -> Channel:
    """The channel of a click; outside servers its ids may be 0."""
    return Channel(interaction.guild_id or 0, interaction.channel_id or 0)


def usable_channel(interaction: Interaction) -> tuple[int, int]:
    """Return the ids of this server and channel; refuse if the bot cannot keep a board here."""
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
    """Find a server that the bot is a member of.

    Raises:
        NoServerError: the bot is no member, or `guild_id` is None.
        ServerUnseenError: it is not known yet if the bot is a member.
        ServerElsewhereError: another process has the server.
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
    """Make sure that a member would see a message posted here; else refuse.

    If `guild_id` is another server, the member only has to belong to that one.
    """
    guild = find_guild(interaction.client, guild_id or interaction.guild_id)
    try:
        member = await guild.fetch_member(member_id)
    except discord.NotFound as error:
        raise NotAMemberError(player_id=member_id) from error
    if guild.id != interaction.guild_id:
        return
    channel = interaction.channel
    # A thread whose channel is unknown excludes nobody.
    place = channel.parent if isinstance(channel, discord.Thread) else channel
    is_known = isinstance(place, discord.abc.GuildChannel)
    if is_known and not place.permissions_for(member).view_channel:
        raise CannotSeeChannelError(player_id=member_id, channel_id=interaction.channel_id or 0)


def may_attach(client: discord.Client, channel_id: int) -> bool:
    """Return true if the bot is known to be allowed to attach files in a channel or thread."""
    channel = client.get_channel(channel_id)
    parent = channel.parent if isinstance(channel, discord.Thread) else channel
    if not isinstance(parent, discord.abc.GuildChannel):
        return False
    return parent.permissions_for(parent.guild.me).attach_files


# Voices: permission to post publicly for a member. Discord lets the bot answer anywhere, even where
# the member may not write. The bot posts nothing public for such a member: every public message for
# a member needs a `Voice`, which only members who may write there get.

_MOST_PROPOSED: Final = 2


class Voice:
    """Permission to post in a channel for a member.

    Without a `channel_id`, the post is the answer to the interaction.
    """

    def __init__(self, interaction: Interaction, channel_id: int | None = None) -> None:
        self._interaction = interaction
        self._channel_id = channel_id

    async def say(self, page: Page, *, calls: int = 0) -> int:
        """Post a page, pinging at most one member; return the message's id."""
        users = [discord.Object(calls)] if calls else False
        mentions = discord.AllowedMentions(everyone=False, roles=False, users=users)
        return await sent(self._interaction.client, page, lambda: self._say(page, mentions))

    async def _say(self, page: Page, mentions: discord.AllowedMentions) -> int:
        if self._channel_id is not None:
            channel = self._interaction.client.get_partial_messageable(self._channel_id)
            message = await channel.send(view=page, files=page.files, allowed_mentions=mentions)
            return message.id
        if self._interaction.response.is_done():
            message = await self._interaction.followup.send(
                view=page, files=page.files, allowed_mentions=mentions, wait=True
            )
            return message.id
        response = await self._interaction.response.send_message(
            view=page, files=page.files, allowed_mentions=mentions
        )
        if response.message_id is None:
            raise RuntimeError("an answer with a page is a message")
        return response.message_id


def voice_here(interaction: Interaction, speech: Speech) -> Voice:
    """Permit a public answer, if the member may write here; always in private conversations."""
    may = interaction.permissions
    if interaction.guild_id is None or _allows(may, interaction.user, interaction.channel):
        return Voice(interaction)
    raise _refusal(speech, interaction.channel_id, interaction.user)


async def voice_of_result(interaction: Interaction, puzzle: PuzzleName | None) -> Voice:
    """Permit sharing a FoCdle here; managers can allow everybody to share below the daily post.

    `puzzle` is None for a practice.
    """
    if puzzle is None:
        return voice_here(interaction, Speech.GAME)
    try:
        return voice_here(interaction, Speech.RESULT)
    except MayNotSpeakError as error:
        takes = services_of(interaction).posts.choices.takes_result
        if await takes(interaction.guild_id or 0, error.channel_id, puzzle):
            return Voice(interaction)
        raise


async def voice_of_result_in(
    interaction: Interaction, puzzle: PuzzleName, guild_id: int, channel_id: int
) -> Voice:
    """Permit sharing a daily in a channel, not necessarily the interaction's."""
    try:
        return await voice_in(interaction, Speech.RESULT, guild_id, channel_id)
    except MayNotSpeakError:
        takes = services_of(interaction).posts.choices.takes_result
        if await takes(guild_id, channel_id, puzzle):
            return Voice(interaction, channel_id)
        raise


async def voice_in(
    interaction: Interaction, speech: Speech, guild_id: int | None, channel_id: int | None
) -> Voice:
    """Permit posting in a channel or thread, not necessarily the interaction's.

    `discord.NotFound` and `discord.Forbidden` mean that the channel is gone, or closed to the bot.
    """
    place, user = channel_id or 0, interaction.user
    if interaction.guild_id is not None and interaction.channel_id == channel_id:
        voice_here(interaction, speech)
        return Voice(interaction, place)
    guild = find_guild(interaction.client, guild_id)
    channel = guild.get_channel_or_thread(place) or await interaction.client.fetch_channel(place)
    if not isinstance(user, discord.Member) or user.guild.id != guild.id:
        try:
            user = await guild.fetch_member(user.id)
        except discord.NotFound as error:
            raise MayNotSpeakError(speech=speech, channel_id=place) from error
    parent = channel.parent if isinstance(channel, discord.Thread) else channel
    is_known = isinstance(parent, discord.abc.GuildChannel)
    if not is_known or not _allows(parent.permissions_for(user), user, channel):
        raise _refusal(speech, place, user)
    return Voice(interaction, place)


def _allows(may: discord.Permissions, user: discord.Member | discord.User, channel: object) -> bool:
    """Return true if permissions suffice to write in a channel or thread."""
    if may.administrator:
        return True
    if isinstance(user, discord.Member) and user.is_timed_out():
        return False
    if isinstance(channel, discord.Thread):
        return may.send_messages_in_threads and (may.manage_threads or not channel.locked)
    return may.send_messages


def _refusal(
    speech: Speech, channel_id: int | None, user: discord.Member | discord.User
) -> MayNotSpeakError:
    """Build the refusal; it names other channels where both the user and the bot may write."""
    found: tuple[int, ...] = ()
    if isinstance(user, discord.Member):
        here = (channel for channel in user.guild.text_channels if channel.id != channel_id)
        found = tuple(islice((c.id for c in here if _is_open(c, user)), _MOST_PROPOSED))
    return MayNotSpeakError(speech=speech, channel_id=channel_id or 0, elsewhere=found)


def _is_open(channel: discord.TextChannel, member: discord.Member) -> bool:
    """Return true if both a member and the bot may write in a channel."""
    both = (member, channel.guild.me)
    return all(_allows(channel.permissions_for(one), one, channel) for one in both)


FIELD = "zone"
ZONE_NAME = Argument("[A-Z][A-Za-z0-9_+/-]{1,60}")
"""A zone's name; the service knows if it exists."""


def zone_form(custom_id: str) -> Form:
    """Build the form that asks for a time zone; `custom_id` says whose zone is set."""
    label, description = say(labels.FORM_LABEL), say(labels.FORM_DESCRIPTION)
    typed = field(FIELD, label, description, placeholder=say(labels.FORM_PLACEHOLDER))
    return Form(custom_id, say(labels.FORM_TITLE), typed)


def zone_list(custom_id: str, options: list[discord.SelectOption]) -> ui.Select[Any]:
    """Build a list of time zones; `custom_id` says whose zone is set."""
    return ui.Select[Any](custom_id=custom_id, placeholder=say(labels.PROPOSALS), options=options)


def proposals_of(refused: Exception | None) -> Sequence[str]:
    return refused.proposals if isinstance(refused, UnknownZoneError) else ()


def zone_options(offered: Sequence[str], now: datetime) -> list[discord.SelectOption]:
    return [
        discord.SelectOption(
            label=labels.zone_name(zone), value=zone, description=labels.time_there(zone, now)
        )
        for zone in offered
    ]


CHANNEL_TYPES: Final = [discord.ChannelType.text, discord.ChannelType.news]
# Discord's names of the permissions that the daily post needs.
_TO_POST: Final = ("view_channel", "send_messages")
_TO_KEEP_THREADS: Final = (
    "view_channel",
    "create_private_threads",
    "send_messages_in_threads",
    "manage_threads",
)


def managed_server(interaction: Interaction) -> discord.Guild:
    """Return the server of an interaction if the member may change its settings.

    Discord offers the command to such members only, but a server may grant it to others, and a
    panel stays open when a role is taken away.
    """
    guild = interaction.client.get_guild(interaction.guild_id or 0)
    if guild is None or not interaction.permissions.manage_guild:
        raise NotAllowedError
    return guild


def check_channel(
    guild: discord.Guild, channel_id: int, may: discord.Permissions | None = None
) -> None:
    """Make sure that the bot can post in a channel.

    `may` has the permissions that Discord has just sent; without it the cached ones count.
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
    """Read the bot's permissions in a channel that was just chosen in a list.

    Discord sends them with the choice as `app_permissions`, which the library (2.7) does not read;
    `permissions` beside them are the member's. Without `view_channel` the bot has none of the
    others, which Discord sends all the same.

    Returns:
        None where Discord has sent nothing; the cached permissions must do then.
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
    """Return the settings of a server's posts, with `is_gone` true if their channel was deleted."""
    channel_id = posts.channel_id
    return replace(posts, is_gone=channel_id is not None and not guild.get_channel(channel_id))


def reads_history(guild: discord.Guild, channel_id: int) -> bool:
    """Return true if the bot can look for its own messages in a channel."""
    return _permissions(guild, channel_id).read_message_history


def check_role(guild: discord.Guild, role_id: int, channel_id: int | None) -> discord.Role:
    """Return a role; refuse it if the bot cannot mention it where it posts."""
    role = guild.get_role(role_id)
    if role is None or role.is_default():
        raise RoleUnusableError(role_id=role_id, is_everyone=role is not None)
    if not may_mention(guild.me, role, channel_id):
        raise RoleUnusableError(role_id=role_id)
    return role


def check_choice_of_role(
    interaction: Interaction, guild: discord.Guild, role_id: int, channel_id: int | None
) -> None:
    """Make sure that both the bot and the member can mention a role where the bot posts."""
    role, member = check_role(guild, role_id, channel_id), interaction.user
    if not isinstance(member, discord.Member) or not may_mention(member, role, channel_id):
        raise RoleForbiddenError(role_id=role_id)


def may_mention(member: discord.Member, role: discord.Role, channel_id: int | None) -> bool:
    """Return true if a member can mention a role in a channel; without one, in the server."""
    may = member.guild_permissions
    if channel_id is not None:
        may = _permissions(member.guild, channel_id, member)
    return role.mentionable or may.mention_everyone


def may_change_role(member: discord.Member | discord.User, role: discord.Role | None) -> bool:
    """Return true for the owner, and for managers of roles if `role` is None or below their own."""
    if not isinstance(member, discord.Member):
        return False
    is_owner = member.id == member.guild.owner_id
    is_below = role is None or role < member.top_role
    return is_owner or (member.guild_permissions.manage_roles and is_below)


def check_threads(guild: discord.Guild, channel_id: int | None) -> None:
    """Make sure that the bot can keep private threads in a channel."""
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
    return isinstance(channel, discord.TextChannel) and not channel.is_news()


def _permissions(
    guild: discord.Guild, channel_id: int, member: discord.Member | None = None
) -> discord.Permissions:
    """Return a member's permissions in a channel; without a member, the bot's."""
    channel = guild.get_channel(channel_id)
    if channel is None:
        return discord.Permissions.none()
    return channel.permissions_for(member or guild.me)


class PostChannel(app_commands.Transformer):
    """The command option for a channel to post in.

    discord.py's own option fails on a channel that the bot cannot see; this one returns its id.
    """

    @property
    def type(self) -> discord.AppCommandOptionType:
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        return CHANNEL_TYPES

    async def transform(self, interaction: Interaction, value: Any, /) -> int:
        return value.id
