"""Choosing a language, a time zone, a channel or a role: lists, and what is refused."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

import discord
from discord import app_commands, ui

from bot.posts.model import (
    ChannelUnusableError,
    RoleForbiddenError,
    RoleGoneError,
    RoleUnusableError,
    ThreadsUnusableError,
)
from bot.posts.plans import PostSettings
from bot.refused import NotManagerError, UnknownZoneError
from bot.text import labels
from bot.text.language import ENGLISH, language_name, offered, offered_for, say, spoken
from cogs.ui.host import Host
from cogs.ui.pages import button
from cogs.ui.replies import Form, Interaction, field
from cogs.ui.routes import Argument, Route

ZONE_FIELD = "zone"
_DISCORDS: Final = "discord"


def _read_language(text: str) -> str | None:
    if text not in {*offered(), _DISCORDS}:
        raise ValueError(text)
    return None if text == _DISCORDS else text


LANGUAGE: Final = Argument("[A-Za-z0-9-]{2,8}", _read_language)
"""A language that is offered, or None for Discord's."""
ZONE_NAME = Argument("[A-Z][A-Za-z0-9_+/-]{1,60}")
"""What can be a zone's name; the use case checks that there is such a zone."""


SPEAK: Final = Route("set:speak:{language}", language=LANGUAGE)
"""The button for a proposed language; its handler is in `cogs.settings`."""


def language_list(custom_id: str, chosen: str | None) -> ui.Select[Any]:
    """Build a list to choose a language from: by `custom_id` a server's or a player's."""
    names = {_DISCORDS: say(labels.AS_DISCORD)} | {tag: language_name(tag) for tag in offered()}
    options = [
        discord.SelectOption(label=name, value=tag, default=tag == (chosen or _DISCORDS))
        for tag, name in names.items()
    ]
    return ui.Select[Any](custom_id=custom_id, options=options)


def proposal(chosen: str | None, now: str) -> ui.Button[Any] | None:
    """Offer the manager's language to a server that speaks English `now` without a choice.

    Only a Community server can tell Discord its language: one in English may have told none.
    """
    tag = spoken()
    if chosen or tag == ENGLISH or offered_for(now) != ENGLISH:
        return None
    return button(SPEAK(language=tag), language_name(tag), discord.ButtonStyle.primary)


def zone_form(custom_id: str) -> Form:
    """Build the form that asks for a time zone: by `custom_id` a server's or a player's."""
    label, description = say(labels.FORM_LABEL), say(labels.FORM_DESCRIPTION)
    typed = field(ZONE_FIELD, label, description, placeholder=say(labels.FORM_PLACEHOLDER))
    return Form(custom_id, say(labels.FORM_TITLE), typed)


def zone_list(custom_id: str, options: list[discord.SelectOption]) -> ui.Select[Any]:
    """Build a list to choose a time zone from: by `custom_id` a server's or a player's."""
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
    """Return the server of an interaction if the member is a manager; else refuse.

    Discord offers `/settings` to managers only, but a server may grant it to others, and a message
    with settings stays open when its manager loses the role.
    """
    guild = interaction.client.get_guild(interaction.guild_id or 0)
    if guild is None or not interaction.permissions.manage_guild:
        raise NotManagerError
    return guild


def check_channel(
    guild: discord.Guild, channel_id: int, may: discord.Permissions | None = None
) -> None:
    """Refuse a channel in which the bot cannot post.

    `may` has the permissions that Discord has just sent. Without it the channel has to exist, and
    the cached permissions count.
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
    """Return the bot's permissions in a channel that was just chosen in a list.

    Discord sends them with the choice as `app_permissions`, which the library (2.7) does not read;
    `permissions` beside them are the member's. Without `view_channel` the bot has no permissions,
    whatever Discord sends.

    Returns:
        None where Discord has sent nothing; then the caller has to do with the cached permissions.
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
    """Return the same settings with `is_gone` set: true if the posts' channel was deleted."""
    channel_id = posts.channel_id
    return replace(posts, is_gone=channel_id is not None and not guild.get_channel(channel_id))


def reads_history(guild: discord.Guild, channel_id: int) -> bool:
    """Return true if the bot may read a channel's history, to look for its own messages there."""
    return _permissions(guild, channel_id).read_message_history


def check_role(guild: discord.Guild, role_id: int, channel_id: int | None) -> discord.Role:
    """Return a role; refuse one that is gone, is everybody's, or that the bot cannot mention.

    `channel_id` is where the bot posts, if a channel is chosen.
    """
    role = guild.get_role(role_id)
    if role is None:
        raise RoleGoneError
    if role.is_default():
        raise RoleUnusableError(role_id=role_id, is_everyone=True)
    if not may_mention(guild.me, role, channel_id):
        raise RoleUnusableError(role_id=role_id)
    return role


def check_choice_of_role(
    interaction: Interaction, guild: discord.Guild, role_id: int, channel_id: int | None
) -> None:
    """Refuse a role as `check_role` does, and one that the member cannot mention themselves."""
    role, member = check_role(guild, role_id, channel_id), interaction.user
    if not isinstance(member, discord.Member) or not may_mention(member, role, channel_id):
        raise RoleForbiddenError(role_id=role_id)


def may_mention(member: discord.Member, role: discord.Role, channel_id: int | None) -> bool:
    """Return true if a member can mention a role in a channel, or for None in the whole server."""
    may = member.guild_permissions
    if channel_id is not None:
        may = _permissions(member.guild, channel_id, member)
    return role.mentionable or may.mention_everyone


def may_change_role(member: discord.Member | discord.User, role: discord.Role | None) -> bool:
    """Return true for the server's owner, and for a member with *Manage Roles* above the role.

    If `role` is None, *Manage Roles* is enough.
    """
    if not isinstance(member, discord.Member):
        return False
    is_owner = member.id == member.guild.owner_id
    is_below = role is None or role < member.top_role
    return is_owner or (member.guild_permissions.manage_roles and is_below)


def check_threads(guild: discord.Guild, channel_id: int | None) -> None:
    """Refuse a channel in which the bot cannot keep private threads; None is refused, too."""
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
    channel = guild.get_channel(channel_id)
    if channel is None:
        return discord.Permissions.none()
    return channel.permissions_for(member or guild.me)


class PostChannelOption(app_commands.Transformer[Host]):
    """The type of a command's option for a channel to post in; its value is the channel's id.

    discord.py's own type fails on a channel that the bot cannot see.
    """

    @property
    def type(self) -> discord.AppCommandOptionType:
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        return CHANNEL_TYPES

    async def transform(self, interaction: Interaction, value: Any, /) -> int:
        return value.id
