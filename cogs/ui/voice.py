"""Voices: permission to have the bot post something public on a member's behalf.

Discord lets the bot answer wherever it is asked, even where the member who asks may not write.
The bot posts nothing public for such a member: whatever it says to everybody on a member's behalf
needs a `Voice`, and only who may write there gets one.
"""

from itertools import islice
from typing import Final

import discord

from bot.dailies import PuzzleName
from bot.refused import MayNotSpeakError, Speech
from cogs.ui.emojis import sent
from cogs.ui.pages import Page
from cogs.ui.presence import find_guild
from cogs.ui.replies import Interaction, services_of

_MOST_PROPOSED: Final = 2


class Voice:
    """Permission to say something in a channel.

    Args:
        interaction: on whose behalf.
        channel_id: where; None for the answer to the interaction.
    """

    def __init__(self, interaction: Interaction, channel_id: int | None = None) -> None:
        self._interaction = interaction
        self._channel_id = channel_id

    async def say(self, page: Page, *, calls: int = 0) -> int:
        """Say it, and ping nobody but one member, if one is given; returns the message's id."""
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
    """Leave to answer an interaction publicly; in private conversations everybody has it.

    Raises:
        MayNotSpeakError: the member may not write here.
    """
    may = interaction.permissions
    if interaction.guild_id is None or _allows(may, interaction.user, interaction.channel):
        return Voice(interaction)
    raise _refusal(speech, interaction.channel_id, interaction.user)


async def voice_of_result(interaction: Interaction, puzzle: PuzzleName | None) -> Voice:
    """Leave to share a FoCdle here, which managers can give to all below the daily post.

    Args:
        interaction: the click.
        puzzle: which daily it is; None for a practice.

    Raises:
        MayNotSpeakError: the member may not write here.
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
    """Leave to share a daily in a channel that need not be the one of the interaction.

    Raises:
        As `voice_in`.
    """
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
    """Leave to post in a channel or thread that need not be the one of the interaction.

    Raises:
        MayNotSpeakError: the user may not write there, or is no member any more.
        NoServerError, ServerUnseenError, ServerElsewhereError: the bot is no member, or cannot
            tell yet, or here.
        discord.NotFound, discord.Forbidden: the channel is gone, or closed to the bot.
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
    """Whether permissions are enough to write in a channel or thread."""
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
    """The refusal, with channels in which the user and the bot may write."""
    found: tuple[int, ...] = ()
    if isinstance(user, discord.Member):
        here = (channel for channel in user.guild.text_channels if channel.id != channel_id)
        found = tuple(islice((c.id for c in here if _is_open(c, user)), _MOST_PROPOSED))
    return MayNotSpeakError(speech=speech, channel_id=channel_id or 0, elsewhere=found)


def _is_open(channel: discord.TextChannel, member: discord.Member) -> bool:
    """Whether a member and the bot may write in a channel."""
    both = (member, channel.guild.me)
    return all(_allows(channel.permissions_for(one), one, channel) for one in both)
