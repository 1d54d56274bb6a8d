"""Streaks, and what each date did to one."""

from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from itertools import takewhile
from typing import Final

from bot.stored import Reason

UNASSISTED: Final = frozenset({Reason.SOLVED, Reason.SOLVED_EARNED})
"""Reasons of dates that were solved without hints."""
GROWN: Final = UNASSISTED | {Reason.SOLVED_ASSISTED}
"""Reasons of dates that lengthen a streak."""
SOLVES: Final = GROWN | {Reason.BEGUN_ASSISTED}
"""Reasons of dates that lengthen a streak, or begin one."""
ENDED: Final = frozenset({Reason.ENDED_UNPLAYED, Reason.ENDED_UNFINISHED, Reason.ENDED_LOST})
"""Reasons that end a streak."""
FROZEN: Final = frozenset({Reason.FROZEN_UNPLAYED, Reason.FROZEN_UNFINISHED, Reason.FROZEN_LOST})
"""Reasons that spend a freeze."""


class Missed(Enum):
    """How a date went that was played but not solved."""

    UNPLAYED = "unplayed"
    UNFINISHED = "unfinished"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Restored:
    """Who restored a streak, and why.

    Attributes:
        by: the Discord user.
        reason: what they said; to be escaped.
        guild_id: the server whose manager it was; 0 if it is forgotten.
    """

    by: int
    reason: str
    guild_id: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Change:
    """What one date did to a streak.

    Attributes:
        day: the date.
        reason: why.
        before: the streak's length before it.
        after: the streak's length after it.
        freezes: freezes held after it.
        restored: of a date that was restored, by whom and why; None where that was not asked for.
    """

    day: date
    reason: Reason
    before: int
    after: int
    freezes: int
    restored: Restored | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class StreakEvent:
    """What a date did to one member's streak.

    Attributes:
        player_id: the Discord user.
        name: as last seen in the server; to be escaped.
        before: the streak's length before.
        after: the streak's length after.
    """

    player_id: int
    name: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Streak:
    """A player's streak.

    Attributes:
        length: dates in it; 0 when there is none.
        best: the longest there has been.
        freezes: freezes held.
        changes: what each date did, oldest first.
        assisted: how many of its dates were solved with hints, since such dates lengthen it.
    """

    length: int = 0
    best: int = 0
    freezes: int = 0
    changes: tuple[Change, ...] = ()
    assisted: int = 0

    @property
    def is_restored(self) -> bool:
        """Whether it is one that would have ended, had no manager of a server restored it."""
        since_end = takewhile(lambda change: change.reason not in ENDED, reversed(self.changes))
        return any(change.reason is Reason.RESTORED for change in since_end)
