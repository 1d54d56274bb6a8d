"""`/games`: what is unfinished, what is over, and the buttons that turn pages and open a game."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any, Final

import discord
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
from cogs.base.pages import Page, beside, button, page, row
from cogs.base.replies import Interaction, in_good_time, pegs_of, services_of, show, whisper
from cogs.base.routes import Route, pressed
from cogs.duels.pages import PAGE, notebook_page
from cogs.focdle.board import draw_board, show_board
from cogs.mastermind.defend import defence_page, view_button
from cogs.mastermind.guess import KEEP, play_page
from cogs.mastermind.own_page import OWN, own_page
from cogs.mastermind.watch import VIEW, steps_page

_FOCDLE: Final = "focdle"
_DUEL: Final = "duel"

UNFINISHED: Final = Route("games:{page:signed}")
FINISHED: Final = Route("games:over:{page:signed}")
LOOK: Final = Route("games:look:{kind:focdle|play|defend|challenge|watch|duel}:{game:int}")
RESUME: Final = Route("fd:resume:{play:int}")

Openable = Unfinished | MastermindGame | DuelGame


async def show_games(interaction: Interaction, page: int = 0) -> None:
    """List what is unfinished: duels, in which somebody waits, first, and FoCdle last."""
    services, player = services_of(interaction), interaction.user.id
    found: list[Openable] = [
        *await services.duels.games.open_of(player),
        *await services.mastermind.games.open_of(player),
        *await services.practice.unfinished(player),
    ]
    await show(interaction, games_page(found, player, page))


def games_page(found: Sequence[Openable], player_id: int, number: int = 0) -> Page:
    """A page of a player's unfinished games.

    Args:
        found: all of them.
        player_id: the player.
        number: which page, 0 for the first; a later one than there is means the last.
    """
    pages = max(1, -(-len(found) // games.PAGE))
    number = min(number, pages - 1)
    shown = found[number * games.PAGE : (number + 1) * games.PAGE]
    finished = button(FINISHED(page=0), say(games.FINISHED_BUTTON))
    return page(
        games.games_title(),
        *(_entry(game, player_id) for game in shown),
        *([] if found else [say(games.NO_GAMES), games.finished_hint()]),
        _page_line(number, pages),
        row(*_turns(UNFINISHED, number, pages), finished),
    )


def _page_line(number: int, pages: int) -> str:
    return games.page_line(number, pages) if pages > 1 else ""


def _turns(route: Route, number: int, pages: int) -> Iterator[ui.Button[Any]]:
    """What turns the pages of a list, if it has several."""
    if pages > 1:
        newer, older = say(games.NEWER_BUTTON), say(games.OLDER_BUTTON)
        yield button(route(page=number - 1), newer, disabled=number == 0)
        yield button(route(page=number + 1), older, disabled=number == pages - 1)


def _entry(game: Openable, player_id: int) -> ui.Item[Any]:
    """A game, and what opens it if anything does."""
    if isinstance(game, Unfinished):
        line = games.game_line(game)
    elif isinstance(game, DuelGame):
        line = games.duel_line(game, player_id)
    else:
        line = games.mastermind_line(game, player_id)
    return beside(line, _opener(game))


def _opener(game: Openable) -> ui.Button[Any]:
    """The button that opens a game here: its private board, or a copy of its public one."""
    label = say(labels.OPEN_BUTTON)
    if isinstance(game, Unfinished):
        return button(RESUME(play=game.play_id), label, discord.ButtonStyle.primary)
    if isinstance(game, DuelGame):
        return button(PAGE(duel=game.id), label, discord.ButtonStyle.primary)
    if game.kind is Kind.PLAY:
        return button(KEEP(kind=game.kind, game=game.id), label)
    if game.kind is Kind.WATCH:
        return button(VIEW(game=game.id), label)
    if game.kind is Kind.DEFEND:
        return view_button(game.id, label)
    return button(OWN(game=game.id), label)


@pressed(UNFINISHED)
async def turn_unfinished(interaction: Interaction, page: int) -> None:
    """Show another page of what is unfinished."""
    await show_games(interaction, max(0, page))


@pressed(RESUME, cost=Cost.HEAVY)
async def resume(interaction: Interaction, play: int) -> None:
    """Put the board of an unfinished FoCdle in place of the list."""
    daily = services_of(interaction).daily
    await show_board(interaction, await daily.view(interaction.user.id, play))


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
        _page_line(found.number, found.pages),
        row(*_turns(FINISHED, found.number, found.pages), unfinished),
    )


@pressed(FINISHED)
async def turn_finished(interaction: Interaction, page: int) -> None:
    """Show what is over, or another page of it."""
    await show_finished(interaction, page)


@pressed(LOOK, cost=Cost.HEAVY)
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
