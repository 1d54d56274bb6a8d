"""Restoring a member's streak: the button on the settings panel, and its form."""

import re
from collections.abc import Mapping
from typing import Any, Final, Self

import discord
from discord import ui

from bot.presentation.base.language import say
from bot.presentation.server import posts_panel as words
from bot.services.focdle.restoring import LONGEST_REASON
from cogs.base.buttons import Press
from cogs.base.forms import Form, choice_in
from cogs.base.pages import Notice
from cogs.base.replies import Interaction, services_of, whisper
from cogs.server.rights import managed_server

_MEMBER: Final = "member"
_REASON: Final = "reason"


class RestoreButton(Press, template=r"set:restore"):
    """Opens the form."""

    def __init__(self) -> None:
        super().__init__("set:restore", say(words.RESTORE_BUTTON))

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button."""
        return cls()

    async def press(self, interaction: Interaction) -> None:
        """Open the form."""
        managed_server(interaction)
        await RestoreForm().present(interaction)


class RestoreForm(Form, template=r"set:form:restore"):
    """Asks whose streak, and why."""

    def __init__(self) -> None:
        super().__init__(title=say(words.RESTORE_TITLE), custom_id="set:form:restore")
        self.add_item(
            ui.Label[Any](
                text=say(words.RESTORE_MEMBER), component=ui.UserSelect[Any](custom_id=_MEMBER)
            )
        )
        reason = ui.TextInput[Any](
            custom_id=_REASON,
            style=discord.TextStyle.paragraph,
            max_length=LONGEST_REASON,
            required=False,
        )
        self.add_item(
            ui.Label[Any](
                text=say(words.RESTORE_REASON),
                description=say(words.RESTORE_REASON_DESCRIPTION),
                component=reason,
            )
        )

    @classmethod
    async def submitted(
        cls, interaction: Interaction, match: re.Match[str], values: Mapping[str, str]
    ) -> None:
        """Restore it, and say so beside the panel."""
        guild = managed_server(interaction)
        player_id = int(choice_in(values, _MEMBER))
        streak = await services_of(interaction).restorations.restore(
            guild.id, interaction.user.id, player_id, values.get(_REASON, "")
        )
        await whisper(interaction, Notice(words.restored(player_id, streak.length)))
