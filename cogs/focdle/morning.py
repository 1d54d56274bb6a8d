"""Whether each new puzzle is posted: asked of a manager once, after a server's first game."""

from typing import Any, Final

import discord
from discord import ui

from bot.focdle.model.play import Play
from bot.posts.model.errors import ChannelUnusableError
from bot.posts.pages import morning as words
from bot.refused import NotAllowedError
from bot.text.language import say
from cogs.ui.pages import button, notice
from cogs.ui.replies import Interaction, services_of, show, whisper
from cogs.ui.routes import By, Route, pressed

MORNING: Final = Route("set:morning:{on:switch}")

_TO_POST: Final = ("view_channel", "send_messages")


async def ask_for_mornings(interaction: Interaction, play: Play) -> None:
    """Ask a manager whose first daily in a server is over, where the bot can post, and once."""
    guild_id = interaction.guild_id
    if play.puzzle is None or play.game.outcome is None or guild_id != play.guild_id:
        return
    if guild_id is None or not interaction.permissions.manage_guild or _missing(interaction) != []:
        return
    if await services_of(interaction).posts.choices.ask_once(guild_id, play.player_id):
        await whisper(interaction, notice(say(words.QUESTION), _answers()))


def _answers() -> list[ui.Button[Any]]:
    return [
        button(MORNING(on=True), say(words.YES_BUTTON), discord.ButtonStyle.primary),
        button(MORNING(on=False), say(words.NO_BUTTON)),
    ]


@pressed(MORNING, by=By.MANAGERS)
async def answer(interaction: Interaction, on: bool) -> None:
    """Post here from now on, or leave it."""
    if interaction.guild_id is None or not interaction.permissions.manage_guild:
        raise NotAllowedError
    if on:
        missing = _missing(interaction)
        if missing != []:
            raise ChannelUnusableError(
                channel_id=interaction.channel_id or 0, missing=missing or []
            )
        settings = services_of(interaction).settings
        await settings.change(interaction.guild_id, channel_id=interaction.channel_id)
    await show(interaction, notice(say(words.SETTLED[on])))


def _missing(interaction: Interaction) -> list[str] | None:
    """What the bot may not do here, of what posting takes; None where no post can be."""
    guild = interaction.client.get_guild(interaction.guild_id or 0)
    channel = None if guild is None else guild.get_channel(interaction.channel_id or 0)
    if guild is None or not isinstance(channel, discord.TextChannel):
        return None
    may = channel.permissions_for(guild.me)
    return [name for name in _TO_POST if not getattr(may, name)]
