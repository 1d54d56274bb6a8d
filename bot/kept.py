"""Backups: how many are kept."""

from dataclasses import dataclass
from typing import Final

MOST_WEEKS: Final = 4
"""The bot keeps none of its own for longer: what players delete is gone from them by then."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Of which times a backup is kept: of each of them the newest one.

    Attributes:
        days: how many dates, in UTC, with today's.
        weeks: how many weeks, from Monday on, with this one.
    """

    days: int = 7
    weeks: int = 4
