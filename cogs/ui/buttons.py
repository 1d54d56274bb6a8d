"""The base of all persistent buttons."""

from typing import Any

import discord
from discord import ui

from cogs.ui.persistent import Persistent


class Press(Persistent[ui.Button[Any]]):
    """Base of the buttons.

    Args:
        custom_id: what the template understands again; at most 100 characters.
        label: what the button says.
        style: how it looks.
        emoji: what stands before the label, or instead of it.
        disabled: whether it cannot be clicked now.
    """

    def __init__(
        self,
        custom_id: str,
        label: str | None,
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
        *,
        emoji: str | None = None,
        disabled: bool = False,
    ) -> None:
        button = ui.Button[Any](
            label=label, style=style, custom_id=custom_id, emoji=emoji, disabled=disabled
        )
        super().__init__(button)
