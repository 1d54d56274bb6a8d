"""What a streak makes of a date: what its player must know, and what is near."""

from datetime import date, timedelta

import pytest

from bot.focdle.model import Aim, News, StreakFate, goal_of, news_of
from bot.streaks.model import Missed, PlayedDates, Streak, work_out

FIRST = date(2026, 12, 1)


def day(n: int) -> date:
    return FIRST + timedelta(days=n)


def lived(days: str, *, over: int | None = None) -> Streak:
    """The streak after dates: `s` solved, `h` with hints, `x` lost, `e` excused, `.` idle.

    Args:
        days: the dates; all but the last are over.
        over: how many are over.
    """

    def those(kind: str) -> frozenset[date]:
        return frozenset(day(n) for n, what in enumerate(days) if what == kind)

    helped = frozenset(those("h"))
    last = day((len(days) - 1 if over is None else over) - 1)
    lost = dict.fromkeys(those("x"), Missed.LOST)
    return work_out(
        PlayedDates(helped | those("s"), last, lost, down=frozenset(those("e")), helped=helped)
    )


@pytest.mark.parametrize(
    ("days", "news"),
    [
        ("s", None),
        ("ss", None),
        ("sss.s", (StreakFate.ENDED, 3, 3, 0)),
        ("sss....s", (StreakFate.ENDED, 3, 3, 0)),
        ("sss.ss", None),  # it was told with the date before
        ("s.s", None),  # one day is no loss
        ("sssssss.s", (StreakFate.SAVED, 7, 7, 1)),
        ("s" * 14 + "..s", (StreakFate.SAVED, 14, 15, 2)),
        ("sssssss..s", (StreakFate.ENDED, 7, 8, 0)),
        ("sses", None),
        ("ssh", None),
        ("sssssss.h", (StreakFate.SAVED, 7, 7, 1)),
        ("h", None),
    ],
)
def test_who_solves_a_daily_is_told_the_dates_missed_or_saved_since_the_last_solved_one(
    days: str, news: tuple[StreakFate, int, int, int] | None
) -> None:
    last = len(days) - 1
    told = news_of(lived(days), day(last), is_solved=True, is_today=True)
    expected = news and News(news[0], news[1], day(news[2]), news[3])
    assert told == expected


@pytest.mark.parametrize(
    ("days", "now", "afterwards"),
    [
        ("x", None, None),
        ("ssx", StreakFate.AT_RISK, StreakFate.ENDED),
        ("sx", StreakFate.AT_RISK, None),
        ("sssssssx", StreakFate.SAFE, StreakFate.SAVED),
    ],
)
def test_a_loss_tells_the_risk_to_the_streak_and_later_the_outcome(
    days: str, now: StreakFate | None, afterwards: StreakFate | None
) -> None:
    last = day(len(days) - 1)
    for over, is_today, fate in (
        (len(days) - 1, True, now),
        (len(days) - 1, False, None),  # further west it is still that date
        (len(days), False, afterwards),
    ):
        news = news_of(lived(days, over=over), last, is_solved=False, is_today=is_today)
        assert (news and news.fate) == fate


@pytest.mark.parametrize(
    ("days", "goal"),
    [
        ("", None),
        ("s", (Aim.FREEZE, 6, 7)),
        ("ssssss", (Aim.FREEZE, 1, 7)),
        ("sssssss", (Aim.FREEZE, 7, 14)),
        ("hs", (Aim.MILESTONE, 5, 7)),
        ("hssssss", (Aim.FREEZE, 1, 8)),
        ("sssss.sssss", (Aim.FREEZE, 2, 7)),
        ("sssss.ssssss", (Aim.FREEZE, 1, 7)),
        ("ss.s", (Aim.FREEZE, 6, 7)),
        ("s" * 14, None),
        ("s" * 22, None),
        ("s" * 23, (Aim.MILESTONE, 7, 30)),
        ("s" * 29, (Aim.MILESTONE, 1, 30)),
        ("s" * 99, (Aim.MILESTONE, 1, 100)),
        ("s" * 199, None),
        ("sss.", None),
    ],
)
def test_an_ending_tells_the_nearest_goal(days: str, goal: tuple[Aim, int, int] | None) -> None:
    found = goal_of(lived(days, over=len(days)), day(len(days) - 1))
    assert (found and (found.aim, found.days, found.length)) == goal


def test_the_board_of_an_earlier_date_tells_no_goal() -> None:
    assert goal_of(lived("sss"), day(1)) is None
