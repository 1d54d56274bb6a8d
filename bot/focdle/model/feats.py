"""What is remarkable about a play that is over, and what it did to the streak. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum
from itertools import takewhile
from typing import Final

from bot.streaks.game.streaks import DAYS_FOR_A_FREEZE, MOST_FREEZES
from bot.streaks.model.streaks import (
    ENDED,
    FROZEN,
    GROWN,
    SOLVES,
    UNASSISTED,
    Change,
    Reason,
    Streak,
)

WORTH_A_RECORD: Final = 3
"""How long a streak must have been for a longer one to be a record."""
WORTH_MOURNING: Final = 2
"""How long a streak must have been for its end to be told."""
NEAR: Final = 7
"""How many days away a goal is at most."""
_FIRST_MILESTONES: Final = (7, 30)
_HUNDRED: Final = 100


class Feat(Enum):
    """Something remarkable about a puzzle that was solved."""

    LUCK = "luck"
    """Solved with the first guess, without hints."""
    FIRST = "first"
    """The player's first."""
    MILESTONE = "milestone"
    """The streak came to 7, 30 or hundreds of days."""
    FIRST_HARD = "first_hard"
    """The player's first in hard mode."""
    RECORD = "record"
    """The streak became longer than any before it."""
    BEST = "best"
    """Fewer guesses than any daily of the length had taken the player."""
    FAR_BELOW_PAR = "far_below_par"
    """By a guess or more."""
    FIRST_HERE = "first_here"
    """Nobody in the server had solved it before."""
    FREEZE = "freeze"
    """It earned a freeze."""
    BELOW_PAR = "below_par"
    LAST_GUESS = "last_guess"


class Aim(Enum):
    """What a streak may come to next."""

    RECORD = "record"
    MILESTONE = "milestone"
    FREEZE = "freeze"


@dataclass(frozen=True, slots=True)
class Goal:
    """What the streak comes to, if the next dates are solved as well.

    Attributes:
        aim: what it is.
        days: how many more dates that takes.
        length: of the streak then.
    """

    aim: Aim
    days: int
    length: int


class Fate(Enum):
    """What became of a streak up to a date, and what its player must know now."""

    ENDED = "ended"
    SAVED = "saved"
    """Freezes were spent."""
    RESTORED = "restored"
    """A manager of a server undid its end."""
    KEPT = "kept"
    """Solved with hints: not lengthened."""
    BEGUN = "begun"
    """Solved with hints: one of one date."""
    SAFE = "safe"
    """The date is not solved, and a freeze is held."""
    AT_RISK = "at_risk"
    """The date is not solved, and no freeze is held."""
    NONE = "none"
    """The date is not solved, and no streak is held."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """A date whose weekday stands out in a server.

    Attributes:
        day: the date.
        share: which part of those who finished a puzzle on that weekday have solved it.
        is_hardest: whether no other weekday's part is as small; else none is as large.
    """

    day: date
    share: float
    is_hardest: bool


@dataclass(frozen=True, slots=True)
class News:
    """What a player must know of their streak, under a play.

    Attributes:
        fate: what became of it.
        length: of the streak; of one that has ended, before that.
        day: when it ended; else the date of the play.
        freezes: how many were spent.
    """

    fate: Fate
    length: int
    day: date
    freezes: int = 0


@dataclass(frozen=True, slots=True)
class Beaten:
    """Who is ranked behind a player on the leaderboard of a date.

    Attributes:
        names: by id, what the nearest of them are called there; to be escaped.
        total: how many they are.
    """

    names: Mapping[int, str]
    total: int


@dataclass(frozen=True, slots=True)
class Ending:
    """What there is to tell about a play that is over.

    Attributes:
        feats: the most remarkable first; none of a game that was lost.
        days: how long the streak was on its date; 0 where that did not lengthen it.
        below_par: by how many guesses it was below par; None if it was not, or had hints.
        beaten: whom it beat today where it was opened; None if nobody.
        news: what the player must know of the streak, if anything.
        goal: what is near; None if nothing is, or the streak has gone on since.
        outlook: what the server's results say of tomorrow; None if it does not stand out.
        try_length: of a game that was lost, the length at which to try one more; else None.
    """

    feats: tuple[Feat, ...] = ()
    days: int = 0
    below_par: float | None = None
    beaten: Beaten | None = None
    news: News | None = None
    goal: Goal | None = None
    outlook: Outlook | None = None
    try_length: int | None = None


NOTHING_TO_TELL: Final = Ending()


def change_of(streak: Streak, day: date) -> Change | None:
    """What a date did to a streak."""
    return next((change for change in reversed(streak.changes) if change.day == day), None)


def streak_feats(streak: Streak, day: date) -> set[Feat]:
    """What a streak makes of a date that was solved."""
    change = change_of(streak, day)
    if change is None or change.reason not in GROWN:
        return set()
    longest = _longest_before(streak.changes, day)
    feats = {
        Feat.MILESTONE: is_milestone(change.after),
        Feat.RECORD: longest >= WORTH_A_RECORD and change.after == longest + 1,
        Feat.FREEZE: change.reason is Reason.SOLVED_EARNED,
    }
    return {feat for feat, is_so in feats.items() if is_so}


def is_milestone(length: int) -> bool:
    """Whether a streak of this length is one to celebrate: 7, 30, and hundreds."""
    return length in _FIRST_MILESTONES or (length > 0 and length % _HUNDRED == 0)


def news_of(streak: Streak, day: date, *, is_solved: bool, is_today: bool) -> News | None:
    """What became of a streak up to a date on which a puzzle was played.

    Args:
        streak: the streak.
        day: the date.
        is_solved: whether the puzzle was solved.
        is_today: whether the date is today.
    """
    change = change_of(streak, day)
    if change is None:
        return _of_a_date_to_come(streak, day) if is_today and not is_solved else None
    if change.reason in ENDED | FROZEN:
        return _loss_of([change])
    earlier = [c for c in streak.changes if c.day < day]
    gap = takewhile(lambda c: c.reason not in SOLVES | {Reason.KEPT_ASSISTED}, reversed(earlier))
    if lost := _loss_of(list(gap)):
        return lost
    fates = {Reason.KEPT_ASSISTED: Fate.KEPT, Reason.BEGUN_ASSISTED: Fate.BEGUN}
    fate = fates.get(change.reason)
    return None if fate is None else News(fate, change.after, day)


def goal_of(streak: Streak, day: date) -> Goal | None:
    """What is nearest for a streak that a date was the last to change; None if nothing is near."""
    if not streak.length or streak.changes[-1].day != day:
        return None
    run = _run(streak.changes)
    goals: list[Goal] = []
    longest = _longest_before(streak.changes, run[0].day)
    if longest >= max(WORTH_A_RECORD, streak.length):
        goals.append(_goal(Aim.RECORD, streak, longest + 1 - streak.length))
    if streak.freezes < MOST_FREEZES:
        unassisted = sum(change.reason in UNASSISTED for change in run)
        goals.append(_goal(Aim.FREEZE, streak, DAYS_FOR_A_FREEZE - unassisted % DAYS_FOR_A_FREEZE))
    ahead = range(1, NEAR + 1)
    if to_come := [n for n in ahead if is_milestone(streak.length + n)]:
        goals.append(_goal(Aim.MILESTONE, streak, to_come[0]))
    near = [goal for goal in goals if goal.days <= NEAR]
    return min(near, key=lambda goal: goal.days, default=None)


def _goal(aim: Aim, streak: Streak, days: int) -> Goal:
    return Goal(aim, days, streak.length + days)


def _of_a_date_to_come(streak: Streak, day: date) -> News:
    """What awaits a streak whose last chance of a date was lost, while the date is not over."""
    if not streak.length:
        return News(Fate.NONE, 0, day)
    return News(Fate.SAFE if streak.freezes else Fate.AT_RISK, streak.length, day)


def _loss_of(changes: Sequence[Change]) -> News | None:
    """What dates that were missed, the last first, have come to, if that is worth telling."""
    ends = [c for c in changes if c.reason in ENDED]
    if ends:
        (end,) = ends[:1]
        return News(Fate.ENDED, end.before, end.day) if end.before >= WORTH_MOURNING else None
    if restored := [c for c in changes if c.reason is Reason.RESTORED]:
        return News(Fate.RESTORED, restored[0].after, restored[0].day)
    spent = [c for c in changes if c.reason in FROZEN]
    return News(Fate.SAVED, spent[0].after, spent[0].day, len(spent)) if spent else None


def _run(changes: Sequence[Change]) -> list[Change]:
    """The changes of the streak that is held, the first first."""
    return list(takewhile(lambda change: change.reason not in ENDED, reversed(changes)))[::-1]


def _longest_before(changes: Sequence[Change], day: date) -> int:
    """The length of the longest streak that had ended before a date."""
    return max((c.before for c in changes if c.day < day and c.reason in ENDED), default=0)
