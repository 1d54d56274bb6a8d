"""The bot as a player: what it guesses, and that it does so at once."""

from functools import partial
from typing import Final

from bot.duels.game.position import Position
from bot.duels.game.transactions import DuelTransaction, DuelTransactions
from bot.duels.game.turns import bots_turn
from bot.duels.model.duel import DuelGame
from bot.pool.named import Named
from bot.pool.threads import in_thread
from engine import Code

NEXT_GUESS: Final[Named[[Position, int], Code]] = Named("bot.duels.game.solving", "next_guess")


async def answered(transactions: DuelTransactions, position: Position, game: DuelGame) -> DuelGame:
    """A duel after the bot has made the guesses that are the bot's to make.

    Nothing is locked while it thinks; what it found is written only if nobody has moved.
    """
    while (seat := bots_turn(position)) is not None:
        code = await in_thread(NEXT_GUESS, position, seat)
        guess = partial(_guess, seen=position, seat=seat, code=code)
        position, game = await transactions.write(guess, position.row.id)
    return game


async def _guess(
    work: DuelTransaction, *, seen: Position, seat: int, code: Code
) -> tuple[Position, DuelGame]:
    """Make a guess of the bot's, if nobody has moved since; the duel as it stands then."""
    found = await work.position(seen.row.id)
    if bots_turn(found) == seat and found.row.moves == seen.row.moves:
        found = await work.guess(found, found.guessed(seat, code, work.now), seat)
    return found, await work.game(found)
