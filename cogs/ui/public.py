"""What is public: in which language it is, and what may be tried again."""

from collections.abc import Callable
from contextvars import copy_context
from typing import Final, TypeVar

import discord

from bot.presentation.language import speak

T = TypeVar("T")

_TOO_MANY_REQUESTS: Final = 429
_THEIR_OWN_FAULT: Final = 500


def in_language(tag: str, make: Callable[[], T]) -> T:
    """What is made in another language than the one that is spoken."""
    context = copy_context()
    context.run(speak, tag)
    return context.run(make)


def language_of(client: discord.Client, guild_id: int | None) -> str:
    """The language of a server, for what everybody there can see."""
    guild = client.get_guild(guild_id or 0)
    return str(discord.Locale.american_english if guild is None else guild.preferred_locale)


def may_pass(error: discord.HTTPException) -> bool:
    """Whether Discord may do later what it has not done now."""
    return error.status == _TOO_MANY_REQUESTS or error.status >= _THEIR_OWN_FAULT
