"""Voices: permission to post publicly for a member.

Discord lets the bot answer anywhere, even where the member may not write. The bot posts nothing
public for such a member: every public message for a member needs a `Voice`, which only members who
may write there get.
"""

from collections.abc import Generator
from contextlib import contextmanager
from itertools import islice
from typing import Any, Final

import discord

from bot.clock import PuzzleName
from bot.games.model import Channel
from bot.posts.model import ChannelUnusableError
from bot.refused import MayNotSpeakError, NotAMemberError, Refused
from bot.text import labels
from cogs.ui.deliveries import was_refused
from cogs.ui.host import Host
from cogs.ui.members import find_guild, find_member
from cogs.ui.pages import INVALID_FORM, Page, sent
from cogs.ui.replies import Interaction

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
