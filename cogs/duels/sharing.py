"""*Share* on a finished duel with the bot."""

from collections.abc import Iterator
from typing import Any, Final

from discord import ui

from bot.duels.model.duel import DuelGame
from bot.duels.pages.board import duel_board
from bot.duels.pages.rounds import DuelTiles
from bot.games.model.games import GameName, Source
from bot.home.pages.agenda import Door
from cogs.ui.replies import Interaction, pegs_of, services_of, tiles_of
from cogs.ui.routes import By, Route, pressed
from cogs.ui.shares import post_board, share_button

SHARE: Final = Route("du:share:{duel:int}")


def share_of_duel(game: DuelGame) -> Iterator[ui.Button[Any]]:
    """The button, if the duel was with the bot and anybody has guessed."""
    if game.is_against_bot and any(seat.turns for seat in game.seats):
        yield share_button(SHARE(duel=game.id))


@pressed(SHARE, by=By.PLAYERS)
async def share(interaction: Interaction, duel: int) -> None:
    """Post the finished board to the channel."""
    finished = await services_of(interaction).duels.games.result(interaction.user.id, duel)
    name = GameName(Source.DUEL, duel)
    look = DuelTiles.of(tiles_of(interaction), pegs_of(interaction))
    await post_board(interaction, name, lambda: duel_board(finished, look), Door.DUEL)
