"""Which backups stay is what the host has asked for, on whatever dates they were made."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.hosting.backup import expired, is_due
from tests.support.effort import examples

NOW = datetime(2026, 11, 24, 3, 5, tzinfo=UTC)

instants = st.integers(0, 329 * 24 * 60).map(
    lambda minutes: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
)


def stays(at: datetime, made: set[datetime], now: datetime) -> bool:
    """What is asked for, said of one backup."""
    past = {other for other in made if other <= now}

    def is_last_of(same: Callable[[datetime], object]) -> bool:
        return at == max(other for other in past if same(other) == same(at))

    today = now.date()
    days = {today - timedelta(days=n) for n in range(7)}
    weeks = {(today - timedelta(weeks=n)).isocalendar()[:2] for n in range(4)}
    return (
        at > now
        or at == max(past)
        or (at.date() in days and is_last_of(datetime.date))
        or (at.isocalendar()[:2] in weeks and is_last_of(lambda a: a.isocalendar()[:2]))
    )


@given(made=st.sets(instants, max_size=60))
@examples(200, 5000)
def test_the_newest_backups_of_seven_days_and_four_weeks_are_kept(made: set[datetime]) -> None:
    gone = expired(made, NOW)
    assert made - gone == {at for at in made if stays(at, made, NOW)}
    assert not made or made - gone


@given(
    gaps=st.lists(st.integers(1, 40), min_size=1, max_size=60),
    hours=st.lists(st.integers(0, 23), min_size=60, max_size=60),
)
@examples(100, 2000)
def test_deleting_expired_backups_after_each_new_one_keeps_the_same_ones_as_deleting_once(
    gaps: list[int], hours: list[int]
) -> None:
    at, ever, there = datetime(2026, 1, 1, tzinfo=UTC), set[datetime](), set[datetime]()
    for gap, hour in zip(gaps, hours, strict=False):
        at = (at + timedelta(days=gap)).replace(hour=hour)
        ever.add(at)
        there.add(at)
        there -= expired(there, at)
    assert there == {each for each in ever if stays(each, ever, at)}


def test_a_backup_dated_in_the_future_is_kept_beside_the_others_and_delays_no_backup() -> None:
    later = NOW + timedelta(days=3650)
    assert expired({later, NOW}, NOW) == set()
    assert is_due({later}, NOW)


@pytest.mark.parametrize(
    ("now", "last", "due"),
    [
        ("2026-11-24T02:59", "2026-11-23T03:00", False),
        ("2026-11-24T03:00", "2026-11-23T03:00", True),
        ("2026-11-24T03:00", "2026-11-24T02:59", True),
        ("2026-11-24T23:59", "2026-11-24T03:00", False),
        ("2026-11-24T09:00", "2026-11-20T12:00", True),  # the bot was away at night
        ("2026-11-25T02:00", "2026-11-24T12:00", False),  # a host made one by hand
        ("2026-11-25T03:00", "2026-11-24T12:00", True),
    ],
)
def test_a_backup_is_due_when_none_was_made_since_the_last_hour_for_backups(
    now: str, last: str, *, due: bool
) -> None:
    at, made = (datetime.fromisoformat(text).replace(tzinfo=UTC) for text in (now, last))
    assert is_due({made, made - timedelta(days=1)}, at) == due
    assert is_due([], at)
