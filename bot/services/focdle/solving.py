"""FoCdle's work that needs a solver. It is slow: worker threads do it, by its name."""

from bot.services.focdle.watching import Step
from engine import Code, Focdle, Marks, Turn
from engine.solvers import Allowed, codebreaker, openings


def break_equation(rules: Focdle, secret: Code, most: int, draw: int) -> tuple[Step, ...]:
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
    steps: list[Step] = []
    while len(steps) < min(most, rules.max_guesses) and (not turns or turns[-1].guess != secret):
        guess = breaker.next_guess(turns) if turns else equals[draw % len(equals)]
        parts = breaker.parts(turns, guess)
        turns.append(Turn(guess, rules.feedback(guess, secret)))
        steps.append(
            Step(
                turn=turns[-1],
                before=parts.total,
                after=breaker.remaining(turns),
                bits=parts.bits,
                parts=len(parts.sizes),
                largest=parts.largest,
            )
        )
    return tuple(steps)
