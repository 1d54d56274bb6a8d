"""A simulated Discord, with the bot in one of its servers."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Final

import discord
import simcord

from bot.app import CodebreakerBot
from bot.clock import Clock, SystemClock
from bot.focdle.words import PLAY_BUTTON
from bot.services import Services
from bot.text.language import say
from cogs.posts.delivery import post_page
from cogs.ui.pages import Page

BOT: Final = "FoCdle"
SERVER: Final = "Puzzle Club"
CHANNELS: Final = ("daily-puzzle", "lounge")
PEOPLE: Final = ("Ann", "Ben", "Cleo")


@dataclass(frozen=True, slots=True)
class World:
    env: simcord.Env
    channels: tuple[simcord.ChannelHandle, ...]
    members: tuple[simcord.MemberActor, ...]


@asynccontextmanager
async def open_world(
    bot: CodebreakerBot,
    clock: Clock,
    *,
    with_managers: bool = False,
    with_avatars: bool = False,
    shards: int = 1,
) -> AsyncGenerator[World]:
    """Put a bot into a server with two channels and three members, at the clock's present.

    Args:
        bot: the bot, not yet started.
        clock: says the time at which the world begins.
        with_managers: the first member administrates the server, the second manages it.
        with_avatars: all members have avatars, which `open_browser_page` can show.
        shards: the bot's shards; the server is on the last one, direct messages are on the first.
    """
    env = simcord.Env(bot, shard_count=shards)
    env.backend.edit_bot_profile(BOT)
    # Ids grow with the world's clock: made before it is set, they are the same at every start.
    guild = env.create_guild(SERVER, shard_id=shards - 1)
    channels = tuple(guild.create_text_channel(name) for name in CHANNELS)
    users = [
        env.create_user(
            name.lower(), global_name=name, avatar=f"{number:032x}" if with_avatars else None
        )
        for number, name in enumerate(PEOPLE)
    ]
    manager = guild.create_role("Manager", permissions=discord.Permissions(manage_guild=True))
    admin = guild.create_role("Administrator", permissions=discord.Permissions(administrator=True))
    rights = {0: [admin], 1: [manager]} if with_managers else {}
    members = tuple(guild.add_member(user, roles=rights.get(n, [])) for n, user in enumerate(users))
    # Set before the bot starts, so that no timer fires on the way.
    env.backend.clock.advance((clock.now() - env.now()).total_seconds())
    await env.start()
    try:
        yield World(env, channels, members)
    finally:
        await env.shutdown()


async def greet(bot: CodebreakerBot, services: Services, world: World) -> None:
    """Send today's post to the first channel, unless it is out, with a hint of what to press.

    That is the post of the day: none follows once a channel is chosen.
    """
    book, channel, guild_id = services.posts.book, world.channels[0], world.members[0].guild.id
    claimed = await book.claim_early(guild_id, channel.id)
    due = claimed or replace(await book.preview(guild_id), channel_id=channel.id)
    post = Page([])
    if claimed is not None or not any(each.history() for each in world.channels):
        post = await post_page(bot, services, due)
    first = say(PLAY_BUTTON, number=due.puzzle.number)
    hint = f"Press **{first}** above. Later, type `/play` below: every game is there."
    page = Page([*post.children, hint])
    sent = await bot.get_partial_messageable(channel.id).send(view=page, files=post.files)
    if claimed is not None:
        await book.sent(claimed, sent.id)


def clock_for(today: date | None) -> SystemClock:
    """Make a clock like the machine's, shifted by whole days to another date if one is given."""
    if today is None:
        return SystemClock()
    now = datetime.now(UTC)
    return SystemClock(timedelta(days=(today - now.date()).days))
