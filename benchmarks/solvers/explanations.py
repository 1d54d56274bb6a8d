"""`python -m benchmarks.solvers.explanations`: how many clues explanations take, and how long.

*Reason* is the share of what needs two clues or more, and true equations, that has a reason in a
few cases.

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
from engine.deductions import is_plain
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
    yield f"| game | guesses | decided | {sizes} | most | reason | median | worst |"
    yield "|---" * (_SIZES + 8) + "|"
    for name, (rules, guesses) in SETTINGS.items():
        yield f"| {name} | {guesses} | {row(rules, guesses, positions)} |"


def row(rules: Rules[Any], guesses: int, positions: int) -> str:
    rng = chance(f"explanations {rules}")
    player = codebreaker(rules, Strength.SHARP, rng=rng)
    sizes, reasons, seconds = list[int](), list[bool](), list[float]()
    while len(seconds) < positions:
        secret, turns = rules.draw(rng), list[Turn[Any]]()
        while len(turns) < guesses and not (turns and turns[-1].guess == secret):
            guess = player.next_guess(turns)
            turns.append(Turn(guess, rules.feedback(guess, secret)))
        if turns[-1].guess == secret:
            continue
        began = time.process_time()
        found = explain(rules, turns)
        seconds.append(time.process_time() - began)
        sizes += [len(each.clues) for each in found]
        reasons += [
            bool(each.cases)
            for each in found
            if len(each.clues) > 1 and not is_plain(each.claim, each.clues)
        ]
    shares = [sizes.count(size) / len(sizes) for size in range(_SIZES)]
    parts = [f"{share:.0%}" for share in [*shares, 1 - sum(shares)]]
    times = [f"{1000 * each:.0f} ms" for each in (statistics.median(seconds), max(seconds))]
    reasoned = f"{sum(reasons) / len(reasons):.0%}" if isinstance(rules, Focdle) else ""
    return " | ".join([f"{len(sizes) / positions:.0f}", *parts, str(max(sizes)), reasoned, *times])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog=f"python -m {__name__}", description=__doc__)
    parser.add_argument("--positions", type=int, default=POSITIONS, help="of each game")
    write_lines(table(parser.parse_args(arguments).positions))
    return 0


if __name__ == "__main__":
    sys.exit(main())
