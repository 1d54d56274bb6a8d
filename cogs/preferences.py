"""`/preferences`: what players choose for themselves."""

from discord import app_commands
from discord.ext import commands

from bot.presentation import labels
from cogs.ui.answers import Interaction
from cogs.ui.preferences import show_preferences


class PreferencesCog(commands.Cog):
    """A player's own choices."""

    @app_commands.command(name="preferences", description=labels.PREFERENCES)
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def preferences(self, interaction: Interaction) -> None:
        """Show them, to be changed."""
        await show_preferences(interaction)
