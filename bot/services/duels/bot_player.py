"""The bot as a player: what it guesses, and that it does so at once."""

from typing import Final

from bot.services.base.workers import in_thread
from bot.services.base.workshop.named import Named
from bot.services.duels.model import DuelGame
from bot.services.duels.position import Position
from bot.services.duels.transactions import DuelTransactions
from bot.services.duels.turns import bots_turn
from engine import Code

NEXT_GUESS: Final[Named[[Position, int], Code]] = Named("bot.services.duels.solving", "next_guess")


async def answered(transactions: DuelTransactions, position: Position, game: DuelGame) -> DuelGame:
    """A duel after the bot has made the guesses that are the bot's to make.

    Nothing is locked while it thinks; what it found is written only if nobody has moved.
    """
    while (seat := bots_turn(position)) is not None:
        code = await in_thread(NEXT_GUESS, position, seat)
        async with transactions.of_game(position.row.id) as work:
            found = await work.position(position.row.id)
            if bots_turn(found) == seat and found.row.moves == position.row.moves:
                found = await work.guess(found, found.guessed(seat, code, work.now), seat)
            position, game = found, await work.game(found)
    return game
