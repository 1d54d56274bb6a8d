"""`python -m benchmarks.solvers.people`: scores of typical players, as a table.

Each player plays the same drawn secrets, and the coach's analysis rates each game.
"""

import argparse
import random
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from benchmarks.common import write_lines
from benchmarks.solvers.measures import chance
from engine.choice import Strength
from engine.code_games import BullsAndCows, Mastermind
from engine.codes import Code
from engine.feedback import Mark, Turn
from engine.focdle import Focdle
from engine.rules import Rules
from engine.skill import Grade, skill_of
from engine.solvers.analysis import analyse
from engine.solvers.codebreaker import codebreaker, space_of
from engine.solvers.space import Columns

Player = Callable[[Sequence[Turn[Any]]], Code]
NewPlayer = Callable[[Rules[Any], random.Random], Player]

GAMES: Final = 200
SETTINGS: Final[dict[str, Rules[Any]]] = {
    "FoCdle 10": Focdle(),
    "Mastermind 4×6": Mastermind(),
    "Bulls and Cows 4": BullsAndCows(4),
}


def breaker(strength: Strength) -> NewPlayer:
    def new(rules: Rules[Any], rng: random.Random) -> Player:
        return codebreaker(rules, strength, rng=rng).next_guess

    return new


def forgetful(rules: Rules[Any], rng: random.Random) -> Player:
    """Draw guesses that fit the last answer, whatever the earlier ones were."""
    space = space_of(rules)

    def guess(turns: Sequence[Turn[Any]]) -> Code:
        return _drawn(rules, space.after(space.history(turns[-1:])), turns, rng)

    return guess


def beginner(rules: Rules[Any], rng: random.Random) -> Player:
    """Keep green symbols of FoCdle, and draw the rest from all equations."""
    space = space_of(rules)

    def guess(turns: Sequence[Turn[Any]]) -> Code:
        columns = space.everything()
        is_fitting = np.ones(columns.shape[1], bool)
        for turn in turns:
            for place, (symbol, mark) in enumerate(
                zip(space.read(turn.guess), turn.feedback, strict=True)
            ):
                if mark is Mark.CORRECT:
                    is_fitting &= columns[place] == symbol
        return _drawn(rules, columns[:, is_fitting], turns, rng)

    return guess


PEOPLE: Final[dict[str, NewPlayer]] = {
    "the solver": breaker(Strength.PERFECT),
    "any code that explains all answers": breaker(Strength.SHARP),
    "any that explains the last three": breaker(Strength.CASUAL),
    "any that explains the last": forgetful,
    "any equation with all that is green": beginner,
}


@dataclass(slots=True)
class Scores:
    """Results of games: skills, guesses of the solved ones, and grades."""

    skills: list[int] = field(default_factory=list)
    guesses: list[int] = field(default_factory=list)
    grades: Counter[Grade] = field(default_factory=Counter)


def scores(rules: Rules[Any], new_player: NewPlayer, games: int) -> Scores:
    """Score a player in `games` games, with the same secrets for everybody."""
    secrets, rng = chance(f"secrets {rules}"), chance(f"player {rules}")
    found = Scores()
    for _ in range(games):
        secret = rules.draw(secrets)
        guesses = list(_guesses(rules, new_player(rules, rng), secret))
        looked_at = analyse(rules, secret, guesses)
        found.skills.append(skill_of(each.loss for each in looked_at))
        found.grades.update(each.grade for each in looked_at)
        if guesses[-1] == secret:
            found.guesses.append(len(guesses))
    return found


def table(games: int) -> Iterator[str]:
    marks = [grade for grade in Grade if grade]
    yield f"| game | guesses | solved | skill | quartiles | {' | '.join(marks)} |"
    yield "|---" * (5 + len(marks)) + "|"
    for game, rules in SETTINGS.items():
        for name, new_player in PEOPLE.items():
            if new_player is beginner and not isinstance(rules, Focdle):
                continue
            found = scores(rules, new_player, games)
            yield f"| {game}: {name} | {_row(found, games, marks)} |"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog=f"python -m {__name__}", description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES, help="of each player at each game")
    write_lines(table(parser.parse_args(arguments).games))
    return 0


def _drawn(
    rules: Rules[Any], columns: Columns, turns: Sequence[Turn[Any]], rng: random.Random
) -> Code:
    """Draw a code that was not guessed before."""
    guessed = {turn.guess for turn in turns}
    space = space_of(rules)
    while True:
        code = space.write(columns[:, rng.randrange(columns.shape[1])])
        if code not in guessed:
            return code


def _guesses(rules: Any, player: Player, secret: Code) -> Iterator[Code]:
    """Play a game until it is solved or the guesses are used up."""
    turns: list[Turn[Any]] = []
    while len(turns) < rules.max_guesses and not (turns and turns[-1].guess == secret):
        guess = player(tuple(turns))
        turns.append(Turn(guess, rules.feedback(guess, secret)))
        yield guess


def _row(found: Scores, games: int, marks: Sequence[Grade]) -> str:
    mean, error = statistics.fmean(found.skills), 0.0
    if games > 1:
        error = statistics.stdev(found.skills) / games**0.5
    low, _, high = statistics.quantiles(found.skills, n=4) if games > 1 else (mean, mean, mean)
    made = found.grades.total()
    parts = [
        f"{statistics.fmean(found.guesses):.2f}" if found.guesses else "-",
        f"{len(found.guesses) / games:.0%}",
        f"{mean:.1f} ± {error:.1f}",
        f"{low:.0f}-{high:.0f}",
        *(f"{found.grades[mark] / made:.0%}" for mark in marks),
    ]
    return " | ".join(parts)


if __name__ == "__main__":
    sys.exit(main())
