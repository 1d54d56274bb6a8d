"""FoCdle's work that needs a solver. It is slow, so the pool does it by its name."""

from bot.games.explaining import reasons_for
from bot.games.model import Reason
from engine import Code, Focdle, Marks, Turn
from engine.solvers import Allowed, codebreaker, openings


def break_equation(rules: Focdle, secret: Code, most: int, draw: int) -> tuple[Reason[Marks], ...]:
    """The bot's first guesses against an equation, as players may guess, and why it makes them.

    Args:
        rules: the game.
        secret: the equation.
        most: how many guesses.
        draw: a number from 0 to `DRAWS` - 1, which says with which of equal openings it begins.
    """
    equals = openings(rules, Allowed.FORM)
    breaker = codebreaker(rules, allowed=Allowed.FORM)
    turns: list[Turn[Marks]] = []
    while len(turns) < min(most, rules.max_guesses) and (not turns or turns[-1].guess != secret):
        guess = breaker.next_guess(turns) if turns else equals[draw % len(equals)]
        turns.append(Turn(guess, rules.feedback(guess, secret)))
    return reasons_for(breaker, turns)
