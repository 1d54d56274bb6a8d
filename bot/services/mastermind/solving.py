"""All that takes a solver. Slow: these functions are for worker threads."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bot.services.mastermind.game import Contradiction, Step
from engine import Code, InconsistentFeedback, Mastermind, Score, Turn
from engine.solvers import Goal, codebreaker
from engine.solvers.codebreaker import space_of


@dataclass(frozen=True, slots=True)
class Thought:
    """What the bot makes of some turns.

    Attributes:
        remaining: how many codes explain them all.
        contradiction: why there is none, if so.
        guess: what to guess next; None if there is nothing more to guess, or no code.
    """

    remaining: int
    contradiction: Contradiction | None = None
    guess: Code | None = None


def is_at_end(rules: Mastermind, turns: Sequence[Turn[Score]]) -> bool:
    """Whether these turns take no further guess."""
    return len(turns) >= rules.max_guesses or any(rules.solved(turn.feedback) for turn in turns)


def count(rules: Mastermind, turns: Sequence[Turn[Score]]) -> Thought:
    """How many codes explain these turns, without a guess."""
    try:
        return Thought(codebreaker(rules).remaining(turns))
    except InconsistentFeedback as error:
        return Thought(0, Contradiction(error.turns, error.repairs))


def think(rules: Mastermind, turns: Sequence[Turn[Score]]) -> Thought:
    """How many codes explain these turns, and the guess to make then."""
    thought = count(rules, turns)
    if thought.contradiction is not None or is_at_end(rules, turns):
        return thought
    return Thought(thought.remaining, guess=next_guess(rules, turns))


def next_guess(rules: Mastermind, turns: Sequence[Turn[Score]]) -> Code:
    """The bot's guess after turns that some code explains; always the same."""
    return codebreaker(rules, goal=Goal.WORST).next_guess(turns)


def play_on(
    rules: Mastermind, secret: Code, turns: Sequence[Turn[Score]], most: int
) -> list[Turn[Score]]:
    """The bot's next turns against a code, at most so many."""
    played = list(turns)
    while len(played) < len(turns) + most and not is_at_end(rules, played):
        guess = next_guess(rules, played)
        played.append(Turn(guess, rules.feedback(guess, secret)))
    return played[len(turns) :]


def explain(rules: Mastermind, turns: Sequence[Turn[Score]]) -> tuple[Step, ...]:
    """Why each of the bot's turns was made, and what it left."""
    space = space_of(rules)
    columns = space.everything()
    steps: list[Step] = []
    for reply, turn in zip(space.history(turns), turns, strict=True):
        numbers = space.numbers(reply.guess, columns)
        total = len(numbers)
        sizes = [int((numbers == number).sum()) for number in range(space.bins)]
        parts = [size for size in sizes if size]
        steps.append(
            Step(
                turn=turn,
                before=total,
                after=sizes[reply.number],
                bits=math.log2(total) - sum(n * math.log2(n) for n in parts) / total,
                parts=len(parts),
                largest=max(parts),
            )
        )
        columns = columns[:, numbers == reply.number]
    return tuple(steps)
