"""What players and servers choose, and the faces of players."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Final

_HASH: Final = re.compile(r"(?:a_)?[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Face:
    """An avatar; made by `face_of`, so that its hash may stand in an address.

    Attributes:
        player_id: whose it is.
        avatar: what Discord calls the picture.
    """

    player_id: int
    avatar: str


def face_of(player_id: int, avatar: str | None) -> Face | None:
    """A player's face; None without an avatar, or if that is no hash of Discord's."""
    if player_id <= 0 or avatar is None or not _HASH.fullmatch(avatar):
        return None
    return Face(player_id, avatar)


@dataclass(frozen=True, slots=True)
class ZoneChange:
    """A zone that holds from an instant on.

    Attributes:
        zone: the IANA zone.
        effective_at: from when on.
        set_at: when it was chosen.
        is_correction: whether it corrects the one before it.
    """

    zone: str
    effective_at: datetime
    set_at: datetime
    is_correction: bool = False


@dataclass(frozen=True, slots=True)
class LengthChange:
    """A length of the daily that holds from a date on."""

    length: int
    from_day: date


@dataclass(frozen=True, slots=True)
class Calendar:
    """The zones and the lengths that a server has had or will have, each in order."""

    zones: Sequence[ZoneChange]
    lengths: Sequence[LengthChange]


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
