"""The board of a Mastermind of any kind."""

from bot.mastermind.model.game import Kind, MastermindGame
from bot.mastermind.pages.defend import defend_board
from bot.mastermind.pages.play import challenge_board, play_board
from bot.mastermind.pages.watch import watch_board
from bot.text.pegs import Pegs
from bot.text.text_board import TextBoard


def mastermind_board(game: MastermindGame, pegs: Pegs) -> TextBoard:
    """A game's board, as its player or, of a challenge, everybody sees it."""
    if game.kind is Kind.PLAY:
        return play_board(game, pegs)
    if game.kind is Kind.CHALLENGE:
        return challenge_board(game, pegs)
    if game.kind is Kind.WATCH or game.sealed:
        return watch_board(game, pegs)
    return defend_board(game, pegs)
