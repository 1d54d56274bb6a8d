"""Nouns of ratings: rating, change, stake, head-to-head."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

FEWEST_DATES: Final = 5
"""On how many dates a player needs rated duels for a rank."""
FEWEST_OPPONENTS: Final = 3
"""How many opponents in rated duels a player needs for a rank; deleted players are none."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The estimate of a player's strength: a mean, `mu`, and its deviation, `sigma`.

    Attributes:
        dates: the number of UTC dates with a rated duel.
        opponents: the number of opponents; the store counts to `FEWEST_OPPONENTS` only.
    """

    mu: float
    sigma: float
    games: int = 0
    dates: int = field(default=0, compare=False)
    opponents: int = field(default=0, compare=False)

    @property
    def points(self) -> int:
        return round(self.mu)

    @property
    def is_new(self) -> bool:
        """True if the player has no rank yet."""
        return self.dates < FEWEST_DATES or self.opponents < FEWEST_OPPONENTS


@dataclass(frozen=True, slots=True)
class Stake:
    """The points of rating that a player would win or lose by a duel."""

    win: int
    loss: int


@dataclass(frozen=True, slots=True)
class RatingChange:
    """The change of a player's rating by a duel."""

    duel_id: int
    player_id: int
    opponent_id: int
    before: Rating
    after: Rating
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """How many completed duels a player won, drew and lost, against one opponent or several."""

    won: int
    drawn: int
    lost: int
