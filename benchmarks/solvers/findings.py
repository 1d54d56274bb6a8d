"""Findings of a measurement, the promises about them, and whether these are kept."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from statistics import stdev
from typing import Final, TypedDict


class Figure(StrEnum):
    """What can be measured."""

    MEAN = "mean"
    """Guesses a game, on average; over every secret, or with the error below."""
    ERROR = "s.e."
    """The standard error of a mean over drawn games."""
    TOTAL = "total"
    """The guesses that all secrets take together."""
    MOST = "max"
    """The guesses of the longest game."""
    LOST = "lost %"
    """The share of games, in percent, that take more guesses than a player has."""
    COUNT = "n"
    """How many games, or other events, were measured."""
    MEDIAN = "median ms"
    """Of the milliseconds that answers took; the first two and looked-up openings left out."""
    P99 = "p99 ms"
    WORST = "worst ms"
    MEMORY = "MB"
    """The most memory that the process had at any time."""
    FIRST = "first s"
    """Seconds from a fresh process until the first answer."""
    SECOND = "second s"
    """The same until the second answer."""
    SECONDS = "seconds"
    """What all the games took together."""
    NUMPY = "numpy"
    """How often numpy was loaded where it should not be."""


class Rule(Enum):
    """How a figure and the limit of a bound go together."""

    AT_MOST = "<="
    """Not more; a mean over drawn games may be two standard errors above."""
    EXACTLY = "="
    ABOUT = "~"
    """No further away than three standard errors of figure and limit together."""


_SLACK: Final = 2
_NEAR: Final = 3
_PERCENT: Final = 100


@dataclass(frozen=True, slots=True)
class Bound:
    """A promise about one figure.

    Attributes:
        figure: what it is about.
        limit: what the figure is held against.
        rule: how.
        error: the standard error of the limit, if that is a measurement itself.
    """

    figure: Figure
    limit: float
    rule: Rule = Rule.AT_MOST
    error: float = 0.0

    def is_kept(self, figures: Mapping[Figure, float]) -> bool:
        """Whether the figures keep the promise; a missing figure breaks it."""
        if self.figure not in figures:
            return False
        value = figures[self.figure]
        error = figures.get(Figure.ERROR, 0.0) if self.figure is Figure.MEAN else 0.0
        if self.rule is Rule.EXACTLY:
            return value == self.limit
        if self.rule is Rule.ABOUT:
            return abs(value - self.limit) <= _NEAR * math.hypot(error, self.error)
        return value - _SLACK * error <= self.limit


class Document(TypedDict):
    """Findings as JSON has them."""

    distribution: dict[str, int]
    figures: dict[str, float]


@dataclass(frozen=True, slots=True)
class Findings:
    """What a measurement found.

    Attributes:
        figures: the numbers.
        distribution: how many games took how many guesses; empty if guesses were not counted.
    """

    figures: Mapping[Figure, float]
    distribution: Mapping[int, int] = field(default_factory=dict[int, int])

    def to_document(self) -> Document:
        """The findings as JSON has them."""
        return {
            "distribution": {str(guesses): n for guesses, n in sorted(self.distribution.items())},
            "figures": {str(figure): value for figure, value in self.figures.items()},
        }

    @classmethod
    def from_document(cls, document: Document) -> "Findings":
        """What `to_document` wrote."""
        return cls(
            {Figure(figure): value for figure, value in document["figures"].items()},
            {int(guesses): n for guesses, n in document["distribution"].items()},
        )


def count_guesses(
    tally: Counter[int], costs: Mapping[Figure, float], *, exhaustive: bool
) -> Findings:
    """Findings about games.

    Args:
        tally: how many games took how many guesses.
        costs: what is known besides.
        exhaustive: whether these were the games for all secrets, each once.
    """
    total = sum(guesses * n for guesses, n in tally.items())
    figures = {
        Figure.MEAN: total / tally.total(),
        Figure.MOST: max(tally),
        Figure.COUNT: tally.total(),
        **costs,
    }
    if exhaustive:
        figures[Figure.TOTAL] = total
    elif tally.total() > 1:
        figures[Figure.ERROR] = stdev(tally.elements()) / math.sqrt(tally.total())
    return Findings(figures, dict(sorted(tally.items())))


def lost_share(tally: Counter[int], most: int) -> float:
    """How many games in a hundred take more than so many guesses.

    Args:
        tally: how many games took how many guesses.
        most: how many guesses a player has.
    """
    return _PERCENT * sum(n for guesses, n in tally.items() if guesses > most) / tally.total()


def ratio(mine: Findings, theirs: Findings) -> Findings:
    """How many guesses one takes for each of the other's, the error as of independent games."""
    means = [findings.figures[Figure.MEAN] for findings in (mine, theirs)]
    errors = [findings.figures.get(Figure.ERROR, 0.0) for findings in (mine, theirs)]
    quotient = means[0] / means[1]
    error = quotient * math.hypot(errors[0] / means[0], errors[1] / means[1])
    return Findings({Figure.MEAN: quotient, Figure.ERROR: error})
