"""The scale of ratings: Weng and Lin's Bayesian update of the Bradley-Terry model."""

from dataclasses import dataclass, replace
from math import log, sqrt
from typing import Final

from openskill.models import BradleyTerryFull

from bot.ratings.model.ratings import Rating

_POINTS: Final = 400 / log(10)
"""How many points multiply the odds by e: as in chess, 400 of them by ten."""


def _whole(*_: object) -> float:
    """Lets a deviation shrink by all that a duel tells; the library's own way is slower."""
    return 1.0


@dataclass(frozen=True, slots=True)
class Scale:
    """How ratings are counted.

    Attributes:
        start: what is thought of who has never played a rated duel.
        model: how a duel changes that.
    """

    start: Rating
    model: BradleyTerryFull

    def rated(
        self,
        ratings_before: tuple[Rating, Rating],
        winner: int | None,
        shares: tuple[int, int] = (1, 1),
    ) -> tuple[Rating, Rating]:
        """Both ratings after a duel.

        Args:
            ratings_before: the players' ratings before it.
            winner: 0 or 1; None for a draw.
            shares: for each of them n, where only 1/n of the change counts.
        """
        teams = [[self.model.rating(rating.mu, rating.sigma)] for rating in ratings_before]
        ranks = [0.0, 0.0] if winner is None else [float(seat != winner) for seat in (0, 1)]
        (first,), (second,) = self.model.rate(teams, ranks=ranks)
        before, other = ratings_before
        return (
            _moved(before, first.mu, first.sigma, shares[0]),
            _moved(other, second.mu, second.sigma, shares[1]),
        )


def _moved(before: Rating, mu: float, sigma: float, share: int) -> Rating:
    return replace(
        before,
        mu=before.mu + (mu - before.mu) / share,
        sigma=before.sigma + (sigma - before.sigma) / share,
        games=before.games + 1,
    )


START: Final = Rating(1500.0, 55.0)
"""What is thought of who has never played a rated duel."""
TAU: Final = 0.5
"""By how much everybody's deviation grows before each duel, so that who learns can move."""

PRESENT: Final = Scale(
    START,
    BradleyTerryFull(mu=START.mu, sigma=START.sigma, beta=_POINTS / sqrt(2), tau=TAU, gamma=_whole),
)
"""As ratings are counted."""
