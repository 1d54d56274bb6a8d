"""`python -m benchmarks.solvers.explanations`: how many clues explanations take, and how long.

Positions are those of a player who guesses any code that explains all answers.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any, Final

from benchmarks.common import write_lines
from benchmarks.solvers.measures import chance
from engine.choice import Strength
from engine.code_games import BullsAndCows, Mastermind
from engine.feedback import Turn
from engine.focdle import Focdle
from engine.rules import Rules
from engine.solvers import codebreaker, explain

POSITIONS: Final = 100
SETTINGS: Final[dict[str, tuple[Rules[Any], int]]] = {
    "FoCdle 8": (Focdle(8), 2),
    "FoCdle 10": (Focdle(), 2),
    "FoCdle 10, a guess later": (Focdle(), 3),
    "Mastermind 4×6": (Mastermind(), 3),
    "Bulls and Cows 4": (BullsAndCows(4), 4),
}
_SIZES: Final = 4


def table(positions: int) -> Iterator[str]:
    sizes = " | ".join([*map(str, range(_SIZES)), f"{_SIZES} or more"])
    yield f"| game | guesses | decided | {sizes} | most | median | worst |"
    yield "|---" * (_SIZES + 7) + "|"
    for name, (rules, guesses) in SETTINGS.items():
        yield f"| {name} | {guesses} | {row(rules, guesses, positions)} |"


def row(rules: Rules[Any], guesses: int, positions: int) -> str:
    rng = chance(f"explanations {rules}")
    player = codebreaker(rules, Strength.SHARP, rng=rng)
    sizes, seconds = list[int](), list[float]()
    while len(seconds) < positions:
        secret, turns = rules.draw(rng), list[Turn[Any]]()
        while len(turns) < guesses and not (turns and turns[-1].guess == secret):
            guess = player.next_guess(turns)
            turns.append(Turn(guess, rules.feedback(guess, secret)))
        if turns[-1].guess == secret:
            continue
        began = time.process_time()
        sizes += [len(found.clues) for found in explain(rules, turns)]
        seconds.append(time.process_time() - began)
    shares = [sizes.count(size) / len(sizes) for size in range(_SIZES)]
    parts = [f"{share:.0%}" for share in [*shares, 1 - sum(shares)]]
    times = [f"{1000 * each:.0f} ms" for each in (statistics.median(seconds), max(seconds))]
    return " | ".join([f"{len(sizes) / positions:.0f}", *parts, str(max(sizes)), *times])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog=f"python -m {__name__}", description=__doc__)
    parser.add_argument("--positions", type=int, default=POSITIONS, help="of each game")
    write_lines(table(parser.parse_args(arguments).positions))
    return 0


if __name__ == "__main__":
    sys.exit(main())
