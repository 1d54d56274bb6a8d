"""A player's statistics: words and pictures, private until their owner shows them."""

import io
import re
from typing import Final, Self

import discord
from discord import ui

from bot.presentation import statistics as words
from bot.presentation.base.language import say, speak
from bot.presentation.help import Topic
from bot.presentation.standings.leaderboard import RULES_BUTTON
from bot.presentation.statistics_picture import Picture, draw_stats
from bot.services.base.allowance import Cost
from bot.services.base.errors import Speech
from bot.services.base.workers import in_thread
from bot.services.statistics import Stats
from cogs.base.buttons import Press
from cogs.base.pages import Notice, Page
from cogs.base.replies import Interaction, in_good_time, server_of, services_of, show, whisper
from cogs.base.voice import voice_here
from cogs.help import HelpButton

_ACCENT: Final = 0x5865F2


async def show_stats(
    interaction: Interaction, member: discord.User | discord.Member | None
) -> None:
    """Show a player's statistics, to who asks alone; their own unless they name somebody."""
    player = member or interaction.user
    if player.bot:
        await whisper(interaction, Notice(say(words.BOT_PLAYER)))
        return
    stats = await _find(interaction, player)
    pictures = await in_good_time(interaction, in_thread(draw_stats, stats))
    own = player.id == interaction.user.id
    # There is nobody to show it to where only the bot is.
    is_shareable = own and interaction.guild_id is not None and words.has_games(stats)
    await whisper(interaction, StatsPage(stats, pictures, own=own, is_shareable=is_shareable))


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


class StatsPage(Page):
    """The page of a player's statistics.

    Args:
        stats: whose.
        pictures: the charts.
        own: whether only the player reads it.
        is_shareable: whether it can be shown to the channel from here.
    """

    def __init__(
        self, stats: Stats, pictures: list[Picture], *, own: bool, is_shareable: bool
    ) -> None:
        files = [
            discord.File(io.BytesIO(picture.png), picture.name, description=picture.description)
            for picture in pictures
        ]
        super().__init__(files)
        container = ui.Container[StatsPage](accent_colour=_ACCENT)
        first, *rest = words.stats_blocks(stats, own=own)
        container.add_item(ui.TextDisplay[StatsPage](first))
        for block in rest:
            container.add_item(ui.Separator[StatsPage](visible=False))
            container.add_item(ui.TextDisplay[StatsPage](block))
        if files:
            container.add_item(ui.Separator[StatsPage](visible=False))
        for file in files:
            gallery = ui.MediaGallery[StatsPage]()
            gallery.add_item(media=file, description=file.description)
            container.add_item(gallery)
        row = ui.ActionRow[StatsPage]()
        if is_shareable:
            row.add_item(ShowButton(stats.player_id))
        row.add_item(HelpButton(Topic.STANDINGS, say(RULES_BUTTON)))
        container.add_item(row)
        self.add_item(container)


class ShowButton(Press, template=r"stats:show:(?P<player>\d+)"):
    """*Show to the channel*: posts the presser's own statistics; nobody posts another's."""

    cost = Cost.HEAVY

    def __init__(self, player_id: int) -> None:
        super().__init__(f"stats:show:{player_id}", say(words.SHOW_BUTTON))
        self._player_id = player_id

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a player."""
        return cls(int(match["player"]))

    async def press(self, interaction: Interaction) -> None:
        """Take the button away, so that it is pressed once; then post."""
        if interaction.user.id != self._player_id:
            await show_stats(interaction, None)
            return
        voice = voice_here(interaction, Speech.STATISTICS)
        spent_clicks, message = services_of(interaction).spent_clicks, interaction.message
        is_first = message is None or await spent_clicks.spend(message.id)
        stats = await _find(interaction, interaction.user)
        pictures = await in_good_time(interaction, in_thread(draw_stats, stats))
        await show(interaction, StatsPage(stats, pictures, own=True, is_shareable=False))
        if not is_first:
            return
        speak(str(interaction.guild_locale or interaction.locale))
        page = await _public_page(stats)
        speak(str(interaction.locale))
        await voice.say(page)


async def _public_page(stats: Stats) -> StatsPage:
    """The same for everybody, in the language that is spoken now."""
    pictures = await in_thread(draw_stats, stats)
    return StatsPage(stats, pictures, own=False, is_shareable=False)
