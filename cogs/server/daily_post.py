"""The daily post: its buttons, and sending it exactly once."""

import asyncio
import re
from typing import Any, Final, Self

import discord
from discord import ui

from bot.model.dailies import PuzzleName
from bot.presentation.base.language import say, speak
from bot.presentation.base.text_board import Mood
from bot.presentation.server import daily_post as words
from bot.services.base.commitments import Commitment
from bot.services.base.send_once import TRY_SECONDS, Step
from bot.services.server.daily_posts import DuePost, PostBook
from bot.services.server.post_content import PostNews
from bot.services.services import Services
from cogs.base.buttons import Press
from cogs.base.hearing import hearing_of
from cogs.base.membership import LOOKS, look_up
from cogs.base.once import find_own
from cogs.base.pages import ACCENTS, Notice, Page
from cogs.base.replies import Interaction, services_of, whisper
from cogs.focdle.board import OpenButton
from cogs.server.finishers_threads import serve_thread

_GONE: Final = "gone"
_FORBIDDEN: Final = "forbidden"
# A post shall not fail because of them: see `TRY_SECONDS`.
_LOOK_UP_SECONDS: Final = 5.0


class DailyPost(Page):
    """What a server reads each day.

    Args:
        due: which post.
        news: what it tells.
        seal: what shows that the puzzle is fixed; None where it was fixed without.
    """

    def __init__(self, due: DuePost, news: PostNews, seal: Commitment | None = None) -> None:
        super().__init__()
        if due.role_id is not None:
            self.add_item(ui.TextDisplay[DailyPost](words.call(due.role_id)))
        container = ui.Container[DailyPost](accent_colour=ACCENTS[Mood.PLAYING])
        title = f"{words.headline(due)}\n{words.invitation(seal)}"
        container.add_item(ui.TextDisplay[DailyPost](title))
        for text in words.sections(due, news):
            container.add_item(ui.Separator[DailyPost]())
            container.add_item(ui.TextDisplay[DailyPost](text))
        container.add_item(ui.Separator[DailyPost](visible=False))
        row = ui.ActionRow[DailyPost]()
        row.add_item(PostPlayButton(due.puzzle))
        if due.finishers_threads:
            row.add_item(FinishersButton(due.puzzle.number))
        container.add_item(row)
        self.add_item(container)


class PostPlayButton(OpenButton, template=r"post:play:(?P<number>\d+)/(?P<length>\d+)"):
    """*Play*, on the post; by this button's id the bot recognises its own post."""

    prefix = "post:play"
    style = discord.ButtonStyle.primary


class FinishersButton(Press, template=r"post:thread:(?P<number>\d{1,6})"):
    """Adds who has finished the puzzle, wherever, to its thread."""

    def __init__(self, number: int) -> None:
        super().__init__(f"post:thread:{number}", say(words.FINISHERS_BUTTON))
        self._number = number

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a puzzle."""
        return cls(int(match["number"]))

    async def press(self, interaction: Interaction) -> None:
        """Add the presser, now if Discord lets us, else soon."""
        guild_id = interaction.guild_id or 0
        services = services_of(interaction)
        await interaction.response.defer(ephemeral=True)
        day = PuzzleName(self._number, 0).day
        await services.posts.threads.join(interaction.user.id, guild_id, self._number)
        await serve_thread(interaction.client, services, guild_id, day)
        speak(str(interaction.locale))
        thread_id = await services.posts.threads.find(guild_id, self._number)
        text = say(words.THREAD_SOON) if thread_id is None else words.thread_joined(thread_id)
        await whisper(interaction, Notice(text))


async def deliver_post(client: discord.Client, services: Services, guild_id: int) -> None:
    """Send the post that is due in a server, if one is and nobody else is at it."""
    book = services.posts.book
    if not hearing_of(client).knows(guild_id):
        await book.unseen(guild_id)
        return
    guild = client.get_guild(guild_id)
    if guild is None or guild.unavailable:
        await book.absent(guild_id)
        return
    due = await book.claim(guild_id)
    if due is None:
        return
    try:
        async with asyncio.timeout(TRY_SECONDS):
            if due.step is Step.LOOK:
                found = await _look(guild, book, due)
                if found is None:
                    return
                due = found
            await _send(client, guild, services, due)
    except discord.Forbidden:
        if due.step is Step.LOOK:  # it may be there all the same
            await book.unsure(due)
        else:
            await book.refused(due, _FORBIDDEN)
    except discord.NotFound:
        await book.refused(due, _GONE)


async def _look(guild: discord.Guild, book: PostBook, due: DuePost) -> DuePost | None:
    """The post as one to be sent, after a look into the channel; None if that has settled it."""
    channel = guild.get_channel(due.channel_id)
    if not isinstance(channel, discord.TextChannel):
        await book.refused(due, _GONE)
        return None
    # Without the permission, Discord would answer with no messages at all.
    if not channel.permissions_for(guild.me).read_message_history:
        await book.unsure(due)
        return None
    custom_id = PostPlayButton(due.puzzle).custom_id
    message_id = await find_own(channel, guild.me.id, custom_id, due.claimed_at)
    if message_id is not None:
        await book.sent(due, message_id)
        return None
    return await book.is_not_there(due)


async def gather_news(client: discord.Client, services: Services, due: DuePost) -> PostNews:
    """What the post tells, without members who have left, as far as Discord says so in time."""
    members, gather = services.standings.members, services.posts.news.gather
    news = await gather(due)
    try:
        async with asyncio.timeout(_LOOK_UP_SECONDS):
            for _ in range(LOOKS):
                changes = [await look_up(client, members, due.guild_id, n) for n in news.names]
                if not any(changes):
                    return news
                news = await gather(due)
    except TimeoutError:
        news = await gather(due)
    return news


async def _send(
    client: discord.Client, guild: discord.Guild, services: Services, due: DuePost
) -> None:
    news = await gather_news(client, services, due)
    seal = await services.daily.seal(due.puzzle)
    speak(str(guild.preferred_locale))
    roles: Any = [] if due.role_id is None else [discord.Object(due.role_id)]
    channel = client.get_partial_messageable(due.channel_id, guild_id=guild.id)
    message = await channel.send(
        view=DailyPost(due, news, seal),
        nonce=due.nonce,
        allowed_mentions=discord.AllowedMentions(everyone=False, users=False, roles=roles),
    )
    await services.posts.book.sent(due, message.id)
