"""What a model makes of seasons: how good its predictions are, and what it thinks of players."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import exp
from statistics import fmean
from typing import Final

from bot.bench.ratings.models import MEAN, POINTS, Estimate, Model
from bot.bench.ratings.season import Numbers, Played, log_loss

LOOKS: Final = (20, 100, 400)
"""After how many rated duels each players are looked at."""
_DEVIATIONS: Final = 2
Chance = Callable[[int, int], float]


@dataclass(frozen=True, slots=True)
class Season:
    """A season, and how strong its players are.

    Attributes:
        rounds: its duels.
        truth: of each player, in points.
    """

    rounds: Sequence[Sequence[Played]]
    truth: Sequence[float]


@dataclass(slots=True)
class Look:
    """What a model thinks of players after so many duels of each.

    Attributes:
        right: of each pair, whether they are in the right order.
        spreads: of each player, two standard deviations.
        within: of each player, whether the true strength is within them.
    """

    right: list[bool] = field(default_factory=list)
    spreads: list[float] = field(default_factory=list)
    within: list[bool] = field(default_factory=list)


@dataclass(slots=True)
class Measured:
    """What a model has made of seasons.

    Attributes:
        predictions: of each duel that was held out, what was predicted and what came of it.
        looks: by how many duels each had behind them.
        lowest: the lowest rating that anybody ever had.
        highest: the highest one.
    """

    predictions: list[tuple[float, float]] = field(default_factory=list)
    looks: dict[int, Look] = field(default_factory=lambda: {look: Look() for look in LOOKS})
    lowest: float = MEAN
    highest: float = MEAN

    @property
    def loss(self) -> float:
        """The mean log loss of all predictions."""
        return fmean(log_loss(score, chance) for chance, score in self.predictions)

    @property
    def coverage(self) -> float:
        """How many true strengths are within two standard deviations, over all looks."""
        return fmean(hit for look in self.looks.values() for hit in look.within)

    def deciles(self) -> Iterator[tuple[float, float, int]]:
        """Of each tenth of predictions: their mean, what came of them, and how many they are.

        A prediction of less than a half is told as the other side's.
        """
        told = sorted(
            (chance, score) if chance >= 1 / 2 else (1 - chance, 1 - score)
            for chance, score in self.predictions
        )
        for tenth in range(10):
            part = told[len(told) * tenth // 10 : len(told) * (tenth + 1) // 10]
            yield fmean(chance for chance, _ in part), fmean(score for _, score in part), len(part)


def measured(model: Model, seasons: Sequence[Season]) -> Measured:
    """What a model makes of these seasons."""
    found = Measured()
    for season in seasons:
        _follow(model, season, found)
    return found


def predicted(chance: Chance, rounds: Sequence[Sequence[Played]], found: Measured) -> None:
    """Predict what was held out by what never changes."""
    for duel in (duel for played in rounds for duel in played if not duel.is_told):
        found.predictions.append((chance(duel.first, duel.second), duel.score))


def by_strength(strengths: Numbers) -> Chance:
    """Predictions from strengths in logits."""
    return lambda first, second: float(1 / (1 + exp(strengths[second] - strengths[first])))


def _follow(model: Model, season: Season, found: Measured) -> None:
    thought = [model.start] * len(season.truth)
    told = 0
    for played in season.rounds:
        for duel in played:
            first, second = thought[duel.first], thought[duel.second]
            if not duel.is_told:
                found.predictions.append((model.chance(first, second), duel.score))
                continue
            after = model.rated(first, second, duel.score)
            thought[duel.first], thought[duel.second] = after
        told += played[0].is_told
        means = [each.mean for each in thought]
        found.lowest = min(found.lowest, *means)
        found.highest = max(found.highest, *means)
        if told in found.looks and played[0].is_told:
            _look(thought, season.truth, found.looks[told])


def _look(thought: Sequence[Estimate], truth: Sequence[float], look: Look) -> None:
    for one, two in combinations(range(len(truth)), 2):
        look.right.append((truth[one] < truth[two]) == (thought[one].mean < thought[two].mean))
    for each, true in zip(thought, truth, strict=True):
        spread = _DEVIATIONS * each.deviation
        look.spreads.append(spread)
        look.within.append(abs(each.mean - true) <= spread)


def in_points(strengths: Numbers) -> list[float]:
    """Strengths in logits as points."""
    return [MEAN + POINTS * float(each) for each in strengths]
