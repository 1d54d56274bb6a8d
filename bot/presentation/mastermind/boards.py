"""The board of a Mastermind of any kind."""

from bot.presentation.base.pegs import Pegs
from bot.presentation.base.text_board import TextBoard
from bot.presentation.mastermind.defend import defend_board
from bot.presentation.mastermind.play import challenge_board, play_board
from bot.presentation.mastermind.watch import watch_board
from bot.services.mastermind.model import Kind, MastermindGame


def mastermind_board(game: MastermindGame, pegs: Pegs) -> TextBoard:
    """A game's board, as its player or, of a challenge, everybody sees it."""
    if game.kind is Kind.PLAY:
        return play_board(game, pegs)
    if game.kind is Kind.CHALLENGE:
        return challenge_board(game, pegs)
    if game.kind is Kind.WATCH or game.sealed:
        return watch_board(game, pegs)
    return defend_board(game, pegs)
