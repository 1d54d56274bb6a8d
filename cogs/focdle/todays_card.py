"""*Share* of FoCdle: onto today's card, or as a message of its own."""

import logging
from typing import Any, Final

import discord
from discord import ui

from bot.dailies import PuzzleName
from bot.errors import StorageError
from bot.focdle.model.play import Play
from bot.focdle.pages.share import copied
from bot.posts.game.running_entries import RunningPlace
from bot.posts.model.errors import RunningClosedError, RunningUnpostableError
from bot.posts.pages import running as words
from bot.refusals import refusal
from bot.refused import Refused
from bot.services import Services
from bot.text.language import say
from cogs.focdle.running_message import keep
from cogs.focdle.sharing import SHARE, share_alone
from cogs.ui.faults import UNDONE
from cogs.ui.pages import Items, button, notice
from cogs.ui.replies import Interaction, in_good_time, server_of, services_of, show, whisper
from cogs.ui.routes import By, Route, pressed
from cogs.ui.voice import voice_of_result, voice_of_result_in

log = logging.getLogger(__name__)

SHARE_MINE: Final = Route("run:share:{number:int}/{length:int}")
"""On messages of before they were cards."""
ALWAYS: Final = Route("run:always:{channel:int}")

Told = tuple[str, Items]
"""What a player is told, and the buttons below it."""


@pressed(SHARE, by=By.PLAYERS)
async def share(interaction: Interaction, play: int) -> None:
    """Share a result, and give the player a daily's as text, wherever it may be posted."""
    finished = await services_of(interaction).daily.result(interaction.user.id, play)
    if finished.puzzle is None:
        await share_alone(interaction, finished, await voice_of_result(interaction, None))
        return
    buttons: Items = ()
    try:
        told, buttons = await _share(interaction, finished, finished.puzzle)
    except Refused as error:
        told = refusal(error)
    text = "\n".join(filter(None, [told, copied(finished)]))
    await whisper(interaction, notice(text, buttons))


async def _share(interaction: Interaction, play: Play, puzzle: PuzzleName) -> Told:
    """Share a daily: on today's card, if it is here, or as a message of its own."""
    voice = await voice_of_result(interaction, puzzle)
    running_id = await _enter(interaction, puzzle)
    if running_id is None:
        await share_alone(interaction, play, voice)
        return "", ()
    return await _shown(interaction, running_id)


@pressed(SHARE_MINE, by=By.ANYBODY)
async def share_mine(interaction: Interaction, number: int, length: int) -> None:
    """Put the presser's result onto today's card."""
    puzzle = PuzzleName(number, length)
    await voice_of_result(interaction, puzzle)
    running_id = await _enter(interaction, puzzle)
    if running_id is None:
        raise RunningClosedError(number=number)
    await whisper(interaction, notice(*await _shown(interaction, running_id)))


@pressed(ALWAYS, by=By.ANYBODY)
async def share_always(interaction: Interaction, channel: int) -> None:
    """Let the presser's dailies of this server go there by themselves."""
    guild_id = server_of(interaction)
    if guild_id is None:
        return
    await services_of(interaction).entries.share_always(interaction.user.id, guild_id, channel)
    await show(interaction, notice(words.always(channel)))


async def share_by_itself(interaction: Interaction, play: Play) -> None:
    """Put a result that was just finished where its player always shares, if they still may."""
    puzzle, guild_id, channel_id = play.puzzle, play.guild_id, play.shares_to
    if puzzle is None or guild_id is None or channel_id is None:
        return
    services = services_of(interaction)
    try:
        await voice_of_result_in(interaction, puzzle, guild_id, channel_id)
        running_id = await services.entries.enter(
            play.player_id, puzzle, guild_id, channel_id, by_itself=True
        )
        if running_id is not None:
            await keep(interaction.client, services, running_id)
    except (Refused, StorageError, *UNDONE) as error:  # the board is shown, and has *Share*
        log.info("play %d was not shared by itself: %s", play.id, error)


async def _enter(interaction: Interaction, puzzle: PuzzleName) -> int | None:
    """Put the presser's result into the running message here; None if there is none for it.

    Raises:
        NotFinishedError: it is not finished.
        RunningDeletedError: others have deleted the message.
    """
    guild_id, channel_id = server_of(interaction), interaction.channel_id
    if guild_id is None or channel_id is None or not _may_post(interaction):
        return None
    entries = services_of(interaction).entries
    return await entries.enter(interaction.user.id, puzzle, guild_id, channel_id)


def _may_post(interaction: Interaction) -> bool:
    """Whether the bot may keep a message here; it can answer where it may not."""
    may = interaction.app_permissions
    is_thread = isinstance(interaction.channel, discord.Thread)
    return may.view_channel and (may.send_messages_in_threads if is_thread else may.send_messages)


async def _shown(interaction: Interaction, running_id: int) -> Told:
    """Show the message as it stands now, if it may be drawn yet; what to tell who shares in it.

    Raises:
        RunningUnpostableError: Discord does not let the bot post it.
        RunningDeletedError: others have deleted it.
    """
    services = services_of(interaction)
    await in_good_time(interaction, _keep_quietly(interaction.client, services, running_id))
    place = await services.entries.place(running_id, interaction.user.id)
    if place is None:
        raise RunningUnpostableError
    return _told(place)


def _told(place: RunningPlace) -> Told:
    link = f"https://discord.com/channels/{place.guild_id}/{place.channel_id}/{place.message_id}"
    buttons = list[ui.Button[Any]]()
    if not place.is_always and not place.is_hidden:
        buttons = [button(ALWAYS(channel=place.channel_id), say(words.ALWAYS_BUTTON))]
    return words.told(place, link), buttons


async def _keep_quietly(client: discord.Client, services: Services, running_id: int) -> None:
    """Bring a message up to date now; what Discord could not do is left to the clock."""
    try:
        await keep(client, services, running_id, waits=False)
    except UNDONE as error:
        log.info("running message %d could not be shown yet: %s", running_id, error)
