"""What follows from a player's guesses. Slow: for worker threads."""

from collections.abc import Sequence

import numpy as np

from engine import BullsAndCows, Score, Turn
from engine.solvers.codebreaker import space_of


def note(rules: BullsAndCows, turns: Sequence[Turn[Score]]) -> tuple[str, int]:
    """The digits that are in no possible code, and how many codes are possible; exact."""
    space = space_of(rules)
    codes = space.after(space.history(turns))
    possible = np.unique(codes)
    absent = [digit for n, digit in enumerate(rules.alphabet) if n not in possible]
    return "".join(absent), codes.shape[1]
