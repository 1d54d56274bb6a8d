"""Members and what they and the bot may do in a channel; choosing a language or a time zone."""

import asyncio
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from itertools import islice
from typing import Any, Final

import discord
from discord import app_commands, ui

from bot.clock import PuzzleName
from bot.games.model import Channel
from bot.people.members import Members
from bot.posts.model import (
    ChannelUnusableError,
    RoleForbiddenError,
    RoleGoneError,
    RoleUnusableError,
    ServerElsewhereError,
    ServerUnseenError,
    ThreadsUnusableError,
)
from bot.posts.plans import PostSettings
from bot.refused import (
    CannotSeeChannelError,
    MayNotSpeakError,
    NoServerError,
    NotAMemberError,
    NotManagerError,
    Refused,
    UnknownZoneError,
)
from bot.text import labels
from bot.text.language import ENGLISH, language_name, offered, offered_for, say, spoken
from cogs.ui.host import Host
from cogs.ui.pages import INVALID_FORM, Page, button, sent
from cogs.ui.replies import (
    Form,
    Interaction,
    Refusal,
    delivered,
    field,
    server_of,
    was_refused,
)
from cogs.ui.routes import Argument, Route

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


# Voices: permission to post publicly for a member. Discord lets the bot answer anywhere, even where
# the member may not write. The bot posts nothing public for such a member: every public message for
# a member needs a `Voice`, which only members who may write there get.

_MOST_PROPOSED: Final = 2


class Voice:
    """Permission to post publicly for a member, which the functions below give.

    The post goes to a channel, or is the answer to an interaction.
    """

    def __init__(self, client: Host, place: int | Interaction) -> None:
        self._client = client
        self._place = place

    async def say(self, page: Page, nonce: str | None = None, *, calls: int = 0) -> int:
        """Post a page, and return the message's id; ping the user `calls`, nobody if it is 0.

        Of all attempts with one nonce in a channel, within minutes, one posts it.
        """
        users = [discord.Object(calls)] if calls else False
        mentions = discord.AllowedMentions(everyone=False, roles=False, users=users)
        return await sent(self._client, page, lambda: self._say(page, nonce, mentions))

    async def _say(self, page: Page, nonce: str | None, mentions: discord.AllowedMentions) -> int:
        place = self._place
        if isinstance(place, int):
            once: dict[str, Any] = {} if nonce is None else {"nonce": nonce}
            message = await self._client.get_partial_messageable(place).send(
                view=page, files=page.files, allowed_mentions=mentions, **once
            )
            return message.id
        if place.response.is_done():
            message = await place.followup.send(
                view=page, files=page.files, allowed_mentions=mentions, wait=True
            )
            return message.id
        response = await place.response.send_message(
            view=page, files=page.files, allowed_mentions=mentions
        )
        if response.message_id is None:
            raise RuntimeError("an answer with a page is a message")
        return response.message_id


def voice_here(interaction: Interaction, instead: str) -> Voice:
    """Permit a public answer where the member may write, and anywhere outside servers.

    `instead` is the sentence that says what to do in another channel.

    Raises:
        MayNotSpeakError: the member may not write here.
    """
    may = interaction.permissions
    if interaction.guild_id is None or _allows(may, interaction.user, interaction.channel):
        return Voice(interaction.client, interaction)
    raise _refusal(instead, interaction.channel_id, interaction.user)


async def voice_of_result(interaction: Interaction, puzzle: PuzzleName | None) -> Voice:
    """Permit sharing a FoCdle here, as `voice_here` does; `puzzle` is None for a practice.

    In the channel of daily posts, a manager can let everybody share today's daily and the one
    before it.
    """
    if puzzle is None:
        return voice_here(interaction, labels.SHARE_IN)
    try:
        return voice_here(interaction, labels.SHARE_DAILY_IN)
    except MayNotSpeakError as error:
        takes = interaction.client.services.posts.choices.takes_result
        if await takes(interaction.guild_id or 0, error.channel_id, puzzle):
            return Voice(interaction.client, interaction)
        raise


async def voice_of_result_in(
    interaction: Interaction, puzzle: PuzzleName, guild_id: int, channel_id: int
) -> Voice:
    """Permit sharing a daily in any channel, as `voice_of_result` does in the current one."""
    try:
        return await voice_in(interaction, labels.SHARE_DAILY_IN, guild_id, channel_id)
    except MayNotSpeakError:
        takes = interaction.client.services.posts.choices.takes_result
        if await takes(guild_id, channel_id, puzzle):
            return Voice(interaction.client, channel_id)
        raise


async def voice_in(
    interaction: Interaction, instead: str, guild_id: int | None, channel_id: int | None
) -> Voice:
    """Permit posting in any channel or thread where the member may write.

    Raises:
        MayNotSpeakError: the member may not write there.
        discord.HTTPException: see `unless_refused`.
        Refused: the server is none that `find_guild` returns.
    """
    place, user = channel_id or 0, interaction.user
    if interaction.guild_id is not None and interaction.channel_id == channel_id:
        voice_here(interaction, instead)
        return Voice(interaction.client, place)
    guild = find_guild(interaction.client, guild_id)
    channel = guild.get_channel_or_thread(place) or await interaction.client.fetch_channel(place)
    if not isinstance(user, discord.Member) or user.guild.id != guild.id:
        user = await find_member(guild, user.id)
        if user is None:
            raise MayNotSpeakError(instead=instead, channel_id=place)
    if not _writes(user, channel):
        raise _refusal(instead, place, user)
    return Voice(interaction.client, place)


async def voice_of_page(
    client: Host, channel: Channel, player_id: int, puzzle: PuzzleName | None
) -> Voice:
    """Permit sharing a FoCdle as `voice_of_result_in` does, though nobody has clicked here.

    Discord is asked what the player and the bot may do there now.

    Raises:
        ChannelUnusableError: the bot may not write there.
        MayNotSpeakError: the player may not.
        NotAMemberError: the player is no member.
        discord.HTTPException: see `unless_refused`.
        Refused: the server is none that `find_guild` returns.
    """
    guild, place = find_guild(client, channel.guild_id), channel.channel_id
    found = guild.get_channel_or_thread(place) or await client.fetch_channel(place)
    if not _writes(guild.me, found):
        raise ChannelUnusableError(channel_id=place, missing=["send_messages"])
    member, takes = await find_member(guild, player_id), client.services.posts.choices.takes_result
    if member is None:
        raise NotAMemberError(player_id=player_id)
    if not (_writes(member, found) or await takes(guild.id, place, puzzle)):
        raise MayNotSpeakError(instead=labels.SHARE_DAILY_IN, channel_id=place)
    return Voice(client, place)


@contextmanager
def unless_refused(otherwise: Refused) -> Generator[None]:
    """Raise `otherwise` where the channel is gone, or closed to the bot."""
    try:
        yield
    except discord.HTTPException as error:
        if not was_refused(error) or error.code == INVALID_FORM:
            raise
        raise otherwise from error


def _writes(member: discord.Member, channel: object) -> bool:
    """Return true if a member can write in a channel or thread of the server now."""
    parent = channel.parent if isinstance(channel, discord.Thread) else channel
    if not isinstance(parent, discord.abc.GuildChannel) or parent.guild != member.guild:
        return False
    return _allows(parent.permissions_for(member), member, channel)


def _allows(may: discord.Permissions, user: discord.Member | discord.User, channel: object) -> bool:
    """Return true if a user with permissions `may` can write in a channel or thread now."""
    if may.administrator:
        return True
    if isinstance(user, discord.Member) and user.is_timed_out():
        return False
    if isinstance(channel, discord.Thread):
        return may.send_messages_in_threads and (may.manage_threads or not channel.locked)
    return may.send_messages


def _refusal(
    instead: str, channel_id: int | None, user: discord.Member | discord.User
) -> MayNotSpeakError:
    """Build the refusal; it names a few channels where both the user and the bot may write."""
    found: tuple[int, ...] = ()
    if isinstance(user, discord.Member):
        here = (channel for channel in user.guild.text_channels if channel.id != channel_id)
        found = tuple(islice((c.id for c in here if _is_open(c, user)), _MOST_PROPOSED))
    return MayNotSpeakError(instead=instead, channel_id=channel_id or 0, elsewhere=found)


def _is_open(channel: discord.TextChannel, member: discord.Member) -> bool:
    both = (member, channel.guild.me)
    return all(_allows(channel.permissions_for(one), one, channel) for one in both)


FIELD = "zone"
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
    typed = field(FIELD, label, description, placeholder=say(labels.FORM_PLACEHOLDER))
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
