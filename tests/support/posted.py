"""Messages of a channel, read like answers."""

from types import SimpleNamespace
from typing import Any

import discord

from tests.support.screen import buttons, text


def post_text(message: discord.Message) -> str:
    """All texts of a message, top to bottom."""
    return text(_as_answer(message))


def post_buttons(message: discord.Message) -> list[str]:
    """The labels of a message's buttons."""
    return buttons(_as_answer(message))


def _as_answer(message: discord.Message) -> Any:
    return SimpleNamespace(components=[part.to_dict() for part in message.components])
