"""Ratings of players, what changed them, and how two have fared with each other."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

FEWEST_DUELS: Final = 5
"""How many rated duels it takes until a player is established."""
FEWEST_DATES: Final = 5
"""On how many dates a player must have had a rated duel until the rating is not new."""
FEWEST_OPPONENTS: Final = 3
"""Against how many opponents they have to be, who for a rank are established."""
MOST_DEVIATION: Final = 50.5
"""The standard deviation up to which a rating is not new: after about nine duels with equals."""
USUALLY_SURE_AFTER: Final = 9
"""That many duels, as it is told to players."""
FEWEST_MET: Final = 2
"""Against how many opponents a player must have duelled to be on leaderboards without a rank."""
DEVIATIONS: Final = 2
"""How many standard deviations a rating may be off, as we say it: it rarely is by more."""


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong a player is thought to be.

    Attributes:
        mu: the estimate.
        sigma: its standard deviation.
        games: how many rated duels it comes from.
        established: whether it counts for a rank to have met the player.
        opponents: how many established ones the player has met.
        dates: on how many dates, in UTC, those duels were.
        proven: the same without duels against who is not established; None where that is the same.
        played: the same as if there had been no short duels, of anybody; None likewise.
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
        """The one number that everybody sees."""
        return round(self.mu)

    @property
    def ranked_points(self) -> int:
        """What leaderboards rank by: these points or the proven ones, whichever are lower."""
        return self.points if self.proven is None else min(self.points, self.proven.points)

    @property
    def floor(self) -> int:
        """What is sure of it."""
        return round(self.mu - DEVIATIONS * self.sigma)

    @property
    def is_sure(self) -> bool:
        """Whether enough is known of the player."""
        return self.sigma <= MOST_DEVIATION

    @property
    def is_new(self) -> bool:
        """Whether it is too early to be ranked by it."""
        has_met = self.dates >= FEWEST_DATES and self.opponents >= FEWEST_OPPONENTS
        return not (has_met and self.is_sure)


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a player has of what a rank by rating takes.

    Attributes:
        rating: the player's.
        met: some of the opponents in rated duels, the last one first, and whether each counts by
            now; without those who have deleted their data.
    """

    rating: Rating
    met: Mapping[int, bool]


@dataclass(frozen=True, slots=True)
class Stake:
    """What a rated duel would make of a rating.

    Attributes:
        win: how many points it would be higher.
        loss: how many it would be lower.
    """

    win: int
    loss: int


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What a duel did to a rating.

    Attributes:
        duel_id: the duel.
        player_id: whose rating it is.
        opponent_id: the other player.
        before: the rating before it.
        after: the rating after it.
        share: n, if 1/n of the change counted: this was the n-th rated duel of the two
            within seven days; three times that for who won before the other had really played.
        changed_at: when the duel ended.
        established: whether the opponent is established by now.
        won: whether the player has won; None for a draw.
        opponent: the other player's rating before it; None from before there were proven ratings.
        floor: what is sure of the rating then, as if there had been no short duels; None for one.
        met: how many opponents the player has had by then in others; 0 where nobody has counted.
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
    """How the duels of two players went that were played to an end, rated or not.

    Attributes:
        won: by the first of the two.
        drawn: by nobody.
        lost: won by the second.
    """

    won: int
    drawn: int
    lost: int
