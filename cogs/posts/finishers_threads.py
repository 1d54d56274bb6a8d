"""Finishers' threads: made with the first finisher, closed when their time is over."""

import logging
from datetime import date
from typing import Final

import discord

from bot.posts.game.finishers_threads import OPEN_DAYS, DueThread, FinishersThreads, ThreadWork
from bot.posts.pages import daily_post as words
from bot.services import Services
from bot.text.language import say, speak
from cogs.ui.hearing import hearing_of
from cogs.ui.pages import notice

log = logging.getLogger(__name__)

_ARCHIVE_MINUTES: Final = 4320  # three days, in case nobody closes it
_UNKNOWN_CHANNEL: Final = 10003
_THREAD_ARCHIVED: Final = 50083


async def serve_thread(
    client: discord.Client, services: Services, guild_id: int, day: date
) -> None:
    """Add to a date's thread who waits for it; with the first, make it."""
    threads = services.posts.threads
    if not hearing_of(client).knows(guild_id):
        await threads.unseen(guild_id, day)
        return
    guild = client.get_guild(guild_id)
    if guild is None or guild.unavailable:
        await threads.absent(guild_id, day)
        return
    work = await threads.claim(guild_id, day)
    if work is None:
        return
    try:
        thread = await _thread(client, guild, threads, work)
    except (discord.Forbidden, discord.NotFound) as error:
        log.info("no finishers' thread of %s in server %d: %s", day, guild_id, error)
        thread = None
    if thread is None:
        await threads.closed(guild_id, day)
        return
    for player_id in work.player_ids:
        if not await threads.still_waits(work, player_id):
            continue
        if not await _add(threads, work, thread, player_id):
            await threads.closed(guild_id, day)
            return
    await threads.served(work)


async def close_thread(client: discord.Client, services: Services, due: DueThread) -> None:
    """Close a thread whose time is over, if nobody else is at it."""
    if not await services.posts.threads.claim_closing(due):
        return
    if not hearing_of(client).knows(due.guild_id):
        return  # it comes again in an hour
    guild = client.get_guild(due.guild_id)
    if due.thread_id is not None and guild is not None:
        try:
            await _close(client, guild, due.thread_id)
        except (discord.Forbidden, discord.NotFound) as error:
            log.info("finishers' thread %d was not closed: %s", due.thread_id, error)
    await services.posts.threads.closed(due.guild_id, due.day)


async def _thread(
    client: discord.Client, guild: discord.Guild, threads: FinishersThreads, work: ThreadWork
) -> discord.Thread | None:
    """The thread; None where the channel can have none."""
    if work.thread_id is not None:
        return await _fetch(client, guild, work.thread_id)
    channel = guild.get_channel(work.channel_id)
    if not isinstance(channel, discord.TextChannel) or channel.is_news():
        return None
    speak(str(guild.preferred_locale))
    name = say(words.THREAD_NAME, number=work.number)
    if work.is_perhaps_there:
        for thread in await guild.active_threads():
            if (thread.parent_id, thread.owner_id, thread.name) == (
                channel.id,
                guild.me.id,
                name,
            ):
                await threads.made(work, thread.id)
                return thread
    thread = await channel.create_thread(
        name=name,
        type=discord.ChannelType.private_thread,
        invitable=False,
        auto_archive_duration=_ARCHIVE_MINUTES,
    )
    await threads.made(work, thread.id)
    await thread.send(view=notice(words.thread_welcome(work.number, OPEN_DAYS)))
    return thread


async def _add(
    threads: FinishersThreads, work: ThreadWork, thread: discord.Thread, player_id: int
) -> bool:
    """Add a player; whether the thread is still there and open."""
    try:
        await thread.add_user(discord.Object(player_id))
    except (discord.Forbidden, discord.NotFound) as error:
        if error.code == _UNKNOWN_CHANNEL:
            return False
        # The player has left the server, say. Who wants in again has the button.
        log.info("somebody was not added to finishers' thread %d: %s", thread.id, error)
    except discord.HTTPException as error:
        if error.code == _THREAD_ARCHIVED:
            return False
        raise
    await threads.added(work, player_id)
    return True


async def _fetch(
    client: discord.Client, guild: discord.Guild, thread_id: int
) -> discord.Thread | None:
    thread = guild.get_thread(thread_id) or await client.fetch_channel(thread_id)
    return thread if isinstance(thread, discord.Thread) else None


async def _close(client: discord.Client, guild: discord.Guild, thread_id: int) -> None:
    thread = await _fetch(client, guild, thread_id)
    if thread is None:
        return
    try:
        await thread.edit(archived=True, locked=True)
    except discord.Forbidden:  # locking takes a permission of its own
        await thread.edit(archived=True)
