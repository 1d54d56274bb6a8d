"""Choosing a time zone: the form that asks for one, and the list of those that were meant."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import discord
from discord import ui

from bot.refused import UnknownZoneError
from bot.text import zones
from bot.text.language import say
from cogs.ui.forms import Form, field
from cogs.ui.routes import Argument

FIELD = "zone"
ZONE_NAME = Argument("[A-Z][A-Za-z0-9_+/-]{1,60}")
"""A zone's name; whether there is such a one, the service knows."""


def zone_form(custom_id: str) -> Form:
    """Asks for a time zone; whose, the id says."""
    label, description = say(zones.FORM_LABEL), say(zones.FORM_DESCRIPTION)
    typed = field(FIELD, label, description, placeholder=say(zones.FORM_PLACEHOLDER))
    return Form(custom_id, say(zones.FORM_TITLE), typed)


def zone_list(custom_id: str, options: list[discord.SelectOption]) -> ui.Select[Any]:
    """Zones to choose from; for whom, the id says."""
    return ui.Select[Any](custom_id=custom_id, placeholder=say(zones.PROPOSALS), options=options)


def proposals_of(refused: Exception | None) -> Sequence[str]:
    """The zones that a refused text may have meant."""
    return refused.proposals if isinstance(refused, UnknownZoneError) else ()


def zone_options(offered: Sequence[str], now: datetime) -> list[discord.SelectOption]:
    """Zones as options, with their present time."""
    return [
        discord.SelectOption(
            label=zones.zone_name(zone), value=zone, description=zones.time_there(zone, now)
        )
        for zone in offered
    ]
