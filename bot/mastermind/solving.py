"""Mastermind's slow work, done by a solver in the pool's processes."""

from collections.abc import Sequence

from bot.games.model import Contradiction
from bot.mastermind.model import Narrowing, Thought
from engine import Code, InconsistentFeedback, Mastermind, Relabelling, Score, Turn
from engine.solvers import Goal, codebreaker


def is_at_end(rules: Mastermind, turns: Sequence[Turn[Score]]) -> bool:
    return len(turns) >= rules.max_guesses or any(rules.solved(turn.feedback) for turn in turns)


def count(rules: Mastermind, turns: Sequence[Turn[Score]]) -> Thought:
    """Count the candidates after these turns; a contradiction leaves none."""
    try:
        return Thought(codebreaker(rules).remaining(turns))
    except InconsistentFeedback as error:
        return Thought(0, Contradiction(error.turns, error.repairs))


def think(rules: Mastermind, turns: Sequence[Turn[Score]], labels: Relabelling) -> Thought:
    """Count the candidates after these turns and, if the game goes on, choose the next guess."""
    thought = count(rules, turns)
    if thought.contradiction is not None or is_at_end(rules, turns):
        return thought
    return Thought(thought.remaining, guess=next_guess(rules, turns, labels))


def next_guess(rules: Mastermind, turns: Sequence[Turn[Score]], labels: Relabelling) -> Code:
    """Choose the bot's guess after turns without a contradiction; always the same in one game."""
    seen = [labels.turn_to_solver(rules, turn) for turn in turns]
    return labels.to_game(rules, codebreaker(rules, goal=Goal.WORST).next_guess(seen))


def play_on(
    rules: Mastermind, secret: Code, turns: Sequence[Turn[Score]], labels: Relabelling, most: int
) -> list[Turn[Score]]:
    played = list(turns)
    while len(played) < len(turns) + most and not is_at_end(rules, played):
        guess = next_guess(rules, played, labels)
        played.append(Turn(guess, rules.feedback(guess, secret)))
    return played[len(turns) :]


def explain(rules: Mastermind, turns: Sequence[Turn[Score]]) -> tuple[Narrowing, ...]:
    breaker, left = codebreaker(rules), rules.size
    steps: list[Narrowing] = []
    for index, turn in enumerate(turns, 1):
        before, left = left, breaker.remaining(turns[:index])
        steps.append(Narrowing(turn, before, left))
    return tuple(steps)
