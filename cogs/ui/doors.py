"""The buttons that lead to everything, on the card of `/play` and at the end of `/help`."""

from collections.abc import Iterator
from typing import Any, Final

import discord
from discord import ui

from bot.focdle.pages.labels import WARM_UP_BUTTON
from bot.home.pages.agenda import DOORS, Door
from bot.text.language import say
from cogs.ui.pages import button, row
from cogs.ui.routes import Route
from engine.focdle import SHORTEST

# What is computed or drawn costs more than what is looked up, so these are several routes.
HEAVY_DOOR: Final = Route("play:{door:today|practice|stats}")
LIGHT_DOOR: Final = Route("play:{door:mastermind|duel|games|help}")
PRACTICE: Final = Route("fd:practice:{length:int}")

_HEAVY: Final = {Door.TODAY, Door.PRACTICE, Door.STATS}
_FIRST_ROW: Final = 4


def door_rows(first: Door | None, *, but: Door | None = None) -> Iterator[ui.ActionRow[Any]]:
    """The buttons, in two rows.

    Args:
        first: the one that stands out; None for none.
        but: one that is left out.
    """
    buttons = [_door(door, is_first=door is first) for door in Door if door is not but]
    yield row(*buttons[:_FIRST_ROW])
    yield row(*buttons[_FIRST_ROW:])


def warm_up_button() -> ui.Button[Any]:
    """Opens a short practice, which guides who has finished no game."""
    return button(PRACTICE(length=SHORTEST), say(WARM_UP_BUTTON))


def _door(door: Door, *, is_first: bool) -> ui.Button[Any]:
    route = HEAVY_DOOR if door in _HEAVY else LIGHT_DOOR
    style = discord.ButtonStyle.primary if is_first else discord.ButtonStyle.secondary
    return button(route(door=door.value), say(DOORS[door]), style)
