"""What all persistent select menus share: their state is in their id, their errors are reported."""

import re
from collections.abc import Sequence
from typing import Any, Self, cast

import discord
from discord import ui

from cogs.ui.answers import Interaction, answering


class Pick(
    ui.DynamicItem[ui.Select[Any] | ui.ChannelSelect[Any] | ui.RoleSelect[Any]],
    template=r"(?!)",
):
    """Base of the selects. Subclasses give a template and implement `pick` and `from_match`."""

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The select whose id matched the template; what it offered need not be known."""
        raise NotImplementedError

    async def pick(self, interaction: Interaction, values: Sequence[str]) -> None:
        """Act on a choice.

        Args:
            interaction: the choice, not yet answered.
            values: the values of the options chosen; of channels and roles, their ids.
        """
        raise NotImplementedError

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Called by discord.py for a choice in a select it has no object for."""
        return cls.from_match(match)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Called by discord.py, which would only log an exception."""
        async with answering(interaction):
            await self.pick(interaction, cast("dict[str, Any]", interaction.data)["values"])
