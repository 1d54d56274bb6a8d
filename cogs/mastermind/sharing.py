"""*Share* on a player's own finished game of Mastermind."""

from typing import Any, Final

from discord import ui

from bot.games.model.games import GameName, Source
from bot.home.pages.agenda import Door
from bot.mastermind.model.game import MastermindGame
from bot.mastermind.pages.play import shared_board
from cogs.ui.replies import Interaction, pegs_of, services_of
from cogs.ui.routes import By, Route, pressed
from cogs.ui.shares import post_board, share_button

SHARE: Final = Route("mm:p:share:{game:int}")


def share_of_game(game: MastermindGame) -> list[ui.Button[Any]]:
    """The button, if anybody has guessed."""
    return [share_button(SHARE(game=game.id))] if game.turns else []


@pressed(SHARE, by=By.PLAYERS)
async def share(interaction: Interaction, game: int) -> None:
    """Post the finished board to the channel."""
    solo = services_of(interaction).mastermind.solo
    finished = await solo.result(interaction.user.id, game)
    pegs, name = pegs_of(interaction), GameName(Source.MASTERMIND, game)
    await post_board(interaction, name, lambda: shared_board(finished, pegs), Door.MASTERMIND)
