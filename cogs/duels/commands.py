"""`/duel` and the user menu *Challenge to a duel*: Bulls and Cows, a member or the bot."""

from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.duels.game.options import DIGITS
from bot.text import labels
from cogs.duels import answering, more, moves, rematch, stopping
from cogs.duels.challenge import start_duel
from cogs.ui.replies import Interaction

#: What is pressed on boards and pages of duels; to import these modules is to put it on its routes.
PRESSED: Final = (answering, more, moves, rematch, stopping)


@app_commands.context_menu(name=labels.DUEL_MENU)
@app_commands.allowed_installs(guilds=True)
@app_commands.allowed_contexts(guilds=True)
async def challenge_to_duel(
    interaction: Interaction, member: discord.Member | discord.User
) -> None:
    """Challenge the member."""
    await start_duel(interaction, member)


class DuelCog(commands.Cog):
    """Duels."""

    @app_commands.command(name="duel", description=labels.DUEL)
    @app_commands.describe(opponent=labels.DUEL_OPPONENT, digits=labels.DUEL_DIGITS)
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def duel(
        self,
        interaction: Interaction,
        opponent: discord.User | None = None,
        digits: app_commands.Range[int, DIGITS[0], DIGITS[1]] | None = None,
    ) -> None:
        """Challenge a member, or play the bot."""
        await start_duel(interaction, opponent, digits)
