"""Slow work of duels, which needs a solver and runs in the pool's processes."""

import random
from collections.abc import Sequence
from typing import Final

import numpy as np

from bot.duels.defending import Hunt
from bot.duels.model import Duel
from bot.games.model import Contradiction
from engine import BullsAndCows, Code, InconsistentFeedback, Score, Strength, Turn
from engine.solvers import Goal, codebreaker
from engine.solvers.codebreaker import space_of
from engine.solvers.trees import tree_of

_PROVEN: Final = 4
"""Trees of numbers with up to this many digits are proven to be best on average."""


def next_guess(duel: Duel, seat: int) -> Code:
    made, is_last = duel.own_turns(seat), duel.game.has_one_guess(seat)
    return _guess(duel.rules, duel.id, made, duel.strength or Strength.PERFECT, is_last=is_last)


def hunt(rules: BullsAndCows, seed: int, answers: Sequence[Score]) -> Hunt:
    """Replay the bot's guesses with these answers, and choose the next one.

    The replay ends before an impossible answer, after a contradiction, or when the number is found.
    """
    turns: list[Turn[Score]] = []
    left: list[int] = []
    guess = _guess(rules, seed, turns)
    for answer in answers:
        if answer not in rules.answers(guess):
            break
        turns.append(Turn(guess, answer))
        try:
            left.append(codebreaker(rules).remaining(turns))
        except InconsistentFeedback as error:
            wrong = Contradiction(error.turns, error.repairs)
            return Hunt(tuple(turns), (*left, 0), None, wrong)
        if rules.solved(answer):
            return Hunt(tuple(turns), tuple(left), None)
        guess = _guess(rules, seed, turns)
    return Hunt(tuple(turns), tuple(left), guess)


def hunt_blindly(rules: BullsAndCows, seed: int, number: Code, most: int) -> Hunt:
    """Let the bot make up to `most` guesses at a number, which it knows only by the scores."""
    turns: list[Turn[Score]] = []
    left: list[int] = []
    guess: Code | None = _guess(rules, seed, turns)
    while guess is not None and len(turns) < most:
        turns.append(Turn(guess, rules.feedback(guess, number)))
        left.append(codebreaker(rules).remaining(turns))
        guess = None if guess == number else _guess(rules, seed, turns)
    return Hunt(tuple(turns), tuple(left), guess)


def _guess(
    rules: BullsAndCows,
    seed: int,
    made: Sequence[Turn[Score]],
    strength: str = Strength.PERFECT,
    *,
    is_last: bool = False,
) -> Code:
    """Choose the bot's guess after the turns `made`.

    The seed renames the digits, differently in each game; this makes no game harder. Without it,
    everybody would soon know the bot's first guess and the numbers that it finds last.
    """
    shuffled = random.Random(seed)  # noqa: S311 - anybody may work out the names; no secret is drawn
    names = shuffled.sample(rules.alphabet, len(rules.alphabet))
    inward = str.maketrans("".join(names), rules.alphabet)
    outward = str.maketrans(rules.alphabet, "".join(names))
    turns = [Turn(t.guess.translate(inward), t.feedback) for t in made]
    guess = codebreaker(rules, strength).next_guess(turns, is_last=is_last)
    return guess.translate(outward)


def deductions(rules: BullsAndCows, turns: Sequence[Turn[Score]]) -> tuple[str, int]:
    """The digits that no candidate has, and the exact number of candidates."""
    space = space_of(rules)
    codes = space.after(space.history(turns))
    possible = np.unique(codes)
    absent = [digit for n, digit in enumerate(rules.alphabet) if n not in possible]
    return "".join(absent), codes.shape[1]


def is_optimal(rules: BullsAndCows) -> bool:
    """True if it is proven that nobody needs fewer guesses on average than the perfect bot."""
    return rules.digits <= _PROVEN and tree_of(rules, Goal.MEAN) is not None
