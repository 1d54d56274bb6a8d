"""Nouns of streaks."""

from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from itertools import takewhile
from typing import Final

from bot.stored import DateEffect

UNASSISTED: Final = frozenset({DateEffect.SOLVED, DateEffect.SOLVED_EARNED})
"""The reasons of dates solved without hints."""
GROWN: Final = UNASSISTED | {DateEffect.SOLVED_ASSISTED}
"""The reasons of dates that lengthen a streak."""
SOLVES: Final = GROWN | {DateEffect.BEGUN_ASSISTED}
ENDED: Final = frozenset(
    {DateEffect.ENDED_UNPLAYED, DateEffect.ENDED_UNFINISHED, DateEffect.ENDED_LOST}
)
FROZEN: Final = frozenset(
    {DateEffect.FROZEN_UNPLAYED, DateEffect.FROZEN_UNFINISHED, DateEffect.FROZEN_LOST}
)


class Missed(Enum):
    """The outcome of a date on which no daily was solved."""

    UNPLAYED = "unplayed"
    UNFINISHED = "unfinished"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Restored:
    """A manager's restoration of a date of a streak.

    Attributes:
        by: the manager's id.
        reason: the manager's words; to be escaped.
        guild_id: the manager's server; 0 if it is forgotten.
    """

    by: int
    reason: str
    guild_id: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Change:
    """The effect of one date on a streak.

    Attributes:
        restored: the restoration, for a restored date; None also where it was not read.
    """

    day: date
    reason: DateEffect
    before: int
    after: int
    freezes: int
    restored: Restored | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class StreakEvent:
    """The effect of a date on one member's streak, with its lengths before and after the date.

    The name is as last seen in the server; it is to be escaped.
    """

    player_id: int
    name: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Streak:
    """A player's streak.

    Attributes:
        assisted: the number of dates in the streak that were solved with hints.
    """

    length: int = 0
    best: int = 0
    freezes: int = 0
    changes: tuple[Change, ...] = ()
    assisted: int = 0

    @property
    def is_restored(self) -> bool:
        """True if a server's manager has restored a date of the streak."""
        since_end = takewhile(lambda change: change.reason not in ENDED, reversed(self.changes))
        return any(change.reason is DateEffect.RESTORED for change in since_end)
