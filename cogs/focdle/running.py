"""*Share* of FoCdle: into the channel's running message of the date, or as a message of its own."""

import logging
from typing import Final

import discord

from bot.errors import StorageError
from bot.model.dailies import PuzzleName
from bot.presentation.base.language import say
from bot.presentation.focdle import labels
from bot.presentation.focdle import running as words
from bot.presentation.refusals import refusal
from bot.services.base.errors import Refused
from bot.services.focdle.model import Play
from bot.services.server.errors import RunningClosedError, RunningUnpostableError
from bot.services.server.running_entries import RunningPlace
from bot.services.services import Services
from cogs.base.faults import UNDONE
from cogs.base.pages import Page, button, notice
from cogs.base.replies import Interaction, in_good_time, server_of, services_of, show, whisper
from cogs.base.routes import By, Route, pressed
from cogs.base.voice import voice_of_result, voice_of_result_in
from cogs.focdle.running_message import SHARE_MINE, keep
from cogs.focdle.sharing import COPY, SHARE, share_alone

log = logging.getLogger(__name__)

ALWAYS: Final = Route("run:always:{channel:int}")


@pressed(SHARE, by=By.PLAYERS)
async def share(interaction: Interaction, play: int) -> None:
    """Share a result: in the channel's running message, or as a message of its own."""
    finished = await services_of(interaction).daily.result(interaction.user.id, play)
    voice = await voice_of_result(interaction, finished.puzzle)
    running_id = None
    if finished.puzzle is not None:
        try:
            running_id = await _enter(interaction, finished.puzzle)
        except RunningUnpostableError as error:
            await _tell_why_not(interaction, error, finished)
            return
    if running_id is None:
        await share_alone(interaction, finished, voice)
    else:
        await _tell(interaction, running_id, finished)


@pressed(SHARE_MINE, by=By.ANYBODY)
async def share_mine(interaction: Interaction, number: int, length: int) -> None:
    """Put the presser's result into the message that was pressed."""
    puzzle = PuzzleName(number, length)
    await voice_of_result(interaction, puzzle)
    running_id = await _enter(interaction, puzzle)
    if running_id is None:
        raise RunningClosedError(number=number)
    await _tell(interaction, running_id)


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
        RunningUnpostableError: the bot may not post here.
    """
    guild_id, channel_id = server_of(interaction), interaction.channel_id
    if guild_id is None or channel_id is None:
        return None
    entries = services_of(interaction).entries
    missing = _missing(interaction)
    if missing and await entries.runs(guild_id, puzzle):
        raise RunningUnpostableError(channel_id=channel_id, missing=missing)
    return await entries.enter(interaction.user.id, puzzle, guild_id, channel_id)


def _missing(interaction: Interaction) -> list[str]:
    """What the bot must be able to do to keep a message here, and may not."""
    is_thread = isinstance(interaction.channel, discord.Thread)
    needed = ("view_channel", "send_messages_in_threads" if is_thread else "send_messages")
    return [name for name in needed if not getattr(interaction.app_permissions, name)]


async def _tell(interaction: Interaction, running_id: int, play: Play | None = None) -> None:
    """Show the message as it stands now, if it may be drawn yet, and tell who shares where."""
    services = services_of(interaction)
    await in_good_time(interaction, _keep_quietly(interaction.client, services, running_id))
    place = await services.entries.place(running_id, interaction.user.id)
    if place is None or (place.message_id is None and not place.is_coming):
        channel_id = interaction.channel_id or 0
        error = RunningUnpostableError(channel_id=channel_id, missing=[])
        await _tell_why_not(interaction, error, play)
        return
    await whisper(interaction, _answer(place))


def _answer(place: RunningPlace) -> Page:
    link = f"https://discord.com/channels/{place.guild_id}/{place.channel_id}/{place.message_id}"
    buttons = []
    if not place.is_always and not place.is_hidden:
        buttons = [button(ALWAYS(channel=place.channel_id), say(words.ALWAYS_BUTTON))]
    return notice(words.told(place, link), buttons)


async def _tell_why_not(
    interaction: Interaction, error: RunningUnpostableError, play: Play | None
) -> None:
    buttons = [] if play is None else [button(COPY(play=play.id), say(labels.COPY_BUTTON))]
    await whisper(interaction, notice(refusal(error) or "", buttons))


async def _keep_quietly(client: discord.Client, services: Services, running_id: int) -> None:
    """Bring a message up to date now; what Discord could not do is left to the clock."""
    try:
        await keep(client, services, running_id, waits=False)
    except UNDONE as error:
        log.info("running message %d could not be shown yet: %s", running_id, error)
