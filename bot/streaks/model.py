"""Nouns of streaks, and the computation of a streak from the dates that were played.

A streak is a run of consecutive dates with an on-date solve. A date counts once, at whatever
length. An unsolved date uses a freeze if one is held; else it ends the streak. Every seventh date
that is solved without hints in a streak earns a freeze; at most two are held. Excused dates neither
count nor break. `bot.focdle.streak_keeping` reads the dates.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from enum import Enum
from typing import Final

from bot.clock import start_of
from bot.effects import DateEffect
from bot.outages import Outage

UNASSISTED: Final = frozenset({DateEffect.SOLVED, DateEffect.SOLVED_EARNED})
"""The reasons of dates solved without hints."""
SOLVES: Final = UNASSISTED | {DateEffect.SOLVED_ASSISTED}
"""The reasons of dates that lengthen a streak."""
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
class StreakChange:
    """The effect of one date on a streak."""

    day: date
    reason: DateEffect
    before: int
    after: int
    freezes: int


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
    changes: tuple[StreakChange, ...] = ()
    assisted: int = 0


DAYS_FOR_A_FREEZE: Final = 7
MOST_FREEZES: Final = 2
SKIP_REST: Final = timedelta(days=30)
"""The time in which at most one date is excused because a change of zone skipped it."""

_MOST_GAPS: Final = timedelta(hours=1)
_LAST_HOURS: Final = timedelta(hours=2)
_MOST_LAST_GAP: Final = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class PlayedDates:
    """The input of a streak's computation.

    Attributes:
        solved: dates with an on-date solve.
        over: the last date that is over wherever the player plays.
        missed: dates that were played but not solved on date, and how they went.
        down: dates that outages excuse: they neither count nor break.
        skipped: dates that a change of zone skipped; at most one within `SKIP_REST` is excused.
        helped: the solved dates on which every solved length took hints.
    """

    solved: frozenset[date]
    over: date
    missed: Mapping[date, Missed] = field(default_factory=dict[date, Missed])
    down: frozenset[date] = frozenset()
    skipped: frozenset[date] = frozenset()
    helped: frozenset[date] = frozenset()


def work_out(record: PlayedDates) -> Streak:
    """Compute the streak of a record.

    A date that is not over yet counts if it is solved, with hints or without. An unsolved one
    changes nothing before it is over.
    """
    if not record.solved:
        return Streak()
    walk = _Walk()
    day, last = min(record.solved), max(record.over, *record.solved)
    while day <= last:
        if day in record.solved:
            walk.solve(day, helped=day in record.helped)
        elif walk.length and day <= record.over:
            walk.miss(day, record)
        day += timedelta(days=1)
    return Streak(walk.length, walk.best, walk.freezes, tuple(walk.changes), walk.assisted)


class _Walk:
    def __init__(self) -> None:
        self.length = self.best = self.freezes = 0
        self.assisted = 0
        self._unassisted = 0
        """How many dates of the streak count towards a freeze."""
        self.changes: list[StreakChange] = []
        self._skipped = date.min
        """The last date that was excused because a change of zone skipped it."""

    def solve(self, day: date, *, helped: bool) -> None:
        if helped:
            self.assisted += 1
            self.change(day, DateEffect.SOLVED_ASSISTED, self.length + 1, self.freezes)
            return
        self._unassisted += 1
        earned = self._unassisted % DAYS_FOR_A_FREEZE == 0 and self.freezes < MOST_FREEZES
        reason = DateEffect.SOLVED_EARNED if earned else DateEffect.SOLVED
        self.change(day, reason, self.length + 1, self.freezes + earned)

    def miss(self, day: date, record: PlayedDates) -> None:
        if day in record.skipped and day - self._skipped >= SKIP_REST:
            self._skipped = day
            self.change(day, DateEffect.EXCUSED_ZONE, self.length, self.freezes)
            return
        if day in record.down:
            self.change(day, DateEffect.EXCUSED_OUTAGE, self.length, self.freezes)
            return
        missed = record.missed.get(day, Missed.UNPLAYED)
        if self.freezes:
            self.change(day, DateEffect(f"frozen_{missed.value}"), self.length, self.freezes - 1)
        else:
            self.change(day, DateEffect(f"ended_{missed.value}"), 0, 0)
            self._unassisted = self.assisted = 0

    def change(self, day: date, reason: DateEffect, length: int, freezes: int) -> None:
        self.changes.append(StreakChange(day, reason, self.length, length, freezes))
        self.length, self.best, self.freezes = length, max(self.best, length), freezes


def met_by(outages: Iterable[Outage], guild_id: int | None) -> list[Outage]:
    """List the outages in a server, or in direct messages if `guild_id` is None.

    When the number of shards has changed, outages of several shards overlap; they are merged.
    """
    met: list[Outage] = []
    for outage in sorted(outages, key=lambda outage: outage.began_at):
        if not outage.shard.serves(guild_id):
            continue
        if met and outage.began_at <= met[-1].ended_at:
            met[-1] = replace(met[-1], ended_at=max(met[-1].ended_at, outage.ended_at))
        else:
            met.append(outage)
    return met


def is_excused_by(outages: Iterable[Outage], day: date, zone: str) -> bool:
    """True if a date is excused because the bot was down for too long.

    That is more than an hour in all, or more than five minutes at a stretch in the date's last two
    hours.
    """
    start, end = start_of(day, zone), start_of(day + timedelta(days=1), zone)
    gaps = [(o.within(start, end), o.within(end - _LAST_HOURS, end)) for o in outages]
    total = sum((gap for gap, _ in gaps), timedelta())
    return total > _MOST_GAPS or any(last > _MOST_LAST_GAP for _, last in gaps)
