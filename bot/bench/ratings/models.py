"""Models of ratings that are tried, all of which count in the same points."""

from collections.abc import Callable
from dataclasses import dataclass
from math import erf, exp, pi, sqrt
from typing import Any, Final, Protocol

from openskill.models import (
    BradleyTerryFull,
    BradleyTerryPart,
    PlackettLuce,
    ThurstoneMostellerFull,
    ThurstoneMostellerPart,
)

from bot.services.standings.scales import POINTS, whole

MEAN: Final = 1500.0
BELL_POINTS: Final = POINTS * 4 / sqrt(2 * pi)
"""As many, to who reckons with the normal distribution."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a model thinks of a player: a mean, and its standard deviation."""

    mean: float
    deviation: float


Both = tuple[Estimate, Estimate]


class Model(Protocol):
    """What is asked of a model."""

    @property
    def start(self) -> Estimate:
        """What is thought of who has never played."""
        ...

    def chance(self, first: Estimate, second: Estimate) -> float:
        """What the first is thought to score against the second."""
        ...

    def rated(self, first: Estimate, second: Estimate, score: float) -> Both:
        """What is thought of both after a duel."""
        ...


def _logistic(gap: float) -> float:
    return 1 / (1 + exp(-gap))


def _normal(gap: float) -> float:
    return min(max((1 + erf(gap / sqrt(2))) / 2, 1e-9), 1 - 1e-9)


@dataclass(frozen=True, slots=True)
class Family:
    """A model of the library.

    Attributes:
        make: makes it.
        points: how many points are its unit.
        chance: what a difference in such units is worth.
    """

    make: Callable[..., Any]
    points: float = POINTS
    chance: Callable[[float], float] = _logistic


FAMILIES: Final = {
    "Bradley-Terry, full": Family(BradleyTerryFull),
    "Bradley-Terry, part": Family(BradleyTerryPart),
    "Plackett-Luce": Family(PlackettLuce),
    "Thurstone-Mosteller, full": Family(ThurstoneMostellerFull, BELL_POINTS, _normal),
    "Thurstone-Mosteller, part": Family(ThurstoneMostellerPart, BELL_POINTS, _normal),
}
"""All that openskill has."""


class Openskill:
    """A model of openskill's.

    Args:
        family: which.
        deviation: of who has never played.
        tau: by how much everybody's deviation grows before each duel.
        unit: how many points are the model's unit; None for as many as in chess.
        is_whole: whether a deviation shrinks by all that a duel tells.
    """

    def __init__(
        self,
        family: Family,
        deviation: float,
        tau: float = 0.0,
        *,
        unit: float | None = None,
        is_whole: bool = True,
    ) -> None:
        self._beta = (family.points if unit is None else unit) / sqrt(2)
        options: dict[str, Any] = {"gamma": whole} if is_whole else {}
        self._model = family.make(mu=MEAN, sigma=deviation, beta=self._beta, tau=tau, **options)
        self._chance = family.chance
        self.start = Estimate(MEAN, deviation)

    def chance(self, first: Estimate, second: Estimate) -> float:
        """What the first is thought to score against the second."""
        spread = first.deviation**2 + second.deviation**2 + 2 * self._beta**2
        return self._chance((first.mean - second.mean) / sqrt(spread))

    def rated(self, first: Estimate, second: Estimate, score: float) -> Both:
        """What is thought of both after a duel."""
        teams = [[self._model.rating(each.mean, each.deviation)] for each in (first, second)]
        (one,), (two,) = self._model.rate(teams, ranks=[1 - score, score])
        return Estimate(one.mu, one.sigma), Estimate(two.mu, two.sigma)


class Glicko:
    """Glickman's model, a duel a period: Glicko-2 with a volatility that stays as it is.

    Args:
        deviation: of who has never played.
        volatility: by how much everybody's deviation grows before each duel.
    """

    def __init__(self, deviation: float, volatility: float = 0.0) -> None:
        self.start = Estimate(MEAN, deviation)
        self._volatility = volatility

    def chance(self, first: Estimate, second: Estimate) -> float:
        """What the first is thought to score against the second."""
        both = sqrt(first.deviation**2 + second.deviation**2)
        return _logistic(_weight(both) * (first.mean - second.mean) / POINTS)

    def rated(self, first: Estimate, second: Estimate, score: float) -> Both:
        """What is thought of both after a duel."""
        return self._rated(first, second, score), self._rated(second, first, 1 - score)

    def _rated(self, own: Estimate, other: Estimate, score: float) -> Estimate:
        weight = _weight(other.deviation) / POINTS
        chance = _logistic(weight * (own.mean - other.mean))
        before = own.deviation**2 + self._volatility**2
        variance = 1 / (1 / before + weight**2 * chance * (1 - chance))
        return Estimate(own.mean + variance * weight * (score - chance), sqrt(variance))


def _weight(deviation: float) -> float:
    """How much a result against somebody so little known is worth."""
    return 1 / sqrt(1 + 3 * (deviation / POINTS / pi) ** 2)
