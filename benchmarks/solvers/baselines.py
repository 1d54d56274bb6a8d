"""What others have published for these games, written anew from its description.

They are measured in the same run as our own, so that both can be compared.
"""

import random
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from benchmarks.solvers.play import Decide, Player, Situation
from engine.code_games import CodeGame
from engine.codes import Code
from engine.equations import SYMBOLS
from engine.feedback import Mark, Marks, Score, Turn
from engine.focdle import Focdle
from engine.rules import is_consistent
from engine.solvers.code_games.scores import Scorer
from engine.solvers.space import Space, Symbols, as_symbols

Codes = list[Code]
Strike = Callable[[Codes, CodeGame, Turn[Score]], Codes]
"""What takes codes off a list after a turn."""

_CANDIDATES_TRIED: Final = 11


def assignment(rules: Focdle, rng: random.Random) -> Player[Marks]:
    """The model answer of the assignment that FoCdle comes from.

    COMP10001, University of Melbourne, 2023: "an average of 12 to 13 guesses" at length 10.
    Each place gets a random symbol of those not eliminated there; up to eleven such guesses
    are drawn until one agrees with all colours, else the last one is made anyway.
    """

    def guess(turns: Sequence[Turn[Marks]]) -> Code:
        left = not_eliminated(rules.length, turns)
        drawn = Code("")
        for _ in range(_CANDIDATES_TRIED):
            drawn = Code("".join(rng.choice(symbols) for symbols in left))
            if is_consistent(rules, drawn, turns):
                break
        return drawn

    return guess


def not_eliminated(length: int, turns: Sequence[Turn[Marks]]) -> list[str]:
    """The symbols that the turns leave for each place, if one looks at that place only."""
    left = [SYMBOLS] * length
    for turn in turns:
        for place, (symbol, mark) in enumerate(zip(turn.guess, turn.feedback, strict=True)):
            is_correct = mark is Mark.CORRECT
            left[place] = symbol if is_correct else left[place].replace(symbol, "")
    return left


def random_of_list(rules: CodeGame, strike: Strike, rng: random.Random) -> Player[Score]:
    """A public Bulls and Cows program that reports 13.33 guesses, four different digits.

    It keeps a list of all codes, takes those off it that an answer rules out, and guesses a
    random one of the rest. Its source is not to be had; `strike` is how it may take off.

    Returns:
        What plays one game.
    """
    codes = list(rules.codes())

    def guess(turns: Sequence[Turn[Score]]) -> Code:
        nonlocal codes
        if turns:
            codes = strike(codes, rules, turns[-1])
        return rng.choice(codes)

    return guess


def keep_consistent(codes: Codes, rules: CodeGame, turn: Turn[Score]) -> Codes:
    """What is left on a list, as it is meant."""
    return [code for code in codes if rules.feedback(turn.guess, code) == turn.feedback]


def remove_while_iterating(codes: Codes, rules: CodeGame, turn: Turn[Score]) -> Codes:
    """What is left if codes are removed from the very list that is being gone through.

    After each removal the next code moves up to a place that has been looked at already, so
    that of two neighbours that should go one stays. This explains 13.33.
    """
    for code in codes:
        if rules.feedback(turn.guess, code) != turn.feedback:
            codes.remove(code)
    return codes


def first_consistent(rules: CodeGame) -> Player[Score]:
    """A tutorial's Mastermind program: the first code in order that explains all answers.

    Python course, "Mastermind / Bulls and Cows": four places, six colours, none twice. Its
    order starts with random colours; that is the same as a random secret, so over all
    secrets one order does.
    """
    ordered = tuple(rules.codes())

    def guess(turns: Sequence[Turn[Score]]) -> Code:
        return next(code for code in ordered if is_consistent(rules, code, turns))

    return guess


def knuth(space: Space[Score]) -> Decide:
    """Knuth, The Computer as Master Mind (1977): the smallest largest part.

    Of equal guesses one that may be the secret, then the one that is first in order.
    """
    everything = space.everything()
    guesses = np.ascontiguousarray(everything.T).astype(np.intp)

    def decide(situation: Situation) -> Symbols:
        sizes = Scorer(situation.columns, len(space.alphabet)).sizes(guesses)
        may_be_it = sizes[:, space.solving] > 0
        return as_symbols(guesses[int((sizes.max(axis=1) * 2 - may_be_it).argmin())])

    return decide
