"""The base of buttons and lists that outlive the process: state in ids, errors reported."""

import re
from typing import Any, Final, Self, TypeVar

import discord
from discord import ui

from bot.services.base.allowance import Cost
from cogs.base.admission import is_admitted
from cogs.base.replies import Interaction, answering

ItemT = TypeVar("ItemT", bound="ui.Item[Any]")

_NOTHING: Final = r"(?!)"
# Up to nineteen digits, as Discord's ids have, and no number that is too large for a row's.
_NUMBER: Final = "[0-8]?[0-9]{1,18}"

PERSISTENT: Final[list[type["Persistent[Any]"]]] = []
"""All kinds that have ids, in the order in which they were imported."""


class Persistent(ui.DynamicItem[ItemT], template=_NOTHING):
    """Base of buttons and lists that are found by their id alone.

    Subclasses implement `press` and `from_match`. A subclass with a template, a pattern for its
    whole id, is one of the `PERSISTENT`, and the bot knows what to do with it. One without a
    template is a base for others.

    Attributes:
        cost: what it takes to do what it says.
    """

    cost: Cost = Cost.LIGHT

    def __init_subclass__(cls, *, template: str | None = None) -> None:
        super().__init_subclass__(template=compile_template(template or _NOTHING))
        if template is not None:
            PERSISTENT.append(cls)

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """What has the id that matched the template; what a list offered need not be known."""
        raise NotImplementedError

    async def press(self, interaction: Interaction) -> None:
        """Act on a click or a choice."""
        raise NotImplementedError

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Called by discord.py for what it has no object for."""
        return cls.from_match(match)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Called by discord.py, which would only log an exception."""
        async with answering(interaction):
            if await is_admitted(interaction, self.cost):
                await self.press(interaction)


def compile_template(template: str) -> re.Pattern[str]:
    r"""A pattern for a whole id, in which ``\d+`` is a number that a row or Discord may have.

    >>> compile_template(r"du:page:(\d+)").fullmatch("du:page:9999999999999999999") is None
    True
    """
    return re.compile(template.replace(r"\d+", _NUMBER), re.ASCII)


def is_known(custom_id: str) -> bool:
    """Whether a button or a list of this version has an id."""
    return any(
        kind.__discord_ui_compiled_template__.fullmatch(custom_id) is not None
        for kind in PERSISTENT
    )
