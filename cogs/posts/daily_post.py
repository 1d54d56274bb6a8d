"""The daily post: its buttons, and sending it exactly once."""

import asyncio
import io
from typing import Any, Final

import discord

from bot.dailies import PuzzleName
from bot.focdle.pages.labels import PLAY_BUTTON
from bot.games.game.seals import Commitment
from bot.games.game.send_once import TRY_SECONDS, Step
from bot.games.pages.seals import seal_line
from bot.pool.threads import in_thread
from bot.posts.game.daily_posts import DuePost, PostBook
from bot.posts.game.post_content import PostNews
from bot.posts.pages import daily_post as words
from bot.services import Services
from bot.text.language import say, speak
from bot.text.pictures.tiles import draw_rows
from bot.text.text_board import Mood
from bot.text.tiles import Palette, Tiles
from cogs.focdle.group_picture import group_picture
from cogs.focdle.sharing import OPEN_FROM_POST
from cogs.posts.finishers_threads import serve_thread
from cogs.ui.hearing import hearing_of
from cogs.ui.membership import LOOKS, look_up
from cogs.ui.once import find_own
from cogs.ui.pages import Page, button, framed, gap, line, notice, picture, row
from cogs.ui.presence import may_attach
from cogs.ui.public import in_language, language_of
from cogs.ui.replies import Interaction, services_of, tiles_of_client, whisper
from cogs.ui.routes import Argument, By, Route, pressed

# No date is so far away that its number has more digits.
JOIN: Final = Route("post:thread:{number}", number=Argument("[0-9]{1,6}", int))

_EXAMPLE: Final = "example.png"
_GONE: Final = "gone"
_FORBIDDEN: Final = "forbidden"
# A post shall not fail because of them: see `TRY_SECONDS`.
_LOOK_UP_SECONDS: Final = 5.0


def daily_post(
    due: DuePost,
    news: PostNews,
    seal: Commitment | None = None,
    drawn: discord.File | None = None,
    tiles: Tiles | None = None,
) -> Page:
    """What a server reads each day.

    Args:
        due: which post.
        news: what it tells.
        seal: what shows that the puzzle is fixed; None where it was fixed without.
        drawn: yesterday's best boards, or an example on the first day; None without leave.
        tiles: the emojis to draw with; squares without them.
    """
    label = say(PLAY_BUTTON, number=due.puzzle.number)
    buttons = [button(_play_id(due.puzzle), label, discord.ButtonStyle.primary)]
    if due.finishers_threads:
        buttons.append(button(JOIN(number=due.puzzle.number), say(words.FINISHERS_BUTTON)))
    is_first = _is_first(due, news)
    told = words.idea(tiles) if is_first else words.yesterday(news, drawn=drawn is not None)
    board = words.rows(news, is_first=is_first, tiles=tiles) if drawn is None else picture(drawn)
    sections = (block for text in words.sections(news) for block in (line(), text))
    frame = framed(
        words.headline(due),
        told,
        board,
        *sections,
        gap(),
        row(*buttons),
        seal_line(seal, whole=True),
        mood=Mood.PLAYING,
    )
    pictures = [] if drawn is None else [drawn]
    return Page([frame] if due.role_id is None else [words.call(due.role_id), frame], pictures)


def _is_first(due: DuePost, news: PostNews) -> bool:
    """Whether nobody here can know yet what it is about."""
    return due.last_day is None and not news.yesterday.rows


async def post_picture(client: discord.Client, due: DuePost, news: PostNews) -> discord.File | None:
    """Yesterday's best boards, or an example on the first day; None without leave, or for none."""
    if not _is_first(due, news):
        found = await group_picture(client, due.channel_id, news.best, waits=True, is_over=True)
        return found.file
    if not may_attach(client, due.channel_id):
        return None
    game = words.example()
    png = await in_thread(draw_rows, game, Palette.STANDARD)
    return discord.File(io.BytesIO(png), _EXAMPLE, description=words.example_spoken())


def _play_id(puzzle: PuzzleName) -> str:
    """What the post's button has for an id."""
    return OPEN_FROM_POST(number=puzzle.number, length=puzzle.length)


@pressed(JOIN, by=By.ANYBODY)
async def join_thread(interaction: Interaction, number: int) -> None:
    """Add who has finished the puzzle, wherever, to its thread: now if Discord lets us, or soon."""
    guild_id = interaction.guild_id or 0
    services = services_of(interaction)
    await interaction.response.defer(ephemeral=True)
    await services.posts.threads.join(interaction.user.id, guild_id, number)
    await serve_thread(interaction.client, services, guild_id, PuzzleName(number, 0).day)
    speak(str(interaction.locale))
    thread_id = await services.posts.threads.find(guild_id, number)
    text = say(words.THREAD_SOON) if thread_id is None else words.thread_joined(thread_id)
    await whisper(interaction, notice(text))


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
    custom_id = _play_id(due.puzzle)
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


async def post_page(client: discord.Client, services: Services, due: DuePost) -> Page:
    """The post as it is now, in the server's language."""
    news = await gather_news(client, services, due)
    drawn = await post_picture(client, due, news)
    seal = await services.daily.seal(due.puzzle)
    tag, tiles = language_of(client, due.guild_id), tiles_of_client(client)
    return in_language(tag, lambda: daily_post(due, news, seal, drawn, tiles))


async def _send(
    client: discord.Client, guild: discord.Guild, services: Services, due: DuePost
) -> None:
    speak(str(guild.preferred_locale))
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
