"""The bases of all persistent buttons."""

import re
from typing import Any, ClassVar, Self

import discord
from discord import ui

from cogs.base.persistent import Persistent


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


class Switch(Press):
    """Base of the buttons that turn something on, or off.

    Subclasses give a template that finds the state, say what their ids begin with, and implement
    `press`.

    Args:
        on: whether it turns it on.
        label: what the button says.
    """

    prefix: ClassVar[str]

    def __init__(self, *, on: bool, label: str | None = None) -> None:
        super().__init__(f"{self.prefix}:{'on' if on else 'off'}", label)
        self._on = on

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button that turns it on, or off."""
        return cls(on=match["state"] == "on")
