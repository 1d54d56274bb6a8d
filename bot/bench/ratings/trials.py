"""What is tried: the model that is chosen, and what else there is."""

from collections.abc import Iterator
from typing import Final

from bot.bench.ratings.models import FAMILIES, Glicko, Model, Openskill
from bot.services.standings.scales import START, TAU

Trial = tuple[str, Model]

_FULL: Final = FAMILIES["Bradley-Terry, full"]


def chosen() -> Model:
    """The model of our choice."""
    return Openskill(_FULL, START.sigma, TAU)


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
