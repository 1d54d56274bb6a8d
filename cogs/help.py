"""`/help`: how the games are played, and the button that opens its pages."""

from typing import Any, Final

from discord import app_commands, ui
from discord.ext import commands

from bot.presentation.base import labels
from bot.presentation.base.language import say
from bot.presentation.base.tiles import Tiles
from bot.presentation.help import TOPIC_NAMES, Topic, help_text
from cogs.base.pages import Page, button, page, spaced
from cogs.base.replies import Interaction, tiles_of, whisper
from cogs.base.routes import Route, member_of, pressed

HELP: Final = Route("help:{topic}", topic=member_of(Topic))


def help_page(topic: Topic, tiles: Tiles | None = None) -> Page:
    """One topic, with the tiles that boards have."""
    return page(*spaced(help_text(topic, tiles)))


def help_button(topic: Topic, label: str | None = None) -> ui.Button[Any]:
    """*How to play*: explains a game beside the board."""
    return button(HELP(topic=topic), label or say(labels.HELP_BUTTON))


@pressed(HELP)
async def explain(interaction: Interaction, topic: Topic) -> None:
    """Open a topic in a private message of its own; the board stays."""
    await whisper(interaction, help_page(topic, tiles_of(interaction)))


class HelpCog(commands.Cog):
    """Explanations."""

    @app_commands.command(name="help", description=labels.HELP)
    @app_commands.describe(topic=labels.HELP_TOPIC)
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.choices(
        topic=[
            app_commands.Choice(name=say(TOPIC_NAMES[topic]), value=topic.value) for topic in Topic
        ]
    )
    async def help(
        self, interaction: Interaction, topic: app_commands.Choice[str] | None = None
    ) -> None:
        """Show a topic, or what the bot does."""
        chosen = Topic.COMMANDS if topic is None else Topic(topic.value)
        await whisper(interaction, help_page(chosen, tiles_of(interaction)))
