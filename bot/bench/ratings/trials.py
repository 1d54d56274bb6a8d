"""What is tried: the model that is chosen, the one before it, and what else there is."""

from collections.abc import Iterator
from math import sqrt
from typing import Final

from bot.bench.ratings.models import FAMILIES, Estimate, Glicko, Model, Openskill
from bot.services.standings.scales import START, TAU

Trial = tuple[str, Model]

_FULL: Final = FAMILIES["Bradley-Terry, full"]


def chosen() -> Model:
    """The model of our choice."""
    return Openskill(_FULL, START.sigma, TAU)


def former() -> Model:
    """The library's own proportions, as ratings were before."""
    return Openskill(_FULL, 500, 5, unit=250 * sqrt(2), is_whole=False)


class Stretched:
    """The former means, with a constant scale for predictions.

    Args:
        unit: how many points multiply the odds by e.
    """

    def __init__(self, unit: float) -> None:
        self._former = former()
        self._scale = Openskill(_FULL, 1, unit=unit)
        self.start = self._former.start

    def chance(self, first: Estimate, second: Estimate) -> float:
        """What the first is thought to score against the second, however little is known."""
        return self._scale.chance(Estimate(first.mean, 0), Estimate(second.mean, 0))

    def rated(self, first: Estimate, second: Estimate, score: float) -> tuple[Estimate, Estimate]:
        """What is thought of both after a duel."""
        return self._former.rated(first, second, score)


def stretched() -> Iterator[Trial]:
    """Constant scales, of which the best is told."""
    for unit in range(400, 1601, 200):
        yield f"as before, {unit} points a unit", Stretched(unit)


def others() -> Iterator[Trial]:
    """All other models."""
    for name, family in FAMILIES.items():
        for deviation in (40, 55, 80):
            yield f"{name}, ±{2 * deviation}", Openskill(family, deviation, TAU)
            slow = Openskill(family, deviation, TAU, is_whole=False)
            yield f"{name}, ±{2 * deviation}, the library's gamma", slow
    for tau in (0.0, 2.0):
        name = f"Bradley-Terry, full, ±{2 * START.sigma:.0f}, tau {tau:.0f}"
        yield name, Openskill(_FULL, START.sigma, tau)
    for unit in (120, 260):
        name = f"Bradley-Terry, full, ±{2 * START.sigma:.0f}, {unit} points a unit"
        yield name, Openskill(_FULL, START.sigma, TAU, unit=unit)
    for deviation in (40, 55, 80):
        yield f"Glicko, ±{2 * deviation}", Glicko(deviation, TAU)
