"""Which backups are kept, and when the next one is due."""

from collections.abc import Collection, Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from bot.kept import Kept

NIGHT: Final = time(3, tzinfo=UTC)
"""From when on there is to be a backup of the night: not at midnight, when much else is due."""

_DAY: Final = timedelta(days=1)


def is_due(made: Collection[datetime], now: datetime) -> bool:
    """Whether there is no backup since the last night's hour, however long the bot was away.

    Args:
        made: when the backups were made that are there. Later ones than now were made by a wrong
            clock, and do not count.
        now: the present instant.
    """
    night = datetime.combine(now.astimezone(UTC).date(), NIGHT)
    since = night if night <= now else night - _DAY
    return not any(since <= at <= now for at in made)


def to_let_go(made: Collection[datetime], kept: Kept, now: datetime) -> set[datetime]:
    """Which backups are to be deleted: neither the newest, nor the newest of a time that is kept.

    Args:
        made: when the backups were made that are there. Later ones than now stay: nobody knows
            of when they are.
        kept: of which times one is kept.
        now: the present instant, in the first of these times.
    """
    past = sorted(at for at in made if at <= now)
    newest = {period: at for at in past for period in _periods(at, kept, now)}
    return {*past} - {*newest.values(), *past[-1:]}


def _periods(at: datetime, kept: Kept, now: datetime) -> Iterator[tuple[str, int]]:
    """The times that are kept and have an instant, each with how many have passed since."""
    then, today = at.astimezone(UTC).date(), now.astimezone(UTC).date()
    days = (today - then).days
    weeks = (_monday(today) - _monday(then)).days // 7
    for name, passed, many in (("days", days, kept.days), ("weeks", weeks, kept.weeks)):
        if passed < many:
            yield name, passed


def _monday(day: date) -> date:
    return day - day.weekday() * _DAY
