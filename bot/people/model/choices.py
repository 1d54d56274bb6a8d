"""What holds in a server or for a player from when on: zones, and lengths of the daily."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime


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
