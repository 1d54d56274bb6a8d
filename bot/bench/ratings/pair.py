"""Two who play nobody else, three times a week for a year: how long they stay new."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from statistics import fmean, median
from typing import Final

from bot.bench.ratings.models import Estimate, Model
from bot.bench.ratings.season import score_of

Share = Callable[[int], int]
"""By what a change is divided, for the n-th duel of two within seven days."""

WEEKS: Final = 52
MOST_WEEKS: Final = 10
"""For how long such a pair may be new."""
_WEEKDAYS: Final = (0, 2, 4)
_EVENING: Final = timedelta(hours=18)
_HOURS: Final = 5.0
_REMEMBERED: Final = timedelta(days=7)
_FIRST: Final = datetime(2026, 1, 5, tzinfo=UTC)
"""Any Monday."""


@dataclass(frozen=True, slots=True)
class Years:
    """What many pairs' years come to.

    Attributes:
        shares: by what changes were divided, on average.
        usual: after how many weeks half of them are new no longer.
        longest: after how many all are; None if some stay new.
        spread: two standard deviations at the end.
    """

    shares: float
    usual: float
    longest: float | None
    spread: float


def each(number: int) -> int:
    """The second of two duels counts half, the n-th an n-th."""
    return number


def at_least_a_third(number: int) -> int:
    """As much, but never less than a third."""
    return min(number, 3)


def years(
    model: Model, share: Share, bank: Sequence[Sequence[int]], bound: float, pairs: int
) -> Years:
    """Years of so many pairs of players who are not far apart.

    Args:
        model: what rates them.
        share: the rule of pairs.
        bank: how many guesses each player's games take.
        bound: the deviation up to which somebody is not new.
        pairs: how many.
    """
    rng = Random(3)
    settled: list[float | None] = []
    shares: list[int] = []
    spreads: list[float] = []
    for _ in range(pairs):
        one = rng.randrange(len(bank) - 5)
        week, deviation = _year(model, share, (bank[one], bank[one + 5]), bound, rng, shares)
        settled.append(week)
        spreads.append(2 * deviation)
    known = [week for week in settled if week is not None]
    return Years(
        fmean(shares),
        median(week or WEEKS for week in settled),
        max(known) if len(known) == len(settled) else None,
        fmean(spreads),
    )


def _year(
    model: Model,
    share: Share,
    games: tuple[Sequence[int], Sequence[int]],
    bound: float,
    rng: Random,
    shares: list[int],
) -> tuple[float | None, float]:
    """After how many weeks neither is new, and the deviation after a year."""
    both, settled = (model.start, model.start), None
    recent = deque[datetime]()
    for day in (week * 7 + weekday for week in range(WEEKS) for weekday in _WEEKDAYS):
        at = _FIRST + timedelta(days=day) + _EVENING + timedelta(hours=rng.uniform(0, _HOURS))
        while recent and recent[0] <= at - _REMEMBERED:
            recent.popleft()
        shares.append(share(len(recent) + 1))
        recent.append(at)
        score = score_of(*(rng.choice(lengths) for lengths in games))
        after = model.rated(*both, score)
        both = _part(both[0], after[0], shares[-1]), _part(both[1], after[1], shares[-1])
        if settled is None and max(estimate.deviation for estimate in both) <= bound:
            settled = (at - _FIRST) / _REMEMBERED
    return settled, both[0].deviation


def _part(before: Estimate, after: Estimate, share: int) -> Estimate:
    return Estimate(
        before.mean + (after.mean - before.mean) / share,
        before.deviation + (after.deviation - before.deviation) / share,
    )
