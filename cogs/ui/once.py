"""Looks for a message of the bot's own, where nobody knows whether it was sent."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

import discord

_MARGIN: Final = timedelta(minutes=1)  # clocks differ
_MOST: Final = 300


async def find_own(
    channel: discord.abc.Messageable, own_id: int, custom_id: str, since: datetime
) -> int | None:
    """The bot's message with a button of this id, sent since an instant; None if there is none."""
    async for message in channel.history(after=since - _MARGIN, limit=_MOST):
        if message.author.id == own_id and custom_id in _custom_ids(message.components):
            return message.id
    return None


def _custom_ids(components: Iterable[Any]) -> set[str]:
    found: set[str] = set()
    for component in components:
        if custom_id := getattr(component, "custom_id", None):
            found.add(custom_id)
        found |= _custom_ids(getattr(component, "children", ()))
        if accessory := getattr(component, "accessory", None):
            found |= _custom_ids([accessory])
    return found
