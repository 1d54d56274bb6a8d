"""A player's statistics: words and pictures, private until their owner shows them."""

import io
from typing import Final

import discord

from bot.presentation import statistics as words
from bot.presentation.base.language import say, speak
from bot.presentation.base.text_board import Mood
from bot.presentation.duels.ratings import DETAILS_BUTTON
from bot.presentation.help import Topic
from bot.presentation.pictures.picture import Picture
from bot.presentation.standings.leaderboard import RULES_BUTTON
from bot.services.base.allowance import Cost
from bot.services.base.errors import Speech
from bot.services.records import Stats
from cogs.base.drawing import drawn_in_good_time, in_turn
from cogs.base.pages import Page, button, gap, notice, page, picture, row, spaced, with_face
from cogs.base.replies import Interaction, server_of, services_of, show, whisper
from cogs.base.routes import Route, pressed
from cogs.base.voice import voice_here
from cogs.help import help_button
from cogs.year import year_button

SHOW: Final = Route("stats:show:{player:int}")
DETAILS: Final = Route("stats:details")


async def show_stats(
    interaction: Interaction, member: discord.User | discord.Member | None
) -> None:
    """Show a player's statistics, to who asks alone; their own unless they name somebody."""
    player = member or interaction.user
    if player.bot:
        await show(interaction, notice(say(words.BOT_PLAYER)))
        return
    async with in_turn(interaction):
        stats = await _find(interaction, player)
    pictures = await _draw(interaction, stats)
    own = player.id == interaction.user.id
    # There is nobody to show it to where only the bot is.
    is_shareable = own and interaction.guild_id is not None and words.has_games(stats)
    await show(interaction, stats_page(stats, pictures, own=own, is_shareable=is_shareable))


async def _draw(interaction: Interaction, stats: Stats) -> list[Picture]:
    """The charts; nobody waits for a worker where there are none."""
    if not words.has_pictures(stats):
        return []
    return await drawn_in_good_time(interaction, stats.player_id, words.DRAW_STATS, stats)


async def _find(interaction: Interaction, player: discord.User | discord.Member) -> Stats:
    services, guild_id = services_of(interaction), server_of(interaction)
    is_here = isinstance(player, discord.Member)
    if guild_id is not None and not is_here:  # Discord would have called them a member
        await services.standings.members.gone(guild_id, player.id)
    return await services.statistics.of(
        player.id,
        viewer_id=interaction.user.id,
        guild_id=guild_id,
        are_together=is_here,
    )


def stats_page(stats: Stats, pictures: list[Picture], *, own: bool, is_shareable: bool) -> Page:
    """The page of a player's statistics.

    Args:
        stats: whose.
        pictures: the charts.
        own: whether only the player reads it.
        is_shareable: whether it can be shown to the channel from here.
    """
    files = [
        discord.File(io.BytesIO(drawn.png), drawn.name, description=drawn.description)
        for drawn in pictures
    ]
    share = button(SHOW(player=stats.player_id), say(words.SHOW_BUTTON))
    title, *blocks = words.stats_blocks(stats, own=own)
    rules = help_button(Topic.STANDINGS, say(RULES_BUTTON))
    year = [year_button(stats.calendar_days[1].year)] if own and words.has_games(stats) else []
    sure = [button(DETAILS(), say(DETAILS_BUTTON))] if own and stats.rating.games else []
    return page(
        *spaced([with_face(title, None if own else stats.face), *blocks]),
        *([gap()] if files else []),
        *map(picture, files),
        row(*([share] if is_shareable else []), *year, *sure, rules),
        mood=Mood.CALM,
        files=files,
    )


@pressed(DETAILS)
async def show_details(interaction: Interaction) -> None:
    """Tell how sure the presser's own rating is."""
    rating = await services_of(interaction).duels.games.rating(interaction.user.id)
    await whisper(interaction, page(*spaced(words.details(rating)), mood=Mood.CALM))


@pressed(SHOW, cost=Cost.HEAVY)
async def show_to_channel(interaction: Interaction, player: int) -> None:
    """Post the presser's own statistics; nobody posts another's.

    The button is taken away first, so that it is pressed once.
    """
    if interaction.user.id != player:
        await show_stats(interaction, None)
        return
    voice = voice_here(interaction, Speech.STATISTICS)
    spent_clicks, message = services_of(interaction).spent_clicks, interaction.message
    is_first = message is None or await spent_clicks.spend(message.id)
    async with in_turn(interaction):
        stats = await _find(interaction, interaction.user)
    pictures = await _draw(interaction, stats)
    await show(interaction, stats_page(stats, pictures, own=True, is_shareable=False))
    if not is_first:
        return
    speak(str(interaction.guild_locale or interaction.locale))
    public = await _public_page(interaction, stats)
    speak(str(interaction.locale))
    await voice.say(public)


async def _public_page(interaction: Interaction, stats: Stats) -> Page:
    """The same for everybody, in the language that is spoken now."""
    pictures = await _draw(interaction, stats)
    return stats_page(stats, pictures, own=False, is_shareable=False)
