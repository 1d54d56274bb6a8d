"""Restoring a member's streak: the button on the settings page, and its form."""

from collections.abc import Mapping
from typing import Any, Final

import discord
from discord import ui

from bot.presentation.base.language import say
from bot.presentation.server import posts_panel as words
from bot.services.focdle.restoring import LONGEST_REASON
from cogs.base.forms import Form
from cogs.base.pages import button, notice
from cogs.base.replies import Interaction, services_of, whisper
from cogs.base.routes import TYPED, USER, By, Route, pressed, submitted
from cogs.server.rights import managed_server

RESTORE: Final = Route("set:restore")
FORM: Final = Route("set:form:restore")

_MEMBER: Final = "member"
_REASON: Final = "reason"


def restore_button() -> ui.Button[Any]:
    """Opens the form."""
    return button(RESTORE(), say(words.RESTORE_BUTTON))


@pressed(RESTORE, by=By.MANAGERS)
async def ask_whose_streak(interaction: Interaction) -> None:
    """Ask whose streak, and why."""
    member = ui.UserSelect[Any](custom_id=_MEMBER)
    reason = ui.TextInput[Any](
        custom_id=_REASON,
        style=discord.TextStyle.paragraph,
        max_length=LONGEST_REASON,
    )
    why, description = say(words.RESTORE_REASON), say(words.RESTORE_REASON_DESCRIPTION)
    form = Form(
        FORM(),
        say(words.RESTORE_TITLE),
        ui.Label[Any](text=say(words.RESTORE_MEMBER), component=member),
        ui.Label[Any](text=why, description=description, component=reason),
    )
    await form.present(interaction)


@submitted(FORM, fields={_MEMBER: USER, _REASON: TYPED}, by=By.MANAGERS)
async def restore(interaction: Interaction, values: Mapping[str, Any]) -> None:
    """Restore it, and say so beside the settings."""
    guild = managed_server(interaction)
    player_id = values[_MEMBER]
    streak = await services_of(interaction).restorations.restore(
        guild.id, interaction.user.id, player_id, values[_REASON]
    )
    await whisper(interaction, notice(words.restored(player_id, streak.length)))
