"""`python -m bot.bench.ratings`: plays seasons, and prints what models of ratings make of them."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from random import Random
from statistics import fmean

import numpy as np

from bot.bench.ratings.measures import (
    Chance,
    Measured,
    Season,
    by_strength,
    in_points,
    measured,
    predicted,
)
from bot.bench.ratings.models import MEAN
from bot.bench.ratings.pair import MOST_WEEKS, Years, at_least_a_third, each, years
from bot.bench.ratings.people import Table, people
from bot.bench.ratings.season import (
    duels,
    expected_scores,
    fitted_afterwards,
    fitted_to_truth,
)
from bot.bench.ratings.trials import chosen, others
from bot.model.ratings import MOST_DEVIATION

Bank = Sequence[Sequence[int]]

_LOSS_GOAL = 0.005
_COVERAGE_GOAL = (0.92, 0.98)
_BOUNDS_GOAL = (1000.0, 2000.0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report.

    Returns:
        0 if the model that is chosen keeps all goals.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {__package__}")
    parser.add_argument("--games", type=int, default=2000, help="of each player alone")
    parser.add_argument("--seasons", type=int, default=12, help="each of 400 duels a player")
    parser.add_argument("--pairs", type=int, default=100, help="who play nobody else")
    options = parser.parse_args(arguments)
    table = Table(Random(1))
    bank = [table.lengths(person, options.games) for person in people()]
    is_kept = True
    for line, is_fine in report(bank, options.seasons, options.pairs):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
        is_kept &= is_fine
    return int(not is_kept)


def report(bank: Bank, count: int, pairs: int) -> Iterator[tuple[str, bool]]:
    """The report, line by line, each with whether it keeps its goal."""
    expected = expected_scores(bank)
    truth = fitted_to_truth(expected)
    points = in_points(truth)
    seasons = [Season(list(duels(bank, Random(seed))), points) for seed in range(count)]
    yield (
        f"{len(bank)} players, truly {min(points):.0f} to {max(points):.0f}; the perfect one",
        True,
    )
    yield f"scores {expected[-1, 0]:.1%} against the casual one.", True
    yield "", True
    known = _references(seasons, by_strength(truth))
    best = known["fitted afterwards"].loss
    ours = measured(chosen(), seasons)
    yield from ((line, True) for line in _models(known, best, ours, seasons))
    yield "", True
    yield from goals(ours, best)
    yield "", True
    yield from ((line, True) for line in _calibration(ours))
    yield "", True
    yield from _pairs(bank, pairs)


def _references(seasons: Sequence[Season], truth: Chance) -> dict[str, Measured]:
    """What needs no ratings: to know nothing, all duels, or how strong players are."""
    found = {name: Measured() for name in ("always 1/2", "fitted afterwards", "the truth")}
    nothing, fitted, known = found.values()
    for season in seasons:
        predicted(by_strength(np.zeros(len(season.truth))), season.rounds, nothing)
        strengths = fitted_afterwards(season.rounds, len(season.truth))
        predicted(by_strength(strengths), season.rounds, fitted)
        predicted(truth, season.rounds, known)
    return found


def _models(
    known: dict[str, Measured], best: float, ours: Measured, seasons: Sequence[Season]
) -> Iterator[str]:
    yield "| model | log loss | more than fitted | right order 20, 100, 400 | ± | within ± |"
    yield "|---|---|---|---|---|---|"
    for name, found in known.items():
        yield f"| {name} | {found.loss:.4f} | {found.loss - best:+.4f} | | | |"
    trials = ((name, measured(model, seasons)) for name, model in others())
    for name, found in (("**chosen**", ours), *sorted(trials, key=lambda trial: trial[1].loss)):
        yield f"| {name} | {found.loss:.4f} | {found.loss - best:+.4f} | {_looks(found)} |"


def _looks(found: Measured) -> str:
    looks = found.looks.values()
    return " | ".join(
        (
            ", ".join(f"{fmean(look.right):.0%}" for look in looks),
            ", ".join(f"{fmean(look.spreads):.0f}" for look in looks),
            ", ".join(f"{fmean(look.within):.0%}" for look in looks),
        )
    )


def goals(ours: Measured, best: float) -> Iterator[tuple[str, bool]]:
    """Whether the model that is chosen keeps what is asked of it."""
    more, (least, most) = ours.loss - best, _COVERAGE_GOAL
    lowest, highest = _BOUNDS_GOAL
    asked = (
        (f"log loss {more:+.4f}, goal {_LOSS_GOAL}", more <= _LOSS_GOAL),
        (
            f"coverage {ours.coverage:.1%}, goal {least:.0%} to {most:.0%}",
            least <= ours.coverage <= most,
        ),
        (
            f"ratings {ours.lowest:.0f} to {ours.highest:.0f}, goal {lowest:.0f} to {highest:.0f}",
            lowest <= ours.lowest <= MEAN <= ours.highest <= highest,
        ),
    )
    for words, is_kept in asked:
        yield f"{'kept' if is_kept else 'MISSED'}: {words}", is_kept


def _calibration(ours: Measured) -> Iterator[str]:
    yield "| predicted | scored | duels |"
    yield "|---|---|---|"
    for chance, score, count in ours.deciles():
        yield f"| {chance:.1%} | {score:.1%} | {count} |"


def _pairs(bank: Bank, pairs: int) -> Iterator[tuple[str, bool]]:
    yield "| a pair alone | share, mean | weeks new, median | longest | ± after a year |", True
    yield "|---|---|---|---|---|", True
    yield _pair("1/n", years(chosen(), each, bank, MOST_DEVIATION, pairs)), True
    found = years(chosen(), at_least_a_third, bank, MOST_DEVIATION, pairs)
    is_kept = found.longest is not None and found.longest <= MOST_WEEKS
    yield _pair("1/n, at least 1/3", found), is_kept


def _pair(name: str, found: Years) -> str:
    longest = "always" if found.longest is None else f"{found.longest:.1f}"
    cells = (name, f"1/{found.shares:.2f}", f"{found.usual:.1f}", longest, f"{found.spread:.0f}")
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main())
