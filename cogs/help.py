"""`/help`: how the games are played, and the button that opens its pages."""

import re
from typing import Self

from discord import app_commands, ui
from discord.ext import commands

from bot.presentation.base import labels
from bot.presentation.base.labels import HELP_BUTTON
from bot.presentation.base.language import say
from bot.presentation.help import TOPIC_NAMES, Topic, help_text
from cogs.base.buttons import Press
from cogs.base.pages import Page
from cogs.base.replies import Interaction, whisper


class HelpPage(Page):
    """One topic."""

    def __init__(self, topic: Topic) -> None:
        super().__init__()
        container = ui.Container[HelpPage]()
        first, *rest = help_text(topic)
        container.add_item(ui.TextDisplay[HelpPage](first))
        for block in rest:
            container.add_item(ui.Separator[HelpPage](visible=False))
            container.add_item(ui.TextDisplay[HelpPage](block))
        self.add_item(container)


class HelpButton(Press, template=rf"help:(?P<topic>{'|'.join(topic.value for topic in Topic)})"):
    """*How to play*: explains a game beside the board."""

    def __init__(self, topic: Topic, label: str | None = None) -> None:
        super().__init__(f"help:{topic.value}", label or say(HELP_BUTTON))
        self._topic = topic

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a topic."""
        return cls(Topic(match["topic"]))

    async def press(self, interaction: Interaction) -> None:
        """Open the page in a private message of its own; the board stays."""
        await whisper(interaction, HelpPage(self._topic))


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
        await whisper(interaction, HelpPage(chosen))
