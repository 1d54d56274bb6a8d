"""The board of a Mastermind of any kind."""

from bot.presentation.base.commitments import seal_line
from bot.presentation.base.pegs import Pegs
from bot.presentation.base.text_board import TextBoard
from bot.presentation.mastermind.defend import defend_board
from bot.presentation.mastermind.play import challenge_board, play_board
from bot.presentation.mastermind.watch import watch_board
from bot.services.mastermind.model import Kind, MastermindGame


def mastermind_board(game: MastermindGame, pegs: Pegs) -> TextBoard:
    """A game's board, as its player or, of a challenge, everybody sees it."""
    board = _board(game, pegs)
    *texts, last = board.texts
    # Everybody who reads along can note the whole seal before anybody guesses.
    is_whole = game.kind is Kind.CHALLENGE and not game.turns
    sealed = "\n".join(filter(None, (last, seal_line(game.commitment, whole=is_whole))))
    return TextBoard(board.mood, (*texts, sealed))


def _board(game: MastermindGame, pegs: Pegs) -> TextBoard:
    if game.kind is Kind.PLAY:
        return play_board(game, pegs)
    if game.kind is Kind.CHALLENGE:
        return challenge_board(game, pegs)
    if game.kind is Kind.WATCH or game.sealed:
        return watch_board(game, pegs)
    return defend_board(game, pegs)
