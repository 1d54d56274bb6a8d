"""Buttons, by their ids alone."""

from typing import Any

import discord
from discord import ui


def button(
    custom_id: str,
    label: str | None,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    *,
    emoji: str | None = None,
    disabled: bool = False,
) -> ui.Button[Any]:
    """A button that leads where its id says."""
    return ui.Button[Any](
        label=label, style=style, custom_id=custom_id, emoji=emoji, disabled=disabled
    )
