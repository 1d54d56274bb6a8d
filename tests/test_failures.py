"""What fails again and again is told in full once, then in a line, less and less often."""

import logging

import pytest

from bot.errors import ClosingError, StorageBusyError, UnusableDatabaseError
from bot.failures import Failures
from tests.support.flow import all_of, one_by_one

log = logging.getLogger("bot.test_failures")


@pytest.fixture
def failures() -> Failures:
    return Failures(log)


def told(caplog: pytest.LogCaptureFixture) -> list[tuple[str, bool]]:
    """What was logged, and whether with a traceback."""
    records = [record for record in caplog.records if record.name == log.name]
    return [(record.getMessage(), record.exc_info is not None) for record in records]


def test_a_repeated_failure_is_logged_in_full_once_and_then_at_each_doubling(
    failures: Failures, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(1000):
        failures.tell("no post", KeyError("hour"))
    lines = [
        f"no post: failed {n} times so far, KeyError('hour')" for n in (2, 4, 8, 16, 32, 64, 128)
    ]
    lines += [f"no post: failed {n} times so far, KeyError('hour')" for n in (256, 512)]
    assert told(caplog) == [("no post: failed this time", True), *((line, False) for line in lines)]


def test_each_players_first_failure_is_logged_in_full_without_naming_the_player(
    failures: Failures, caplog: pytest.LogCaptureFixture
) -> None:
    for player in (123456, 654321, 123456):
        failures.tell("no reminder", KeyError(), of=player)
    assert [full for _, full in told(caplog)] == [True, True, False]
    assert not any("123456" in line or "654321" in line for line, _ in told(caplog))


def test_a_different_error_or_one_after_a_success_is_logged_in_full(
    failures: Failures, caplog: pytest.LogCaptureFixture
) -> None:
    failures.tell("no post", KeyError())
    failures.tell("no post", ValueError())
    failures.tell("no post", ValueError())
    failures.worked("no post")
    failures.tell("no post", ValueError())
    assert [full for _, full in told(caplog)] == [True, True, False, True]


def test_the_counts_of_a_thousand_different_failures_are_kept(
    failures: Failures, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(2):
        for number in range(1000):
            failures.tell("no post", KeyError(), of=number)
    assert sum(full for _, full in told(caplog)) == 1000
    failures.tell("no post", KeyError(), of=1000)  # what has not failed for longest is forgotten
    failures.tell("no post", KeyError(), of=0)
    assert [full for _, full in told(caplog)][-2:] == [True, True]


async def test_a_failure_for_one_player_does_not_stop_the_work_for_others(
    failures: Failures, caplog: pytest.LogCaptureFixture
) -> None:
    async def half(number: int) -> int | None:
        if number == 2:
            raise KeyError(number)
        return None if number == 3 else number * 10

    each = failures.each("end of game", one_by_one([1, 2, 3, 4]), half)
    assert await all_of(each) == [10, 40]
    assert told(caplog) == [("end of game 2: failed this time", True)]

    async def busy(number: int) -> int:
        raise StorageBusyError(number)

    with pytest.raises(StorageBusyError):
        await all_of(failures.each("end of game", one_by_one([1]), busy))


def test_a_failing_attempt_is_logged_and_a_cancellation_is_not(
    failures: Failures, caplog: pytest.LogCaptureFixture
) -> None:
    def attempt(error: Exception | None = None) -> bool:
        with failures.telling("no post"):
            if error is not None:
                raise error
            return True
        return False

    assert [attempt(KeyError()), attempt(), attempt(KeyError())] == [False, True, False]
    with pytest.raises(ClosingError):
        attempt(ClosingError())
    assert told(caplog) == [("no post: failed this time", True)] * 2


def test_an_error_that_concerns_more_than_one_player_is_raised(
    failures: Failures, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(StorageBusyError), failures.telling("no post", but=(StorageBusyError,)):
        raise StorageBusyError
    assert told(caplog) == []


def test_a_full_disk_during_background_work_is_logged_in_one_line(
    failures: Failures, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(4):
        failures.tell("heartbeat", UnusableDatabaseError("database or disk is full"))
    times = "UnusableDatabaseError('database or disk is full')"
    assert told(caplog) == [
        ("heartbeat: failed this time, database or disk is full", False),
        (f"heartbeat: failed 2 times so far, {times}", False),
        (f"heartbeat: failed 4 times so far, {times}", False),
    ]


def test_a_busy_database_during_background_work_is_logged_in_one_line(
    failures: Failures, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(3):
        failures.tell("heartbeat", StorageBusyError())
    assert told(caplog) == [
        ("heartbeat: not this time, the database was busy", False),
        ("heartbeat: failed 2 times so far, StorageBusyError()", False),
    ]
