"""`/help`: how the games are played."""

from discord import app_commands
from discord.ext import commands

from bot.presentation import labels
from bot.presentation.help import Topic, topic_name
from cogs.ui.answers import Interaction, whisper
from cogs.ui.help import HelpPage


class HelpCog(commands.Cog):
    """Explanations."""

    @app_commands.command(name="help", description=labels.HELP)
    @app_commands.describe(topic=labels.HELP_TOPIC)
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.choices(
        topic=[app_commands.Choice(name=topic_name(topic), value=topic.value) for topic in Topic]
    )
    async def help(
        self, interaction: Interaction, topic: app_commands.Choice[str] | None = None
    ) -> None:
        """Show a topic, or what the bot does."""
        chosen = Topic.COMMANDS if topic is None else Topic(topic.value)
        await whisper(interaction, HelpPage(chosen))
