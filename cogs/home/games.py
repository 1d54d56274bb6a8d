"""`/games`: the command, and what is over."""

from collections.abc import Awaitable, Callable
from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.home.game.finished_games import FinishedDuel, FinishedGame, FinishedPage, FinishedPlay
from bot.home.pages import games
from bot.mastermind.model.game import Kind
from bot.people.game.allowance import Cost
from bot.text import labels
from bot.text.language import say
from cogs.duels.pages import look_of, notebook_page
from cogs.focdle.page import draw_board
from cogs.home.unfinished import FINISHED, UNFINISHED, page_line, show_games, turns
from cogs.mastermind.defend import defence_page
from cogs.mastermind.own_page import own_page
from cogs.mastermind.pages import play_page
from cogs.mastermind.watch import steps_page
from cogs.ui.pages import Page, beside, button, page, row
from cogs.ui.replies import Interaction, in_good_time, pegs_of, services_of, show, whisper
from cogs.ui.routes import By, Route, pressed

_FOCDLE: Final = "focdle"
_DUEL: Final = "duel"

LOOK: Final = Route("games:look:{kind:focdle|play|defend|challenge|watch|duel}:{game:int}")


async def show_finished(interaction: Interaction, number: int = 0) -> None:
    """List what is over, the latest first."""
    found = await services_of(interaction).finished.page(interaction.user.id, number)
    await show(interaction, finished_page(found))


def finished_page(found: FinishedPage) -> Page:
    """A page of a player's finished games."""
    entries = [
        beside(
            games.finished_line(game, found.player_id),
            button(LOOK(kind=_kind_of(game), game=game.id), say(labels.OPEN_BUTTON)),
        )
        for game in found.games
    ]
    unfinished = button(UNFINISHED(page=0), say(games.UNFINISHED_BUTTON))
    return page(
        games.finished_title(),
        *entries,
        "" if found.games else say(games.NOTHING_FINISHED),
        page_line(found.number, found.pages),
        row(*turns(FINISHED, found.number, found.pages), unfinished),
    )


@pressed(FINISHED, by=By.ANYBODY)
async def turn_finished(interaction: Interaction, page: int) -> None:
    """Show what is over, or another page of it."""
    await show_finished(interaction, page)


@pressed(LOOK, by=By.PLAYERS, cost=Cost.HEAVY)
async def look(interaction: Interaction, kind: str, game: int) -> None:
    """Show a board in a private message of its own; the list stays, to open another."""
    await whisper(interaction, await _LOOKS[kind](interaction, game))


def _kind_of(game: FinishedGame) -> str:
    if isinstance(game, FinishedPlay):
        return _FOCDLE
    return _DUEL if isinstance(game, FinishedDuel) else game.kind


async def _focdle(interaction: Interaction, play_id: int) -> Page:
    daily = services_of(interaction).daily
    return await draw_board(interaction, await daily.view(interaction.user.id, play_id))


async def _solo(interaction: Interaction, game_id: int) -> Page:
    solo = services_of(interaction).mastermind.solo
    return play_page(await solo.view(interaction.user.id, game_id), pegs_of(interaction))


async def _defence(interaction: Interaction, game_id: int) -> Page:
    defence, player = services_of(interaction).mastermind.defence, interaction.user.id
    game = await in_good_time(interaction, defence.view(player, game_id))
    return defence_page(game, pegs_of(interaction), drawn=interaction.id)


async def _challenge(interaction: Interaction, game_id: int) -> Page:
    challenges, player = services_of(interaction).mastermind.challenges, interaction.user.id
    return own_page(await challenges.look(player, game_id), pegs_of(interaction), player)


async def _watch(interaction: Interaction, game_id: int) -> Page:
    watch, player = services_of(interaction).mastermind.watch, interaction.user.id
    game = await in_good_time(interaction, watch.view(player, game_id))
    return steps_page(game, pegs_of(interaction))


async def _duel(interaction: Interaction, duel_id: int) -> Page:
    duels = services_of(interaction).duels.games
    notebook = await in_good_time(interaction, duels.notebook(interaction.user.id, duel_id))
    return notebook_page(notebook, look_of(interaction.client))


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
