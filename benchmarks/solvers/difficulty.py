"""`python -m benchmarks.solvers.difficulty`: how well difficulty foretells what players need.

For each length some drawn secrets are played by two kinds of players, each time with the same
first guesses.
"""

import argparse
import random
import statistics
import sys
from calendar import month_name, monthrange
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from typing import Final

import numpy as np

from benchmarks.common import write_lines
from benchmarks.solvers.measures import chance
from bot.clock import PuzzleName, number_of
from bot.focdle.plays import derive_secret
from engine.choice import Strength
from engine.codes import Code
from engine.feedback import Turn
from engine.focdle import Focdle
from engine.guessers import Guesser
from engine.levels import Level
from engine.solvers import codebreaker
from engine.solvers.focdle.difficulty import ONE, after_openings, difficulty

_MADE_UP: Final = "a key that nobody deals dailies by"
_HEAD: Final = (
    *("length", "difficulty", "reliability", "player", "easiest fifth", "hardest fifth"),
    *("reliability of its games", "rho"),
)

Numbers = Sequence[float]


def quartiles(length: int, count: int) -> list[int]:
    """The bounds of four levels, in hundredths of a guess."""
    rules, rng = Focdle(length), chance(f"levels of length {length}")
    found = sorted(difficulty(rules, rules.draw(rng)).hundredths for _ in range(count))
    return [found[count * quarter // 4 - 1] for quarter in (1, 2, 3)]


def rank_correlation(first: Numbers, second: Numbers) -> float:
    """Spearman's rho."""
    ranks = [np.array([_rank(each, of) for each in of]) for of in (first, second)]
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def _rank(value: float, among: Numbers) -> float:
    below, same = (sum(test(other) for other in among) for test in (value.__gt__, value.__eq__))
    return below + (same - 1) / 2


def reliability(columns: Sequence[Numbers]) -> float:
    """That of the mean of these columns, from both halves of them (Spearman 1910, Brown 1910)."""
    halves = [_means(columns[start::2]) for start in (0, 1)]
    rho = rank_correlation(*halves)
    return 2 * rho / (1 + rho)


def _means(columns: Sequence[Numbers]) -> list[float]:
    return [statistics.fmean(each) for each in zip(*columns, strict=True)]


def played(
    rules: Focdle,
    secrets: Sequence[Code],
    games: int,
    new: Callable[[random.Random], Guesser],
) -> list[list[int]]:
    """The guesses that each secret takes, a list for each of the same drawn first guesses."""
    rng = chance(f"openings {rules}")
    return [
        [_taken(rules, secret, opening, new(chance(f"player {n}"))) for secret in secrets]
        for n, opening in enumerate([rules.draw(rng) for _ in range(games)])
    ]


def _taken(rules: Focdle, secret: Code, opening: Code, player: Guesser) -> int:
    turns = [Turn(opening, rules.feedback(opening, secret))]
    while turns[-1].guess != secret:
        guess = player.next_guess(tuple(turns))
        turns.append(Turn(guess, rules.feedback(guess, secret)))
    return len(turns)


def table(length: int, secrets: int, games: int) -> Iterator[str]:
    """Rows: each player's games of the same secrets, against difficulty."""
    rules, rng = Focdle(length), chance(f"secrets of length {length}")
    drawn = list({rules.draw(rng): None for _ in range(secrets)})
    each = list(zip(*(after_openings(rules, secret) for secret in drawn), strict=True))
    hard = _means(each)

    for strength in (Strength.CASUAL, Strength.SHARP):

        def person(rng: random.Random, strength: Strength = strength) -> Guesser:
            return codebreaker(rules, strength, rng=rng)

        found = played(rules, drawn, games, person)
        means = _means(found)
        yield _row(
            [
                f"{length}",
                f"{statistics.fmean(hard) / ONE:.2f} ± {statistics.stdev(hard) / ONE:.2f}",
                f"{reliability(each):.2f}",
                str(strength),
                *_fifths(hard, means),
                f"{reliability(found):.2f}",
                f"{rank_correlation(hard, means):.2f}",
            ]
        )


def _fifths(hard: Numbers, means: Numbers) -> list[str]:
    """The guesses of the easiest fifth of secrets, and of the hardest."""
    order = sorted(range(len(hard)), key=hard.__getitem__)
    fifth = max(1, len(order) // 5)
    return [
        f"{statistics.fmean(means[n] for n in part):.2f}"
        for part in (order[:fifth], order[-fifth:])
    ]


def year(length: int) -> Iterator[str]:
    """The levels of the dailies of 2027, month by month, under a key that is made up."""
    rules = Focdle(length)
    for month in range(1, 13):
        first = number_of(date(2027, month, 1))
        names = [PuzzleName(first + n, length) for n in range(monthrange(2027, month)[1])]
        secrets = [derive_secret(_MADE_UP, name) for name in names]
        found = Counter(difficulty(rules, secret).level for secret in secrets)
        yield _row([month_name[month], *(str(found[level]) for level in Level)])


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _lines(options: argparse.Namespace) -> Iterator[str]:
    if options.quartiles:
        for length in options.lengths:
            yield f"{length}: {quartiles(length, options.secrets)}"
    elif options.year:
        yield _row(["month", *Level])
        yield "|---" * (len(Level) + 1) + "|"
        yield from year(options.lengths[0])
    else:
        yield _row(_HEAD)
        yield "|---" * len(_HEAD) + "|"
        for length in options.lengths:
            yield from table(length, options.secrets, options.games)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog=f"python -m {__name__}", description=__doc__)
    parser.add_argument("--lengths", type=int, nargs="+", default=[8, 10])
    parser.add_argument("--secrets", type=int, default=80, help="of each length")
    parser.add_argument("--games", type=int, default=12, help="of each player with each secret")
    parser.add_argument("--quartiles", action="store_true", help="print the bounds of the levels")
    parser.add_argument("--year", action="store_true", help="print a year of dailies by level")
    write_lines(_lines(parser.parse_args(arguments)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
