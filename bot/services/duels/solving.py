"""Duels' work that needs a solver. It is slow: worker threads do it, by its name."""

import random
from collections.abc import Sequence

import numpy as np

from bot.services.duels.position import Position, rules_of
from engine import BullsAndCows, Code, Score, Strength, Turn
from engine.solvers import Goal, codebreaker
from engine.solvers.codebreaker import space_of
from engine.solvers.trees import tree_of


def next_guess(position: Position, seat: int) -> Code:
    """The bot's guess; always the same for the same duel and turns.

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


def note(rules: BullsAndCows, turns: Sequence[Turn[Score]]) -> tuple[str, int]:
    """The digits that are in no possible code, and how many codes are possible; exact."""
    space = space_of(rules)
    codes = space.after(space.history(turns))
    possible = np.unique(codes)
    absent = [digit for n, digit in enumerate(rules.alphabet) if n not in possible]
    return "".join(absent), codes.shape[1]


def is_optimal(rules: BullsAndCows) -> bool:
    """Whether a perfect bot is known to need the fewest guesses on average, not just very few."""
    return tree_of(rules, Goal.MEAN) is not None
