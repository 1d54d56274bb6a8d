"""What players choose for themselves."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Choices:
    """A player's choices; who has never chosen has the defaults.

    Attributes:
        hard_mode: play new games under hard mode's rules.
        palette: the tiles to draw boards with.
        skip_question: play false equations without being asked.
        hidden: on no leaderboard, and no statistics for others.
        on_global_boards: shown on the leaderboards across servers.
        no_challenges: wants no challenges from anybody.
        is_careful: is asked before a guess at FoCdle that clues rule out.
    """

    hard_mode: bool = False
    palette: str = "standard"
    skip_question: bool = False
    hidden: bool = False
    on_global_boards: bool = False
    no_challenges: bool = False
    is_careful: bool = False


@dataclass(frozen=True, slots=True)
class Blocked:
    """Somebody from whom a player wants no challenges, and since when."""

    player_id: int
    since: datetime
