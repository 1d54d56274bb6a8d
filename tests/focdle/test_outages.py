"""The bot's absences: which are noted, for how long, and who has to look at them."""

from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.effects import DateEffect
from bot.outages import Outage
from bot.shards.game import note_outage
from tests.support.clock import NOON
from tests.support.duels import ANN, playing
from tests.support.sql import overheard, sql
from tests.support.town import Town

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
async def town(town: Town) -> Town:
    await town.services.heartbeat.beat()
    return town


async def away(town: Town, time: timedelta) -> None:
    """Let the bot be away for a time, and back."""
    await town.services.heartbeat.pause()
    town.clock.advance(seconds=time.total_seconds())
    await town.services.heartbeat.beat()


async def there(town: Town, time: timedelta) -> None:
    """Let a time pass in which the bot is there."""
    town.clock.advance(seconds=time.total_seconds())
    sql(town.folder, "DELETE FROM pulses")
    await town.services.heartbeat.beat()


async def note(town: Town, began: datetime, ended: datetime) -> None:
    """Note an outage of some other time."""
    await town.database.write(lambda tx: note_outage(tx, Outage(began, ended)))


def noted(town: Town) -> list[tuple[timedelta, timedelta, bool]]:
    """When outages began and ended, after noon, and whether they are brief."""
    rows = sql(town.folder, "SELECT began_at, ended_at, is_brief FROM outages ORDER BY began_at")
    return [(_since_noon(began), _since_noon(ended), bool(brief)) for began, ended, brief in rows]


def _since_noon(text: str) -> timedelta:
    return datetime.fromisoformat(text).replace(tzinfo=UTC) - NOON


async def test_two_outages_less_than_a_minute_apart_are_one(town: Town) -> None:
    await away(town, 20 * SECOND)
    await there(town, 50 * SECOND)
    assert noted(town) == [(0 * SECOND, 20 * SECOND, True)]
    await away(town, 30 * SECOND)
    await there(town, 2 * MINUTE)
    assert noted(town) == [(0 * SECOND, 100 * SECOND, False)]
    await away(town, 40 * SECOND)
    assert noted(town)[1:] == [(220 * SECOND, 260 * SECOND, True)]


async def test_brief_outages_are_forgotten_after_thirty_days(town: Town) -> None:
    await away(town, 59 * SECOND)
    await there(town, HOUR)
    await away(town, MINUTE)
    await there(town, 29 * DAY)
    await away(town, 20 * SECOND)
    assert [brief for *_, brief in noted(town)] == [True, False, True]
    await there(town, DAY)
    await away(town, 20 * SECOND)
    assert [brief for *_, brief in noted(town)] == [False, True, True]


async def test_a_brief_outage_prolongs_no_turn_of_a_duel(town: Town) -> None:
    game = await playing(town.services)
    assert game.deadline_at is not None
    await there(town, 10 * SECOND)
    await away(town, 50 * SECOND)
    after = await town.services.duels.playing.view(ANN, game.duel.id)
    assert after.deadline_at == game.deadline_at
    await away(town, MINUTE)  # as one with the brief one
    after = await town.services.duels.playing.view(ANN, game.duel.id)
    assert after.deadline_at == game.deadline_at + 110 * SECOND


@pytest.mark.parametrize(("back_for", "is_excused"), [(20 * SECOND, True), (2 * MINUTE, False)])
async def test_brief_outages_excuse_a_date_when_nobody_could_play_between_them(
    town: Town, back_for: timedelta, *, is_excused: bool
) -> None:
    await town.play(ANN, None)
    await there(town, 35 * HOUR)  # to an hour before the end of the next date
    for _ in range(6):
        await away(town, 50 * SECOND)
        await there(town, back_for)
    await there(town, 12 * HOUR)
    streak = (await town.services.statistics.of(ANN, viewer_id=ANN)).streak
    assert (streak.length == 1) == is_excused


async def test_many_brief_outages_excuse_no_date(town: Town) -> None:
    await town.play(ANN, None)
    for minute in range(0, 4 * 60, 3):  # an hour and ten minutes in all
        began = datetime(2026, 11, 21, 8 + minute // 60, minute % 60, tzinfo=UTC)
        await note(town, began, began + 53 * SECOND)
    await there(town, 2 * DAY)
    assert (await town.services.statistics.of(ANN, viewer_id=ANN)).streak.length == 0


@contextmanager
def looks_at_outages() -> Generator[list[tuple[Any, ...]]]:
    """With which values outages are asked for meanwhile."""
    found: list[tuple[Any, ...]] = []

    def note(text: str, values: tuple[Any, ...]) -> None:
        if "FROM outages" in text:
            found.append(values)

    with overheard(note):
        yield found


async def test_only_outages_of_dates_that_can_still_be_excused_are_examined(town: Town) -> None:
    await town.play(ANN, None)
    for _ in range(2):
        await there(town, DAY)
        with looks_at_outages() as looks:
            await town.play(ANN, None)
        assert looks == []  # nothing is missed
    await there(town, 2 * DAY)
    with looks_at_outages() as looks:
        await town.play(ANN, None)
    missed = "2026-11-23"
    ((*values,),) = looks
    since, until = (value for value in values if isinstance(value, str))
    assert "2026-11-21" < since < missed < until < "2026-11-26"
    await town.settle()
    for _ in range(8):
        await there(town, DAY)
        await town.play(ANN, None)
    await there(town, DAY)
    with looks_at_outages() as looks:
        streak = (await town.play(ANN, None)).ending.streak
    assert looks == []  # what came of it stands
    assert streak is not None
    assert [change.day.isoformat() for change in streak.changes][3] == missed


async def test_an_outage_recorded_late_still_excuses_its_date(town: Town) -> None:
    await town.play(ANN, None)
    town.at("2026-11-22T00:30")
    await town.settle()
    streak = (await town.services.statistics.of(ANN, viewer_id=ANN)).streak
    assert streak.length == 1  # nobody has heard of the bot since noon of the day before
    sql(town.folder, "DELETE FROM pulses")
    streak = (await town.services.statistics.of(ANN, viewer_id=ANN)).streak
    assert streak.length == 0
    morning = datetime(2026, 11, 21, 8, tzinfo=UTC)
    await note(town, morning, morning + 2 * HOUR)
    town.at("2026-11-27T12:00")
    streak = (await town.play(ANN, None)).ending.streak
    assert streak is not None
    assert streak.changes[1].reason is DateEffect.EXCUSED_OUTAGE
