"""Choosing a time zone: the form that asks for one, and the list of those that were meant."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import discord
from discord import ui

from bot.presentation.base import zones
from bot.presentation.base.language import say
from bot.services.base.errors import UnknownZoneError
from cogs.base.forms import Form
from cogs.base.selects import Pick

FIELD = "zone"


class ZoneForm(Form):
    """Asks for a time zone; whose, its subclasses say. It sets no lengths: we say what is wrong."""

    def __init__(self, custom_id: str) -> None:
        super().__init__(title=say(zones.FORM_TITLE), custom_id=custom_id)
        field = ui.TextInput[Any](
            custom_id=FIELD, placeholder=say(zones.FORM_PLACEHOLDER), required=False
        )
        self.add_item(
            ui.Label[Any](
                text=say(zones.FORM_LABEL), description=say(zones.FORM_DESCRIPTION), component=field
            )
        )


class ZonePick(Pick):
    """Zones that a text may have meant; whose, its subclasses say."""

    def __init__(self, custom_id: str, options: Sequence[discord.SelectOption] = ()) -> None:
        super().__init__(
            ui.Select[Any](
                custom_id=custom_id, placeholder=say(zones.PROPOSALS), options=list(options)
            )
        )


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
