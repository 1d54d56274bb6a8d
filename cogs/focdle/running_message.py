"""The running message of a puzzle in a channel: what it looks like, sent once, edited, deleted."""

import asyncio
from typing import Final

import discord

from bot.focdle.pages import labels
from bot.games.game.send_once import TRY_SECONDS
from bot.home.pages.agenda import Door
from bot.posts.game.running_content import RunningContent
from bot.posts.game.running_life import Step
from bot.posts.game.running_messages import RunningMessages, RunningWork
from bot.posts.pages import running as words
from bot.services import Services
from bot.text.language import say
from cogs.focdle.group_picture import group_picture
from cogs.focdle.sharing import OPEN_FROM_CARD, play_button
from cogs.ui.doors import HEAVY_DOOR
from cogs.ui.faults import was_refused
from cogs.ui.hearing import hearing_of
from cogs.ui.once import find_own
from cogs.ui.pages import Page, button, picture, row
from cogs.ui.public import in_language, language_of

_NOBODY: Final = discord.AllowedMentions.none()
_MOST_STEPS: Final = 2


def running_page(content: RunningContent, drawn: discord.File | None = None) -> Page:
    """The running message.

    Args:
        content: what it shows.
        drawn: the results as a picture; they are told in text without one.
    """
    puzzle = content.puzzle
    play = play_button(puzzle)
    play.custom_id = OPEN_FROM_CARD(number=puzzle.number, length=puzzle.length)
    buttons = [play]
    if content.is_closed:
        today = HEAVY_DOOR(door=Door.TODAY.value)
        buttons.insert(0, button(today, say(labels.TODAY_BUTTON)))
    buttons[0].style = discord.ButtonStyle.primary
    pictures = [] if drawn is None else [drawn]
    results = [picture(drawn)] if drawn is not None else [words.rows(content)]
    blocks = [words.title(content), *results, words.rest(content), row(*buttons)]
    return Page(list(filter(None, blocks)), pictures)


async def keep(
    client: discord.Client, services: Services, running_id: int, *, waits: bool = True
) -> None:
    """Do what is to be done about a running message now, if nobody else is at it.

    Args:
        client: the bot.
        services: the use cases.
        running_id: the message's own.
        waits: whether to wait for avatars; not before an interaction is answered.
    """
    for _ in range(_MOST_STEPS):
        work = await services.running.claim(running_id)
        if work is None or not hearing_of(client).knows(work.message.guild_id):
            return  # what was claimed comes again in a minute
        guild = client.get_guild(work.message.guild_id)
        if guild is None or guild.unavailable:
            await services.running.unreachable(work)
            return
        async with asyncio.timeout(TRY_SECONDS):
            await _settle(client, services.running, work, waits=waits)


async def _settle(
    client: discord.Client, running: RunningMessages, work: RunningWork, *, waits: bool
) -> None:
    """Do some work at Discord, and note what came of it."""
    message = work.message
    channel = client.get_partial_messageable(message.channel_id, guild_id=message.guild_id)
    if work.step is Step.LOOK:
        found = await _look(client, channel, work)
        if found is not None:
            await running.posted(work, found)
            return
        new = await running.is_not_there(work)
        if new is None:
            return
        work = new
    try:
        await _do(client, channel, running, work, waits=waits)
    except discord.HTTPException as error:
        if not was_refused(error):
            raise
        await _note_refusal(running, work, error)


async def _do(
    client: discord.Client,
    channel: discord.PartialMessageable,
    running: RunningMessages,
    work: RunningWork,
    *,
    waits: bool,
) -> None:
    target = channel.get_partial_message(work.target_id)
    if work.step is Step.DELETE:
        await target.delete()
        await running.deleted(work)
        return
    page, is_whole = await _draw(client, work, waits=waits)
    if work.step is Step.EDIT:
        await target.edit(view=page, attachments=page.files, allowed_mentions=_NOBODY)
        await running.shown(work, is_whole=is_whole)
    else:
        sent = await channel.send(
            view=page, files=page.files, nonce=work.nonce, allowed_mentions=_NOBODY
        )
        await running.posted(work, sent.id, is_whole=is_whole)


async def _note_refusal(
    running: RunningMessages, work: RunningWork, error: discord.HTTPException
) -> None:
    is_gone = isinstance(error, discord.NotFound)
    if work.step is Step.POST:
        await running.refused(work)
    elif work.step is Step.DELETE and is_gone:
        await running.deleted(work)
    elif work.step is Step.EDIT and is_gone:
        await running.was_deleted(work)
    else:
        await running.unreachable(work)


async def _look(
    client: discord.Client, channel: discord.PartialMessageable, work: RunningWork
) -> int | None:
    """The message, if it was sent after all; where the bot may not look, it is as if it was not."""
    puzzle, claimed_at = work.message.puzzle, work.message.claimed_at
    if client.user is None or claimed_at is None:
        return None
    custom_id = OPEN_FROM_CARD(number=puzzle.number, length=puzzle.length)
    try:
        return await find_own(channel, client.user.id, custom_id, claimed_at)
    except discord.Forbidden:
        return None


async def _draw(client: discord.Client, work: RunningWork, *, waits: bool) -> tuple[Page, bool]:
    """What the message is to show, and whether it has all avatars that can be had."""
    content = work.content
    if content is None:
        raise RuntimeError("what is sent or edited has something to show")
    tag = language_of(client, work.message.guild_id)
    drawn = await group_picture(
        client,
        work.message.channel_id,
        content.rows,
        waits=waits,
        is_over=content.is_closed,
    )
    return in_language(tag, lambda: running_page(content, drawn.file)), drawn.is_whole
