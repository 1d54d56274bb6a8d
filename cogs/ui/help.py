"""The help pages and the button that opens them."""

import re
from typing import Self

from discord import ui

from bot.presentation.help import Topic, help_text
from bot.presentation.labels import help_button
from cogs.ui.answers import Interaction, whisper
from cogs.ui.buttons import Press
from cogs.ui.pages import Page


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
        super().__init__(f"help:{topic.value}", label or help_button())
        self._topic = topic

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a topic."""
        return cls(Topic(match["topic"]))

    async def press(self, interaction: Interaction) -> None:
        """Open the page in a private message of its own; the board stays."""
        await whisper(interaction, HelpPage(self._topic))
