"""Which language is spoken: to a player theirs, in public the server's."""

from collections.abc import Callable
from contextlib import suppress
from typing import ParamSpec, TypeVar

import discord

from bot.errors import StorageError
from bot.text.language import ENGLISH, in_language, speak
from cogs.ui.host import Host

P = ParamSpec("P")
T = TypeVar("T")

Interaction = discord.Interaction[Host]


async def _own(interaction: Interaction) -> str:
    """Return the language that a player has chosen, or that of their Discord."""
    chosen = None
    with suppress(StorageError):  # then Discord's
        chosen, _ = await interaction.client.services.languages.of_player(interaction.user.id)
    return chosen or str(interaction.locale)


async def speak_to(interaction: Interaction) -> None:
    """Speak the player's language from now on."""
    speak(await _own(interaction))


async def speak_here(interaction: Interaction) -> None:
    """Speak from now on as all see it here: in the server's language, elsewhere in the player's."""
    guild, told = interaction.client.get_guild(interaction.guild_id or 0), interaction.guild_locale
    if guild is not None:
        speak(await language_of(interaction.client, guild.id))
    else:
        speak(str(told) if told else await _own(interaction))


async def language_of(client: Host, guild_id: int | None) -> str:
    """Return the language of a server's public messages: the chosen one, or Discord's.

    English if the bot is no member.
    """
    guild = client.get_guild(guild_id or 0)
    if guild is None:
        return ENGLISH
    return await client.services.languages.of_server(guild.id) or str(guild.preferred_locale)


async def for_server(
    client: Host, guild_id: int | None, make: Callable[P, T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """Make what all members of a server may see, in its language."""
    return in_language(await language_of(client, guild_id), make, *args, **kwargs)


async def for_player(
    client: Host, player_id: int, make: Callable[P, T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """Make a direct message in the language that a player has chosen, or was last answered in."""
    chosen, answered_in = await client.services.languages.of_player(player_id)
    return in_language(chosen or answered_in or ENGLISH, make, *args, **kwargs)
