"""FoCdle's work that needs a solver. It is slow: worker threads do it, by its name."""

from bot.services.focdle.watching import Step
from engine import Code, Focdle, Marks, Turn
from engine.solvers import Allowed, codebreaker


def break_equation(rules: Focdle, secret: Code, most: int) -> tuple[Step, ...]:
    """The bot's first guesses against an equation, as players may guess, and why it makes them."""
    breaker = codebreaker(rules, allowed=Allowed.FORM)
    turns: list[Turn[Marks]] = []
    steps: list[Step] = []
    while len(steps) < min(most, rules.max_guesses) and (not turns or turns[-1].guess != secret):
        guess = breaker.next_guess(turns)
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
