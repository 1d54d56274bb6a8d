"""The language of public messages."""

from collections.abc import Callable
from contextvars import copy_context
from typing import TypeVar

import discord

from bot.text.language import speak

T = TypeVar("T")


def in_language(tag: str, make: Callable[[], T]) -> T:
    """Make something in another language than that of the interaction."""
    context = copy_context()
    context.run(speak, tag)
    return context.run(make)


def language_of(client: discord.Client, guild_id: int | None) -> str:
    """The language of a server, for what everybody there can see."""
    guild = client.get_guild(guild_id or 0)
    return str(discord.Locale.american_english if guild is None else guild.preferred_locale)
