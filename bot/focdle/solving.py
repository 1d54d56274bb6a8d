"""Slow work of FoCdle, which needs a solver and runs in the pool's processes."""

from bot.games.explaining import narrowings
from bot.games.model import Narrowing
from engine import Code, Focdle, Marks, Turn
from engine.solvers import Allowed, codebreaker, openings


def break_equation(
    rules: Focdle, secret: Code, most: int, draw: int
) -> tuple[Narrowing[Marks], ...]:
    """Let the bot make up to `most` guesses at an equation; return them with their reasons.

    `draw`, from 0 to `DRAWS` - 1 (`bot.focdle.game`), chooses among equal openings.
    """
    equals = openings(rules, Allowed.FORM)
    breaker = codebreaker(rules, allowed=Allowed.FORM)
    turns: list[Turn[Marks]] = []
    while len(turns) < min(most, rules.max_guesses) and (not turns or turns[-1].guess != secret):
        guess = breaker.next_guess(turns) if turns else equals[draw % len(equals)]
        turns.append(Turn(guess, rules.feedback(guess, secret)))
    return narrowings(breaker, turns)
