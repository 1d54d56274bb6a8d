"""Nouns of ratings: rating, change, stake, head-to-head."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

FEWEST_DUELS: Final = 5
"""How many rated duels a player needs to be established."""
FEWEST_DATES: Final = 5
"""On how many dates a player needs rated duels for a rank."""
FEWEST_OPPONENTS: Final = 3
"""How many opponents a player needs to be established; for a rank, they are established ones."""
MOST_DEVIATION: Final = 50.5
"""The largest deviation of a rating with a rank: that after some nine duels with equals."""
USUALLY_SURE_AFTER: Final = 9
"""After how many duels the deviation is usually small enough, as players are told."""
FEWEST_MET: Final = 2
"""How many opponents a player needs, in duels that were not short, to be shown without a rank."""
DEVIATIONS: Final = 2
"""How many deviations a rating is rarely off by, as players are told."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The estimate of a player's strength: a mean, `mu`, and its deviation, `sigma`.

    Attributes:
        established: whether the player counts as an opponent for others' ranks.
        opponents: the number of established opponents; the store counts to `FEWEST_OPPONENTS` only.
        dates: the number of UTC dates with a rated duel.
        proven: the rating without duels against players who are not established; None if equal.
        played: the rating as if nobody had played short duels; None if equal.
    """

    mu: float
    sigma: float
    games: int = 0
    established: bool = field(default=False, compare=False)
    opponents: int = field(default=0, compare=False)
    dates: int = field(default=0, compare=False)
    proven: "Rating | None" = field(default=None, compare=False)
    played: "Rating | None" = field(default=None, compare=False)

    @property
    def points(self) -> int:
        return round(self.mu)

    @property
    def ranked_points(self) -> int:
        """The points by which leaderboards rank: the rating's or, if lower, the proven rating's."""
        return self.points if self.proven is None else min(self.points, self.proven.points)

    @property
    def floor(self) -> int:
        """The rating less two deviations: points that the player almost certainly has."""
        return round(self.mu - DEVIATIONS * self.sigma)

    @property
    def is_sure(self) -> bool:
        return self.sigma <= MOST_DEVIATION

    @property
    def is_new(self) -> bool:
        """True if the player has no rank yet."""
        has_met = self.dates >= FEWEST_DATES and self.opponents >= FEWEST_OPPONENTS
        return not (has_met and self.is_sure)


@dataclass(frozen=True, slots=True)
class Outlook:
    """How near a player is to a rank by rating.

    Attributes:
        met: the latest opponents in rated duels, up to five, newest first, and whether each counts
            for a rank. Players who have deleted their data are left out.
    """

    rating: Rating
    met: Mapping[int, bool]


@dataclass(frozen=True, slots=True)
class Stake:
    """The points of rating that a player would win or lose by a duel."""

    win: int
    loss: int


@dataclass(frozen=True, slots=True)
class RatingChange:
    """The change of a player's rating by a duel.

    Attributes:
        share: n, if 1/n of the change counted. This was the n-th rated duel of the two players
            within seven days; n is tripled for the winner of a short duel.
        established: whether the opponent is established by now.
        won: None for a draw.
        opponent: the opponent's rating before the duel; None for duels older than proven ratings.
        floor: the floor after the duel, without short duels; None if this one was short.
        met: the number of opponents in duels that were not short, up to this one; 0 if unknown.
    """

    duel_id: int
    player_id: int
    opponent_id: int
    before: Rating
    after: Rating
    share: int
    changed_at: datetime
    established: bool = False
    won: bool | None = None
    opponent: Rating | None = None
    floor: int | None = None
    met: int = 0


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """How many completed duels a player won, drew and lost, against one opponent or several."""

    won: int
    drawn: int
    lost: int
