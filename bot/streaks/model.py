"""Nouns of streaks, and the computation of a streak from the dates that were played.

A streak is a run of consecutive dates with an on-date solve. A date counts once, at whatever
length. An unsolved date uses a freeze if one is held; else it ends the streak. Every seventh date
that is solved without hints in a streak earns a freeze; at most two are held. Excused dates neither
count nor break. A date that was solved with hints of retired kinds neither counts nor breaks within
a streak; without a streak it begins one, from `ASSISTED_BEGINS_SINCE` on.
`bot.focdle.streak_keeping` reads the dates.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from enum import Enum
from itertools import takewhile
from typing import Final

from bot.clock import start_of
from bot.outages import Outage
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


DAYS_FOR_A_FREEZE: Final = 7
MOST_FREEZES: Final = 2
SKIP_REST: Final = timedelta(days=30)
"""The time in which at most one date is excused because a change of zone skipped it."""
ASSISTED_BEGINS_SINCE: Final = date(2026, 11, 23)
"""The first date that begins a streak though solved with hints of retired kinds."""

_MOST_GAPS: Final = timedelta(hours=1)
_LAST_HOURS: Final = timedelta(hours=2)
_MOST_LAST_GAP: Final = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Record:
    """The input of a streak's computation.

    Attributes:
        solved: dates with an on-date solve.
        over: the last date that is over wherever the player plays.
        missed: dates that were played but not solved on date, and how they went.
        excused: dates that neither count nor break, with the reasons.
        restored: the excused dates that a server's manager restored, with the restorations.
        skipped: dates that a change of zone skipped. They are excused; from `fair_since` on, at
            most one within `SKIP_REST` is.
        fair_since: the first date for which this limit holds.
        helped: the solved dates on which every solved length took hints.
    """

    solved: frozenset[date]
    over: date
    missed: Mapping[date, Missed] = field(default_factory=dict[date, Missed])
    excused: Mapping[date, DateEffect] = field(default_factory=dict[date, DateEffect])
    restored: Mapping[date, Restored] = field(default_factory=dict[date, Restored])
    skipped: frozenset[date] = frozenset()
    fair_since: date = date.min
    helped: frozenset[date] = frozenset()

    @property
    def assisted(self) -> set[date]:
        """The excused dates that were solved with hints of retired kinds."""
        return {day for day, why in self.excused.items() if why is DateEffect.KEPT_ASSISTED}

    @property
    def first(self) -> date | None:
        """The first date that can begin a streak; None without any."""
        begun = {day for day in self.assisted if day >= ASSISTED_BEGINS_SINCE}
        return min(self.solved | begun, default=None)


def work_out(record: Record) -> Streak:
    """Compute the streak of a record.

    A date that is not over yet counts if it is solved, with hints or without. An unsolved one
    changes nothing before it is over.
    """
    first = record.first
    if first is None:
        return Streak()
    walk = _Walk()
    assisted = record.assisted
    day, last = first, max(record.over, *record.solved, *assisted)
    while day <= last:
        if day in record.solved:
            walk.solve(day, helped=day in record.helped)
        elif not walk.length and day in assisted and day >= ASSISTED_BEGINS_SINCE:
            walk.change(day, DateEffect.BEGUN_ASSISTED, 1, walk.freezes)
        elif walk.length and (day <= record.over or day in assisted):
            walk.miss(day, record)
        day += timedelta(days=1)
    return Streak(walk.length, walk.best, walk.freezes, tuple(walk.changes), walk.assisted)


class _Walk:
    def __init__(self) -> None:
        self.length = self.best = self.freezes = 0
        self.assisted = 0
        self._unassisted = 0
        """How many dates of the streak count towards a freeze."""
        self.changes: list[Change] = []
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

    def miss(self, day: date, record: Record) -> None:
        reason = record.excused.get(day)
        if reason in {None, DateEffect.EXCUSED_OUTAGE} and day in record.skipped:
            is_limited = day >= record.fair_since
            if not is_limited or day - self._skipped >= SKIP_REST:
                reason, self._skipped = DateEffect.EXCUSED_ZONE, day
        if reason is not None:
            note = record.restored.get(day)
            self.change(day, reason, self.length, self.freezes, note)
            return
        missed = record.missed.get(day, Missed.UNPLAYED)
        if self.freezes:
            self.change(day, DateEffect(f"frozen_{missed.value}"), self.length, self.freezes - 1)
        else:
            self.change(day, DateEffect(f"ended_{missed.value}"), 0, 0)
            self._unassisted = self.assisted = 0

    def change(
        self, day: date, reason: DateEffect, length: int, freezes: int, note: Restored | None = None
    ) -> None:
        self.changes.append(Change(day, reason, self.length, length, freezes, note))
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
