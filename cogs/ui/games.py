"""The list of unfinished games, and the button that opens one."""

import re
from collections.abc import Sequence
from typing import Any, Self, cast

import discord
from discord import ui

from bot.presentation import games, labels
from bot.services.practice import Unfinished
from cogs.ui.answers import Interaction, services_of
from cogs.ui.buttons import Press
from cogs.ui.focdle import show_play
from cogs.ui.pages import Page


class GamesPage(Page):
    """A player's unfinished games, those opened last first."""

    def __init__(self, unfinished: Sequence[Unfinished]) -> None:
        super().__init__()
        container = ui.Container[GamesPage]()
        container.add_item(ui.TextDisplay[GamesPage](games.games_title()))
        for game in unfinished[: games.MOST_LISTED]:
            line = games.game_line(game)
            button = cast("ui.Item[Any]", ResumeButton(game.play_id))
            container.add_item(ui.Section[GamesPage](line, accessory=button))
        if not unfinished:
            container.add_item(ui.TextDisplay[GamesPage](games.no_games()))
        if rest := len(unfinished[games.MOST_LISTED :]):
            container.add_item(ui.TextDisplay[GamesPage](games.more_games(rest)))
        self.add_item(container)


class ResumeButton(Press, template=r"fd:resume:(?P<play>\d+)"):
    """*Open*: puts the board of an unfinished game in place of the list."""

    def __init__(self, play_id: int) -> None:
        super().__init__(f"fd:resume:{play_id}", labels.open_button(), discord.ButtonStyle.primary)
        self._play_id = play_id

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a play."""
        return cls(int(match["play"]))

    async def press(self, interaction: Interaction) -> None:
        """Show the board."""
        daily = services_of(interaction).daily
        await show_play(interaction, daily.view(interaction.user.id, self._play_id))
