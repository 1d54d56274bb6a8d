"""The list of finished games, the buttons that turn its pages, and the one that opens a game."""

import re
from collections.abc import Awaitable, Callable
from typing import Any, Final, Self, cast

from discord import ui

from bot.presentation import finished_games as words
from bot.presentation import games, labels
from bot.services.allowance import Cost
from bot.services.finished import FinishedDuel, FinishedGame, FinishedPage, FinishedPlay
from bot.services.mastermind.game import Kind
from cogs.ui.answers import Interaction, in_good_time, pegs_of, services_of, show, whisper
from cogs.ui.buttons import Press
from cogs.ui.duel_pages import notebook_page
from cogs.ui.focdle import board_page
from cogs.ui.mastermind_defend import defence_page
from cogs.ui.mastermind_guess import play_page
from cogs.ui.mastermind_own import own_page
from cogs.ui.mastermind_watch import steps_page
from cogs.ui.pages import Page

UNFINISHED_ID: Final = "games:0"
"""The id of the button that leads to the unfinished games; that list imports this one."""

_FOCDLE: Final = "focdle"
_DUEL: Final = "duel"


async def show_finished(interaction: Interaction, number: int = 0) -> None:
    """List what is over, the latest first."""
    page = await services_of(interaction).finished.page(interaction.user.id, number)
    await show(interaction, FinishedGamesPage(page))


class FinishedGamesPage(Page):
    """A page of a player's finished games."""

    def __init__(self, page: FinishedPage) -> None:
        super().__init__()
        container = ui.Container[FinishedGamesPage]()
        container.add_item(ui.TextDisplay[FinishedGamesPage](words.finished_title()))
        for game in page.games:
            line = words.finished_line(game, page.player_id)
            accessory = cast("ui.Item[Any]", LookButton(_kind_of(game), game.id))
            container.add_item(ui.Section[FinishedGamesPage](line, accessory=accessory))
        if not page.games:
            container.add_item(ui.TextDisplay[FinishedGamesPage](words.nothing_finished()))
        row = ui.ActionRow[FinishedGamesPage]()
        number, last = page.number, page.pages - 1
        if last:
            line = games.page_line(number, page.pages)
            container.add_item(ui.TextDisplay[FinishedGamesPage](line))
            row.add_item(FinishedButton(number - 1, games.newer_button(), disabled=number == 0))
            row.add_item(FinishedButton(number + 1, games.older_button(), disabled=number == last))
        # The class of this button belongs to the other list, which imports this one.
        row.add_item(ui.Button[Any](label=games.unfinished_button(), custom_id=UNFINISHED_ID))
        container.add_item(row)
        self.add_item(container)


class FinishedButton(Press, template=r"games:over:(-?\d+)"):
    """*Finished*, on the list of unfinished games; turns to another page of the finished ones."""

    def __init__(self, number: int, label: str | None = None, *, disabled: bool = False) -> None:
        super().__init__(f"games:over:{number}", label, disabled=disabled)
        self._number = number

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a page."""
        return cls(int(match[1]))

    async def press(self, interaction: Interaction) -> None:
        """Show it."""
        await show_finished(interaction, self._number)


class LookButton(Press, template=r"games:look:(focdle|play|defend|challenge|watch|duel):(\d+)"):
    """*Open*, in the list of finished games.

    Args:
        kind: which kind of game: ``focdle``, ``duel``, or one of Mastermind.
        game_id: which one.
    """

    cost = Cost.HEAVY

    def __init__(self, kind: str, game_id: int) -> None:
        super().__init__(f"games:look:{kind}:{game_id}", labels.open_button())
        self._kind = kind
        self._game_id = game_id

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a game."""
        return cls(match[1], int(match[2]))

    async def press(self, interaction: Interaction) -> None:
        """Show its board in a private message of its own; the list stays, to open another."""
        look = _LOOKS[self._kind]
        await whisper(interaction, await look(interaction, self._game_id))


def _kind_of(game: FinishedGame) -> str:
    if isinstance(game, FinishedPlay):
        return _FOCDLE
    return _DUEL if isinstance(game, FinishedDuel) else game.kind


async def _focdle(interaction: Interaction, play_id: int) -> Page:
    daily = services_of(interaction).daily
    return await board_page(interaction, await daily.view(interaction.user.id, play_id))


async def _solo(interaction: Interaction, game_id: int) -> Page:
    solo = services_of(interaction).mastermind.solo
    return play_page(await solo.view(interaction.user.id, game_id), pegs_of(interaction))


async def _defence(interaction: Interaction, game_id: int) -> Page:
    defence, player = services_of(interaction).mastermind.defence, interaction.user.id
    game = await in_good_time(interaction, defence.view(player, game_id))
    return defence_page(game, pegs_of(interaction))


async def _challenge(interaction: Interaction, game_id: int) -> Page:
    challenges, player = services_of(interaction).mastermind.challenges, interaction.user.id
    return own_page(await challenges.look(player, game_id), pegs_of(interaction), player)


async def _watch(interaction: Interaction, game_id: int) -> Page:
    watch, player = services_of(interaction).mastermind.watch, interaction.user.id
    game = await in_good_time(interaction, watch.view(player, game_id))
    return steps_page(game, pegs_of(interaction))


async def _duel(interaction: Interaction, duel_id: int) -> Page:
    duels = services_of(interaction).duels.games
    return notebook_page(
        await in_good_time(interaction, duels.notebook(interaction.user.id, duel_id))
    )


_LOOKS: Final[dict[str, Callable[[Interaction, int], Awaitable[Page]]]] = {
    _FOCDLE: _focdle,
    Kind.PLAY: _solo,
    Kind.DEFEND: _defence,
    Kind.CHALLENGE: _challenge,
    Kind.WATCH: _watch,
    _DUEL: _duel,
}
