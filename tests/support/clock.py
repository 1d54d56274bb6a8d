"""A clock that tests set."""

from datetime import UTC, datetime, timedelta

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
"""The instant at which tests begin: a Friday, puzzle 324."""


class FakeClock:
    """Stands still until it is moved."""

    def __init__(self, now: datetime = NOON) -> None:
        self._now = now

    def now(self) -> datetime:
        return self._now

    def set(self, now: datetime) -> None:
        self._now = now

    def advance(self, **duration: float) -> None:
        self._now += timedelta(**duration)
