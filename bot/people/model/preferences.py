"""What players choose for themselves."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Asking(StrEnum):
    """Guesses at FoCdle before which their player is asked."""

    FALSE = "false"
    """False equations."""
    IMPOSSIBLE = "impossible"
    """They, and guesses that clues rule out."""
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Choices:
    """A player's choices; who has never chosen has the defaults.

    Attributes:
        hard_mode: play new games under hard mode's rules.
        palette: the tiles to draw boards with.
        hidden: on no leaderboard, and no statistics for others.
        on_global_boards: shown on the leaderboards across servers.
        no_challenges: wants no challenges from anybody.
        asks: before which guesses to be asked, an `Asking`.
    """

    hard_mode: bool = False
    palette: str = "standard"
    hidden: bool = False
    on_global_boards: bool = False
    no_challenges: bool = False
    asks: str = Asking.FALSE


@dataclass(frozen=True, slots=True)
class Blocked:
    """Somebody from whom a player wants no challenges, and since when."""

    player_id: int
    since: datetime
