"""Ratings of players, what changed them, and how two have fared with each other."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

_PROVISIONAL_GAMES: Final = 5


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong a player is thought to be.

    Attributes:
        mu: the estimate.
        sigma: its standard deviation.
        games: how many rated duels it comes from.
        established: whether it counts for a rank to have met the player.
    """

    mu: float
    sigma: float
    games: int = 0
    established: bool = field(default=False, compare=False)

    @property
    def conservative(self) -> float:
        """What the player is almost certainly worth: what boards are ranked by; 0 at first."""
        return self.mu - 3 * self.sigma

    @property
    def is_provisional(self) -> bool:
        """Whether it comes from too few duels to be ranked by."""
        return self.games < _PROVISIONAL_GAMES


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
            within seven days.
        changed_at: when the duel ended.
        established: whether the opponent is established by now.
    """

    duel_id: int
    player_id: int
    opponent_id: int
    before: Rating
    after: Rating
    share: int
    changed_at: datetime
    established: bool = False


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
