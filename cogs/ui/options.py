"""Options of commands, held to what Discord was told to offer.

Discord looks at them first. What comes through all the same is no command of this version's.
"""

import re
from collections.abc import Mapping
from typing import Any, Final, cast

import discord
from discord import AppCommandOptionType, app_commands

from cogs.ui.replies import Interaction

LONGEST_TEXT: Final = 6000
"""Discord lets nobody type more."""

_NESTED: Final = {
    AppCommandOptionType.subcommand.value,
    AppCommandOptionType.subcommand_group.value,
}
_LARGEST: Final = 2**53
_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")
_AMONG: Final = {
    AppCommandOptionType.user: "users",
    AppCommandOptionType.channel: "channels",
    AppCommandOptionType.role: "roles",
}


def misfit(interaction: Interaction) -> str:
    """What of a command was never offered; empty if all was."""
    data = cast("dict[str, Any]", interaction.data)
    command, resolved = interaction.command, data.get("resolved", {})
    if isinstance(command, app_commands.ContextMenu):
        return "" if data.get("target_id") in resolved.get("users", {}) else f"/{command.name}"
    if command is None:  # the tree says so
        return ""
    known = {parameter.display_name: parameter for parameter in command.parameters}
    is_typing = interaction.type is discord.InteractionType.autocomplete
    options = _options(data)
    if is_typing and not any(option.get("focused") for option in options):
        return f"/{command.qualified_name}"
    for option in options:
        parameter = known.get(option.get("name", ""))
        if parameter is None or not _fits(option, parameter, None if is_typing else resolved):
            return f"/{command.qualified_name}"
    return ""


def _options(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    options = data.get("options", [])
    while options and options[0].get("type") in _NESTED:
        options = options[0].get("options", [])
    return options


def _fits(
    option: Mapping[str, Any],
    parameter: app_commands.Parameter,
    resolved: Mapping[str, Mapping[str, Any]] | None,
) -> bool:
    """Whether an option could be chosen or typed so; while it is typed, nothing is resolved."""
    value, kind = option.get("value"), parameter.type
    if option.get("type") != kind.value:
        return False
    if option.get("focused"):
        return parameter.autocomplete and _is_text(value)
    if kind is AppCommandOptionType.boolean:
        return isinstance(value, bool)
    if kind is AppCommandOptionType.integer:
        # How many there may be is the game's to say, in a sentence.
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _LARGEST
    if kind in _AMONG:
        is_id = isinstance(value, str) and value.isdecimal()
        return is_id and (resolved is None or value in resolved.get(_AMONG[kind], {}))
    offered = [choice.value for choice in parameter.choices]
    return _is_text(value) and (not offered or value in offered)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_TEXT and storable(value) == value


def storable(text: str) -> str:
    """A text without what no database takes."""
    return _UNSTORABLE.sub("", text)
