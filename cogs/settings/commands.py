"""`/settings`: what servers choose."""

from discord import app_commands
from discord.ext import commands

from bot.people.game.zones import complete_zone
from bot.text import labels
from bot.text.zones import zone_choice
from cogs.settings.panel import change_settings
from cogs.ui.replies import Interaction
from cogs.ui.rights import PostChannel


class SettingsCog(commands.Cog):
    """A server's choices."""

    @app_commands.command(name="settings", description=labels.SETTINGS)
    @app_commands.describe(
        channel=labels.SETTINGS_CHANNEL,
        timezone=labels.SETTINGS_TIMEZONE,
        length=labels.SETTINGS_LENGTH,
    )
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.allowed_installs(guilds=True)
    @app_commands.allowed_contexts(guilds=True)
    async def settings(
        self,
        interaction: Interaction,
        channel: app_commands.Transform[int, PostChannel] | None = None,
        timezone: str | None = None,
        length: int | None = None,
    ) -> None:
        """Set what is given, and show everything, to be changed."""
        await change_settings(interaction, channel_id=channel, zone=timezone, length=length)

    @settings.autocomplete("timezone")
    async def complete_timezone(
        self, interaction: Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        """Propose zones, and say what time it is there."""
        return [
            app_commands.Choice(name=zone_choice(zone, interaction.created_at), value=zone)
            for zone in complete_zone(typed)
        ]
