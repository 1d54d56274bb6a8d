"""The scale of ratings, and the accounts that are old enough for them."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from math import log, sqrt
from typing import Final

from openskill.models import BradleyTerryFull

from bot.ratings.model import Rating

_POINTS: Final = 400 / log(10)
"""How many points multiply the odds by e. As in chess, 400 points multiply them by ten."""


def _whole(*_: object) -> float:
    """Return the library's factor `gamma`, which scales how much a duel shrinks a deviation."""
    return 1.0


START: Final = Rating(1500.0, 55.0)
"""The rating before the first rated duel."""
TAU: Final = 0.5
"""How much a deviation grows before each duel, so that the rating of a learner can move."""
_MODEL: Final = BradleyTerryFull(
    mu=START.mu, sigma=START.sigma, beta=_POINTS / sqrt(2), tau=TAU, gamma=_whole
)


def rated(ratings_before: tuple[Rating, Rating], winner: int | None) -> tuple[Rating, Rating]:
    """Compute both ratings after a duel; `winner` is 0 or 1, or None for a draw."""
    teams = [[_MODEL.rating(rating.mu, rating.sigma)] for rating in ratings_before]
    ranks = [0.0, 0.0] if winner is None else [float(seat != winner) for seat in (0, 1)]
    (first,), (second,) = _MODEL.rate(teams, ranks=ranks)
    before, other = ratings_before
    return (
        replace(before, mu=first.mu, sigma=first.sigma, games=before.games + 1),
        replace(other, mu=second.mu, sigma=second.sigma, games=other.games + 1),
    )


OF_AGE: Final = timedelta(days=30)
"""The least age of a Discord account whose duels can be rated."""

_DISCORD_EPOCH: Final = datetime(2015, 1, 1, tzinfo=UTC)
_BITS_BELOW_TIME: Final = 22


def of_age_at(player_id: int) -> datetime:
    """Compute when a Discord account, by its id, is old enough for rated duels.

    >>> of_age_at(175928847299117063).isoformat()
    '2016-05-30T11:18:25.796000+00:00'
    """
    age = timedelta(milliseconds=player_id >> _BITS_BELOW_TIME)
    return _DISCORD_EPOCH + age + OF_AGE
