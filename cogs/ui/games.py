"""The list of unfinished games, and the buttons that turn its pages and open a game."""

import re
from collections.abc import Sequence
from typing import Any, Self, cast

from discord import ui

from bot.presentation import games, labels
from bot.presentation.finished_games import finished_hint
from bot.services.allowance import Cost
from bot.services.duels.game import DuelGame
from bot.services.mastermind.game import Kind, MastermindGame
from bot.services.practice import Unfinished
from cogs.ui.answers import Interaction, services_of, show
from cogs.ui.buttons import Press
from cogs.ui.duel_play import DuelPageButton
from cogs.ui.finished_games import FinishedButton
from cogs.ui.focdle import PlayButton, show_play
from cogs.ui.mastermind_defend import DefendButton
from cogs.ui.mastermind_guess import MastermindEndButton
from cogs.ui.mastermind_own import BoardButton
from cogs.ui.mastermind_watch import StepButton
from cogs.ui.pages import Page

Openable = Unfinished | MastermindGame | DuelGame


async def show_games(interaction: Interaction, page: int = 0) -> None:
    """List what is unfinished: duels, in which somebody waits, first, and FoCdle last."""
    services, player = services_of(interaction), interaction.user.id
    found: list[Openable] = [
        *await services.duels.games.open_of(player),
        *await services.mastermind.games.open_of(player),
        *await services.practice.unfinished(player),
    ]
    await show(interaction, GamesPage(found, player, page))


class GamesPage(Page):
    """A page of a player's unfinished games.

    Args:
        found: all of them.
        player_id: the player.
        page: which page, 0 for the first; a later one than there is means the last.
    """

    def __init__(self, found: Sequence[Openable], player_id: int, page: int = 0) -> None:
        super().__init__()
        container = ui.Container[GamesPage]()
        container.add_item(ui.TextDisplay[GamesPage](games.games_title()))
        pages = max(1, -(-len(found) // games.PAGE))
        page = min(page, pages - 1)
        for game in found[page * games.PAGE : (page + 1) * games.PAGE]:
            container.add_item(_entry(game, player_id))
        if not found:
            container.add_item(ui.TextDisplay[GamesPage](games.no_games()))
            container.add_item(ui.TextDisplay[GamesPage](finished_hint()))
        row = ui.ActionRow[GamesPage]()
        if pages > 1:
            container.add_item(ui.TextDisplay[GamesPage](games.page_line(page, pages)))
            row.add_item(TurnButton(page - 1, games.newer_button(), disabled=page == 0))
            row.add_item(TurnButton(page + 1, games.older_button(), disabled=page == pages - 1))
        row.add_item(FinishedButton(0, games.finished_button()))
        container.add_item(row)
        self.add_item(container)


def _entry(game: Openable, player_id: int) -> ui.Item[Any]:
    """A game, and what opens it if anything does."""
    if isinstance(game, Unfinished):
        line = games.game_line(game)
    elif isinstance(game, DuelGame):
        line = games.duel_line(game, player_id)
    else:
        line = games.mastermind_line(game, player_id)
    return ui.Section[GamesPage](line, accessory=cast("ui.Item[Any]", _opener(game)))


def _opener(game: Openable) -> Press:
    """What opens a game here: its private board, or a copy of its public one."""
    label = labels.open_button()
    if isinstance(game, Unfinished):
        return ResumeButton(game.play_id)
    if isinstance(game, DuelGame):
        return DuelPageButton(game.id, label)
    if game.kind is Kind.PLAY:
        return MastermindEndButton(game.kind, "keep", game.id, label)
    if game.kind is Kind.WATCH:
        return StepButton(game.kind, "view", game.id, label=label)
    if game.kind is Kind.DEFEND:
        return DefendButton("view", game.id, label=label)
    return BoardButton("own", game.id)


class TurnButton(Press, template=r"games:(-?\d+)"):
    """Turns to another page of the list."""

    def __init__(self, page: int, label: str | None = None, *, disabled: bool = False) -> None:
        super().__init__(f"games:{page}", label, disabled=disabled)
        self._page = page

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a page."""
        return cls(int(match[1]))

    async def press(self, interaction: Interaction) -> None:
        """Show it."""
        await show_games(interaction, max(0, self._page))


class ResumeButton(PlayButton, template=r"fd:resume:(?P<play>\d+)"):
    """*Open*: puts the board of an unfinished game in place of the list."""

    cost = Cost.HEAVY

    act = "resume"

    async def press(self, interaction: Interaction) -> None:
        """Show the board."""
        daily = services_of(interaction).daily
        await show_play(interaction, daily.view(interaction.user.id, self._play_id))
