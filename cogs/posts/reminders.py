"""Reminders as direct messages: their buttons, and sending each exactly once."""

import asyncio
from typing import Any, Final

import discord
from discord import ui

from bot.dailies import PuzzleName, number_of
from bot.games.game.send_once import TRY_SECONDS, Step
from bot.people.game.places import DEFAULT_LENGTH
from bot.posts.game.reminders import DueReminder
from bot.posts.pages import reminders as words
from bot.services import Services
from bot.text.language import say
from cogs.focdle.page import REMIND
from cogs.focdle.sharing import play_button
from cogs.ui.once import find_own
from cogs.ui.pages import Page, button, notice
from cogs.ui.replies import Interaction, services_of, whisper
from cogs.ui.routes import By, Route, pressed

STOP: Final = Route("remind:stop:{number:int}")
"""Its number tells the bot which date a message was about."""

# The player takes no messages from the bot, shares no server with it, or is no user any more.
_UNDELIVERABLE: Final = frozenset({50007, 50033, 50278, 10013})


def reminder_page(due: DueReminder) -> Page:
    """The message: play where that still counts, or stop these messages."""
    number = number_of(due.risk.day)
    buttons: list[ui.Item[Any]] = []
    if due.risk.is_own_date:
        buttons.append(play_button(PuzzleName(number, DEFAULT_LENGTH)))
    elif due.risk.guild_id is not None:
        url = f"https://discord.com/channels/{due.risk.guild_id}"
        buttons.append(ui.Button[Any](label=say(words.SERVER_BUTTON), url=url))
    buttons.append(button(STOP(number=number), say(words.STOP_BUTTON)))
    return notice(words.reminder(due), buttons)


@pressed(REMIND, by=By.ANYBODY)
async def start_reminders(interaction: Interaction, number: int) -> None:
    """Remind from now on, and say when; a button there takes it back."""
    asked = await services_of(interaction).reminders.ask(interaction.user.id)
    stop = button(STOP(number=number), say(words.STOP_BUTTON))
    await whisper(interaction, notice(words.asked(asked), [stop]))


@pressed(STOP, by=By.ANYBODY)
async def stop_reminders(interaction: Interaction) -> None:
    """Stop them, and say so in place of the reminder: the message is the player's own."""
    await services_of(interaction).preferences.set_reminders(interaction.user.id, on=False)
    await interaction.response.edit_message(view=notice(say(words.STOPPED)))


async def deliver_reminder(client: discord.Client, services: Services, player_id: int) -> None:
    """Send the reminder that is due to a player, if one is and nobody else is at it."""
    reminders = services.reminders
    due = await reminders.claim(player_id)
    if due is None or client.user is None:
        return
    try:
        async with asyncio.timeout(TRY_SECONDS):
            channel = await client.create_dm(discord.Object(player_id))
            if due.step is Step.LOOK:
                custom_id = STOP(number=number_of(due.risk.day))
                found = await find_own(channel, client.user.id, custom_id, due.claimed_at)
                if found is not None:
                    await reminders.sent(due, found)
                    return
                due = await reminders.is_not_there(due)
            message = await channel.send(view=reminder_page(due), nonce=due.nonce)
    except discord.HTTPException as error:
        if error.code not in _UNDELIVERABLE:
            raise
        await reminders.refused(due)
    else:
        await reminders.sent(due, message.id)
