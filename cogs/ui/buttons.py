"""What all persistent buttons share: their state is in their id, their errors are reported."""

import re
from typing import Any, Self

import discord
from discord import ui

from cogs.ui.answers import Interaction, answering


class Press(ui.DynamicItem[ui.Button[Any]], template=r"(?!)"):
    """Base of the buttons. Subclasses give a template and implement `press` and `from_match`.

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

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button whose id matched the template."""
        raise NotImplementedError

    async def press(self, interaction: Interaction) -> None:
        """Act on a click."""
        raise NotImplementedError

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Called by discord.py for a click on a button it has no object for."""
        return cls.from_match(match)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Called by discord.py, which would only log an exception."""
        async with answering(interaction):
            await self.press(interaction)
