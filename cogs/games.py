"""`/games`: what is unfinished, what is over, and the buttons that turn pages and open a game."""

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, Self, cast

from discord import app_commands, ui
from discord.ext import commands

from bot.model.plays import Unfinished
from bot.presentation import games
from bot.presentation.base import labels
from bot.presentation.base.language import say
from bot.services.base.allowance import Cost
from bot.services.duels.model import DuelGame
from bot.services.finished_games import FinishedDuel, FinishedGame, FinishedPage, FinishedPlay
from bot.services.mastermind.model import Kind, MastermindGame
from cogs.base.buttons import Press
from cogs.base.pages import Page
from cogs.base.replies import Interaction, in_good_time, pegs_of, services_of, show, whisper
from cogs.duels.moves import DuelPageButton
from cogs.duels.pages import notebook_page
from cogs.focdle.board import PlayButton, board_page, show_play
from cogs.mastermind.defend import DefendButton, defence_page
from cogs.mastermind.guess import MastermindEndButton, play_page
from cogs.mastermind.own_page import BoardButton, own_page
from cogs.mastermind.watch import StepButton, steps_page

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
            container.add_item(ui.TextDisplay[GamesPage](say(games.NO_GAMES)))
            container.add_item(ui.TextDisplay[GamesPage](games.finished_hint()))
        row = ui.ActionRow[GamesPage]()
        if pages > 1:
            container.add_item(ui.TextDisplay[GamesPage](games.page_line(page, pages)))
            row.add_item(TurnButton(page - 1, say(games.NEWER_BUTTON), disabled=page == 0))
            row.add_item(TurnButton(page + 1, say(games.OLDER_BUTTON), disabled=page == pages - 1))
        row.add_item(FinishedButton(0, say(games.FINISHED_BUTTON)))
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
    """The button that opens a game here: its private board, or a copy of its public one."""
    label = say(labels.OPEN_BUTTON)
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
        container.add_item(ui.TextDisplay[FinishedGamesPage](games.finished_title()))
        for game in page.games:
            line = games.finished_line(game, page.player_id)
            accessory = cast("ui.Item[Any]", LookButton(_kind_of(game), game.id))
            container.add_item(ui.Section[FinishedGamesPage](line, accessory=accessory))
        if not page.games:
            container.add_item(ui.TextDisplay[FinishedGamesPage](say(games.NOTHING_FINISHED)))
        row = ui.ActionRow[FinishedGamesPage]()
        number, last = page.number, page.pages - 1
        if last:
            line = games.page_line(number, page.pages)
            container.add_item(ui.TextDisplay[FinishedGamesPage](line))
            row.add_item(FinishedButton(number - 1, say(games.NEWER_BUTTON), disabled=number == 0))
            row.add_item(
                FinishedButton(number + 1, say(games.OLDER_BUTTON), disabled=number == last)
            )
        row.add_item(TurnButton(0, say(games.UNFINISHED_BUTTON)))
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
        super().__init__(f"games:look:{kind}:{game_id}", say(labels.OPEN_BUTTON))
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


class GamesCog(commands.Cog):
    """A player's games of all kinds."""

    @app_commands.command(name="games", description=labels.GAMES)
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def games(self, interaction: Interaction) -> None:
        """List what is unfinished."""
        await show_games(interaction)
