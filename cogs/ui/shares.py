"""*Share*: a finished game goes to the channel once, in the language of the server."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import discord
from discord import ui

from bot.games.model.games import GameName
from bot.home.pages.agenda import Door
from bot.people.model.faces import Face
from bot.refused import Speech
from bot.text.labels import SHARE_BUTTON, TRY_BUTTON
from bot.text.language import say, speak
from bot.text.text_board import TextBoard
from cogs.ui.doors import LIGHT_DOOR
from cogs.ui.faults import was_refused
from cogs.ui.pages import Page, button, text_page
from cogs.ui.replies import Interaction, services_of
from cogs.ui.voice import Voice, voice_here

Draw = Callable[[Face | None], Awaitable[Page]]


def share_button(custom_id: str, *, stands_out: bool = True) -> ui.Button[Any]:
    """*Share*, on a finished game; it stands out on one that somebody likes to show."""
    styles = discord.ButtonStyle
    return button(custom_id, say(SHARE_BUTTON), styles.success if stands_out else styles.secondary)


def channel_of(interaction: Interaction) -> int:
    """Where a result is shown that is shown here."""
    return interaction.channel_id or interaction.user.id


async def post_board(
    interaction: Interaction, name: GameName, draw: Callable[[], TextBoard], door: Door
) -> None:
    """Post a finished board that is text alone.

    Args:
        interaction: the click.
        name: the game.
        draw: makes the board.
        door: where others can play the same.
    """

    async def draw_page(face: Face | None) -> Page:
        way = button(LIGHT_DOOR(door=door.value), say(TRY_BUTTON))
        board = replace(draw(), face_at=0)  # it is the face of who shares it, won or lost
        return text_page(board, [[way]], face=face)

    await post_result(interaction, name, voice_here(interaction, Speech.GAME), draw_page)


async def post_result(interaction: Interaction, name: GameName, voice: Voice, draw: Draw) -> None:
    """Claim the post, then send it; one that Discord refuses may be tried again at once.

    Args:
        interaction: the click.
        name: the game.
        voice: leave to say it here.
        draw: makes the message with the player's face, in the language that is spoken then.
    """
    sharing = services_of(interaction).sharing
    channel_id = channel_of(interaction)
    face = await sharing.claim(interaction.user.id, name, channel_id)
    speak(str(interaction.guild_locale or interaction.locale))
    try:
        await voice.say(await draw(face))
    except Exception as error:
        if was_refused(error):
            await sharing.undone(name, channel_id)
        raise
    finally:
        speak(str(interaction.locale))
    await sharing.done(name, channel_id)
