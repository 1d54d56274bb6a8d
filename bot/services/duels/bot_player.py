"""The bot as a player: what it guesses, and that it does so at once."""

import random

from bot.services.base.workers import in_thread
from bot.services.duels.model import DuelGame
from bot.services.duels.position import Position, rules_of
from bot.services.duels.transactions import DuelTransactions
from bot.services.duels.turns import bots_turn
from engine import Code, Turn
from engine.solvers import Strength, codebreaker


def next_guess(position: Position, seat: int) -> Code:
    """The bot's guess; always the same for the same duel and turns. Slow: for worker threads.

    The digits change their names from duel to duel, which makes no game harder or easier: or
    everybody would soon know what the bot guesses first, and which numbers it finds last.
    """
    row, rules = position.row, rules_of(position.row)
    shuffled = random.Random(row.id)  # noqa: S311 - anybody may work out the names; no secret is drawn
    names = shuffled.sample(rules.alphabet, len(rules.alphabet))
    inward = str.maketrans("".join(names), rules.alphabet)
    outward = str.maketrans(rules.alphabet, "".join(names))
    made = position.duel.games[seat].turns
    turns = [Turn(Code(t.guess.translate(inward)), t.feedback) for t in made]
    guess = codebreaker(rules, row.strength or Strength.PERFECT).next_guess(turns)
    return Code(guess.translate(outward))


async def answered(transactions: DuelTransactions, position: Position, game: DuelGame) -> DuelGame:
    """A duel after the bot has made the guesses that are the bot's to make.

    Nothing is locked while it thinks; what it found is written only if nobody has moved.
    """
    while (seat := bots_turn(position)) is not None:
        code = await in_thread(next_guess, position, seat)
        async with transactions.begin() as work:
            found = await work.position(position.row.id)
            if bots_turn(found) == seat and found.row.moves == position.row.moves:
                found = await work.guess(found, found.guessed(seat, code, work.now), seat)
            position, game = found, await work.game(found)
    return game
