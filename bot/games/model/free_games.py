"""How many games that count for nothing somebody has begun."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class FreeGames:
    """Those of one player on the last day with any.

    Attributes:
        day: the date, in UTC.
        games: how many.
    """

    day: date
    games: int
