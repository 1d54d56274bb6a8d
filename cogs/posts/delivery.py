"""Delivery of daily posts, finishers' threads and reminders."""

import asyncio
import io
import logging
from dataclasses import replace
from datetime import date
from typing import Any, Final

import discord
from discord import ui
from discord.ext import commands, tasks

from bot.clock import PuzzleName, day_of, number_of
from bot.focdle.words import PLAY_BUTTON
from bot.games.game import Step
from bot.people.game import DEFAULT_LENGTH
from bot.pool.pool import in_thread
from bot.posts import words
from bot.posts.cards import BETWEEN_EDITS
from bot.posts.finishers import OPEN_DAYS, DueThread, FinishersThreads, ThreadWork
from bot.posts.game import DuePost, DueReminder
from bot.posts.news import PostNews
from bot.services import Services
from bot.text.language import say, speak
from bot.text.pictures.tile_art import draw_rows
from bot.text.tiles import Mood, Palette, Tiles
from cogs.focdle.page import REMIND
from cogs.focdle.sharing import OPEN_FROM_POST, group_picture, play_button, update_card
from cogs.ui.deliveries import Refusal, delivered, find_own, refusal_of
from cogs.ui.host import Host
from cogs.ui.languages import for_player, for_server, language_of, speak_to
from cogs.ui.members import LOOKS, look_up, may_attach
from cogs.ui.pages import (
    MOST_NAMED,
    Page,
    button,
    fitted,
    framed,
    gap,
    line,
    notice,
    picture,
    row,
    spaced,
)
from cogs.ui.replies import Interaction, whisper
from cogs.ui.routes import Argument, By, Route, pressed
from cogs.ui.schedule import TimedCog

log = logging.getLogger(__name__)

_ARCHIVE_MINUTES: Final = 4320  # three days, in case a closing fails
_THREAD_OVER: Final = frozenset({10003, 50083})  # it is gone, or archived


async def serve_thread(client: Host, services: Services, due: tuple[int, date]) -> None:
    """Add those who wait for the thread of a server's date; make it for the first of them."""
    threads, (guild_id, day) = services.posts.threads, due
    is_known, guild = client.hearing.knows(guild_id), client.get_guild(guild_id)
    if not is_known or guild is None or guild.unavailable:
        await threads.put_off(guild_id, day, is_known=is_known)
        return
    work = await threads.claim(guild_id, day)
    if work is None:
        return
    serving = _serve(client, guild, threads, work)
    is_served = await delivered(f"finishers' thread of {day} in server {guild_id}", serving)
    if is_served is True:
        await threads.served(work)
    elif is_served is not Refusal.WAIT:  # else the claim expires in a minute
        await threads.closed(guild_id, day)


async def _serve(
    client: Host, guild: discord.Guild, threads: FinishersThreads, work: ThreadWork
) -> bool:
    """Add those who wait to the thread; false if there is no thread, and there can be none."""
    thread = await _thread(client, guild, threads, work)
    if thread is None:
        return False
    for player_id in work.player_ids:
        if await threads.still_waits(work, player_id):
            await _add(threads, work, thread, player_id)
    return True


async def close_thread(client: Host, services: Services, due: DueThread) -> None:
    """Close a thread whose time is over, unless another process does.

    One that the bot cannot reach counts as closed. If Discord is busy, it is due in an hour.
    """
    if not await services.posts.threads.claim_closing(due):
        return
    if not client.hearing.knows(due.guild_id):
        return  # it is due again in an hour
    guild = client.get_guild(due.guild_id)
    if due.thread_id is not None and guild is not None:
        closing = _close(client, guild, due.thread_id)
        came = await delivered(f"closing of thread {due.thread_id}", closing)
        if came is Refusal.WAIT:
            return
    await services.posts.threads.closed(due.guild_id, due.day)


async def _thread(
    client: Host, guild: discord.Guild, threads: FinishersThreads, work: ThreadWork
) -> discord.Thread | None:
    """Fetch the thread. If no id is noted, find one that was made before, or make one.

    None if the noted id is no thread's, or if the channel is gone or cannot have private threads.
    """
    if work.thread_id is not None:
        return await _fetch(client, guild, work.thread_id)
    channel = guild.get_channel(work.channel_id)
    if not isinstance(channel, discord.TextChannel) or channel.is_news():
        return None
    speak(await language_of(client, guild.id))
    name = say(words.THREAD_NAME, number=work.number)
    if work.is_perhaps_there:
        ours = (channel.id, guild.me.id, name)
        for thread in await guild.active_threads():
            if (thread.parent_id, thread.owner_id, thread.name) == ours:
                await threads.made(work, thread.id)
                return thread
    thread = await channel.create_thread(
        name=fitted(name, MOST_NAMED, "a thread's name"),
        type=discord.ChannelType.private_thread,
        invitable=False,
        auto_archive_duration=_ARCHIVE_MINUTES,
    )
    await threads.made(work, thread.id)
    await thread.send(view=notice(words.thread_welcome(work.number, OPEN_DAYS)))
    return thread


async def _add(
    threads: FinishersThreads, work: ThreadWork, thread: discord.Thread, player_id: int
) -> None:
    """Add a player to the thread. One whom Discord refuses can ask again by a button."""
    try:
        await thread.add_user(discord.Object(player_id))
    except discord.HTTPException as error:
        if error.code in _THREAD_OVER or refusal_of(error) is Refusal.WAIT:
            raise
        log.info("somebody was not added to finishers' thread %d: %s", thread.id, error)
        await threads.refused(work, player_id)
    else:
        await threads.added(work, player_id)


async def _fetch(client: Host, guild: discord.Guild, thread_id: int) -> discord.Thread | None:
    thread = guild.get_thread(thread_id) or await client.fetch_channel(thread_id)
    return thread if isinstance(thread, discord.Thread) else None


async def _close(client: Host, guild: discord.Guild, thread_id: int) -> None:
    thread = await _fetch(client, guild, thread_id)
    if thread is None:
        return
    try:
        await thread.edit(archived=True, locked=True)
    except discord.Forbidden:  # locking needs a permission of its own
        await thread.edit(archived=True)


# No daily's number has more digits.
JOIN: Final = Route("post:thread:{number}", number=Argument("[0-9]{1,6}", int))

_EXAMPLE: Final = "example.png"
_GONE: Final = "gone"
_FORBIDDEN: Final = "forbidden"
# The post must not fail because of lookups: see `TRY_SECONDS`.
_LOOK_UP_SECONDS: Final = 5.0


def daily_post(
    due: DuePost,
    news: PostNews,
    drawn: discord.File | None = None,
    tiles: Tiles | None = None,
) -> Page:
    """Build the daily post; without `drawn`, yesterday's best result is told in squares."""
    label = say(PLAY_BUTTON, number=due.puzzle.number)
    buttons = [button(_play_id(due.puzzle), label, discord.ButtonStyle.primary)]
    if due.finishers_threads:
        buttons.append(button(JOIN(number=due.puzzle.number), say(words.FINISHERS_BUTTON)))
    is_first = _is_first(due, news)
    told = words.idea(tiles) if is_first else words.yesterday(news, drawn=drawn is not None)
    board = (
        words.post_rows(news, is_first=is_first, tiles=tiles) if drawn is None else picture(drawn)
    )
    sections = (block for text in words.sections(news) for block in (line(), text))
    frame = framed(
        *spaced([words.headline(due), told]),
        board,
        *sections,
        gap(),
        row(*buttons),
        mood=Mood.PLAYING,
    )
    pictures = [] if drawn is None else [drawn]
    return Page([frame] if due.role_id is None else [f"<@&{due.role_id}>", frame], pictures)


def _is_first(due: DuePost, news: PostNews) -> bool:
    return due.last_day is None and not news.yesterday.rows


async def post_picture(client: Host, due: DuePost, news: PostNews) -> discord.File | None:
    """Draw yesterday's best results; for a server's first post, draw an example instead.

    None if the bot may not attach files, or if there are no results to draw.
    """
    if not _is_first(due, news):
        found = await group_picture(client, due.channel_id, news.best, waits=True, is_over=True)
        return found.file
    if not may_attach(client, due.channel_id):
        return None
    game = words.example()
    png = await in_thread(draw_rows, game, Palette.STANDARD)
    return discord.File(io.BytesIO(png), _EXAMPLE, description=words.example_spoken())


def _play_id(puzzle: PuzzleName) -> str:
    return OPEN_FROM_POST(number=puzzle.number, length=puzzle.length)


@pressed(JOIN, by=By.ANYBODY)
async def join_thread(interaction: Interaction, number: int) -> None:
    """Add the presser to the thread of the daily's finishers, and say where it is.

    If others are added or the thread is made first, say that it comes soon.
    """
    guild_id = interaction.guild_id or 0
    services = interaction.client.services
    await interaction.response.defer(ephemeral=True)
    await services.posts.threads.join(interaction.user.id, guild_id, number)
    await serve_thread(interaction.client, services, (guild_id, day_of(number)))
    await speak_to(interaction)
    thread_id = await services.posts.threads.find(interaction.user.id, guild_id, number)
    text = say(words.THREAD_SOON) if thread_id is None else words.thread_joined(thread_id)
    await whisper(interaction, notice(text))


async def deliver_post(client: Host, services: Services, guild_id: int) -> None:
    """Send a server's due post, unless another process does."""
    book = services.posts.book
    is_known, guild = client.hearing.knows(guild_id), client.get_guild(guild_id)
    if not is_known or guild is None or guild.unavailable:
        await book.put_off(guild_id, is_known=is_known)
        return
    due = await book.claim(guild_id)
    if due is None:
        return
    delivering = _look_or_send(client, guild, services, due)
    came = await delivered(f"daily post of {due.day} in server {guild_id}", delivering)
    if came is Refusal.GONE:
        await book.refused(due, _GONE)
    elif came is Refusal.CLOSED and due.step is Step.LOOK:  # it may have been sent all the same
        await book.unsure(due)
    elif came is Refusal.CLOSED:
        await book.refused(due, _FORBIDDEN)


async def _look_or_send(
    client: Host, guild: discord.Guild, services: Services, due: DuePost
) -> None:
    """Send a post; one that may have been sent is looked for in the channel first."""
    book = services.posts.book
    if due.step is Step.LOOK:
        channel = guild.get_channel(due.channel_id)
        if not isinstance(channel, discord.TextChannel):
            await book.refused(due, _GONE)
            return
        # Without the permission, Discord would answer with no messages at all.
        if not channel.permissions_for(guild.me).read_message_history:
            await book.unsure(due)
            return
        custom_id = _play_id(due.puzzle)
        message_id = await find_own(client, channel, custom_id, due.claimed_at)
        if message_id is not None:
            await book.sent(due, message_id)
            return
        due = await book.not_found(due)
    await _send(client, guild, services, due)


async def gather_news(client: Host, services: Services, due: DuePost) -> PostNews:
    """Read the post's news, and look up at Discord the members whom they name.

    If one of these has left or has a new name, read the news again. That ends after a few rounds or
    a few seconds: members who have not been looked up by then stay in the news.
    """
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


async def post_page(client: Host, services: Services, due: DuePost) -> Page:
    """Build the post with its latest news, in the server's language; it calls no deleted role."""
    guild = client.get_guild(due.guild_id)
    if guild is not None and due.role_id is not None and guild.get_role(due.role_id) is None:
        due = replace(due, role_id=None)
    news = await gather_news(client, services, due)
    drawn = await post_picture(client, due, news)
    return await for_server(client, due.guild_id, daily_post, due, news, drawn, client.tiles)


async def _send(client: Host, guild: discord.Guild, services: Services, due: DuePost) -> None:
    speak(await language_of(client, guild.id))
    post = await post_page(client, services, due)
    roles: Any = [] if due.role_id is None else [discord.Object(due.role_id)]
    channel = client.get_partial_messageable(due.channel_id, guild_id=guild.id)
    message = await channel.send(
        view=post,
        files=post.files,
        nonce=due.nonce,
        allowed_mentions=discord.AllowedMentions(everyone=False, users=False, roles=roles),
    )
    await services.posts.book.sent(due, message.id)


STOP: Final = Route("remind:stop:{number:int}")
"""The route of *Stop reminders*; the number is that of the daily of the reminder's date."""


def reminder_page(due: DueReminder) -> Page:
    """Build the reminder, with a button that stops reminders.

    Another button opens the daily or, if the date is today only in a server, leads to that server.
    """
    number = number_of(due.risk.day)
    buttons: list[ui.Item[Any]] = []
    if due.risk.is_own_date:
        buttons.append(play_button(PuzzleName(number, DEFAULT_LENGTH)))
    elif due.risk.guild_id is not None:
        url = f"https://discord.com/channels/{due.risk.guild_id}"
        buttons.append(ui.Button[Any](label=say(words.SERVER_BUTTON), url=url))
    buttons.append(button(STOP(number=number), say(words.STOP_BUTTON)))
    return notice(words.reminder(due), buttons)


@pressed(REMIND, by=By.ANYBODY)
async def start_reminders(interaction: Interaction, number: int) -> None:
    """Turn on the player's reminders, and say when the first comes; a button stops them."""
    asked = await interaction.client.services.reminders.ask(interaction.user.id)
    stop = button(STOP(number=number), say(words.STOP_BUTTON))
    await whisper(interaction, notice(words.asked(asked), [stop]))


@pressed(STOP, by=By.ANYBODY)
async def stop_reminders(interaction: Interaction) -> None:
    """Turn off the player's reminders, and say so in place of the clicked reminder."""
    await interaction.client.services.preferences.set_reminders(interaction.user.id, on=False)
    await interaction.response.edit_message(view=notice(say(words.STOPPED)))


async def deliver_reminder(client: Host, services: Services, player_id: int) -> None:
    """Send a player's due reminder, unless another process does."""
    reminders = services.reminders
    due = await reminders.claim(player_id)
    if due is None:
        return

    async def remind() -> None:
        channel, found = await client.create_dm(discord.Object(player_id)), due
        if due.step is Step.LOOK:
            custom_id = STOP(number=number_of(due.risk.day))
            message_id = await find_own(client, channel, custom_id, due.claimed_at)
            if message_id is not None:
                await reminders.sent(due, message_id)
                return
            found = await reminders.not_found(due)
        view = await for_player(client, player_id, reminder_page, found)
        message = await channel.send(view=view, nonce=found.nonce)
        await reminders.sent(found, message.id)

    if await delivered("reminder", remind()) in {Refusal.GONE, Refusal.CLOSED}:
        await reminders.refused(due)


_INTERVAL_SECONDS: Final = 10


class PostsCog(TimedCog):
    """The loops that deliver due posts, threads, reminders and cards."""

    waits = True

    @tasks.loop(seconds=_INTERVAL_SECONDS)
    async def post(self) -> None:
        await self._deliver("daily post", self._services.posts.book.due(), deliver_post)

    @tasks.loop(seconds=_INTERVAL_SECONDS)
    async def thread(self) -> None:
        """Add finishers to their threads, and close threads whose time is over."""
        threads = self._services.posts.threads
        await self._deliver("finishers' thread", threads.waiting(), serve_thread)
        await self._deliver("closing thread", threads.to_close(), close_thread)

    @tasks.loop(seconds=_INTERVAL_SECONDS)
    async def remind(self) -> None:
        await self._deliver("reminder", self._services.reminders.due(), deliver_reminder)

    @tasks.loop(seconds=BETWEEN_EDITS.total_seconds())
    async def card(self) -> None:
        await self._deliver("card", self._services.cards.due(), update_card)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Note that a thread was deleted, in case it was a finishers' thread."""
        threads = self._services.posts.threads
        gone = threads.was_deleted(payload.guild_id, payload.thread_id)
        await self._attempt("deleted thread", gone)
