"""`/focdle`: the daily."""

from discord import app_commands
from discord.ext import commands

from bot.presentation import labels
from cogs.ui.answers import Interaction, services_of
from cogs.ui.focdle import show_play


class FocdleCog(commands.Cog):
    """The daily FoCdle."""

    @app_commands.command(name="focdle", description=labels.FOCDLE)
    @app_commands.describe(guess=labels.FOCDLE_GUESS, puzzle=labels.FOCDLE_PUZZLE)
    async def focdle(
        self, interaction: Interaction, guess: str | None = None, puzzle: str | None = None
    ) -> None:
        """Open the player's board; with a guess, play it at once."""
        daily = services_of(interaction).daily
        player, guild = interaction.user.id, interaction.guild_id
        await show_play(interaction, daily.open(player, guild, puzzle=puzzle, guess=guess))
