"""Backups: how many are kept."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kept:
    """Of which times a backup is kept: of each of them the newest one.

    Attributes:
        days: how many dates, in UTC, with today's.
        weeks: how many weeks, from Monday on, with this one.
        months: how many months of the calendar, with this one.
    """

    days: int = 7
    weeks: int = 4
    months: int = 0
