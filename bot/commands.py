"""All our commands: what the bot adds at its start, and what Discord is told of them."""

from collections.abc import Sequence
from typing import Any, Final, cast

import discord
from discord import app_commands
from discord.ext import commands

from cogs.duels.challenge import DuelCog, challenge_to_duel
from cogs.focdle.board import FocdleCog
from cogs.home.games import GamesCog
from cogs.home.play import PlayCog
from cogs.home.preferences import PreferencesCog
from cogs.leaderboards import StandingsCog, stats_of_member
from cogs.mastermind.defend import MastermindCog
from cogs.privacy import PrivacyCog
from cogs.settings import SettingsCog
from cogs.ui.dispatch import GuardedTree
from cogs.ui.help import HelpCog

COGS: Final[Sequence[type[commands.Cog]]] = (
    PlayCog,
    FocdleCog,
    GamesCog,
    MastermindCog,
    DuelCog,
    PreferencesCog,
    PrivacyCog,
    SettingsCog,
    StandingsCog,
    HelpCog,
)
"""The cogs with commands, in the order in which Discord is told of them."""

MENUS: Final = (challenge_to_duel, stats_of_member)
"""What stands in the menu of a member."""


def definitions() -> list[dict[str, Any]]:
    """What Discord is to be told of our commands, for who has no bot that runs."""
    tree = GuardedTree(discord.Client(intents=discord.Intents.none()))
    for cog in COGS:
        if issubclass(cog, commands.GroupCog):  # which is a command with others in it
            tree.add_command(cast("app_commands.Group", cog().app_command))
            continue
        for command in cog.__cog_app_commands__:
            tree.add_command(command)
    for menu in MENUS:
        tree.add_command(menu)
    return [command.to_dict(tree) for command in tree.get_commands()]
