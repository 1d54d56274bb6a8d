"""What streaks had come to before newer rules stands: they hold from a date on, never before it."""

import sqlite3
from collections.abc import AsyncGenerator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

from bot.people.game import fair_since
from tests.support.clock import FakeClock
from tests.support.sql import sql
from tests.support.town import Town, open_town

PAST: Final = Path(__file__).with_name("streaks_before.sql")
PLAYERS: Final = (1, 2, 3, 4, 5, 6)
UPGRADE: Final = datetime(2026, 3, 18, 12, tzinfo=UTC)
FAIR_SINCE: Final = "2026-03-20"

Row = tuple[Any, ...]


@pytest.fixture
async def town(tmp_path: Path) -> AsyncGenerator[Town]:
    path = tmp_path / "test.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(PAST.read_text(encoding="utf-8"))
    async with open_town(tmp_path, f"sqlite:///{path}", FakeClock(UPGRADE)) as opened:
        yield opened


def lengths(town: Town) -> list[Row]:
    """Everybody's streak, best and freezes."""
    return sql(town.folder, "SELECT player_id, length, best, freezes FROM streaks ORDER BY 1")


def changes(town: Town) -> list[Row]:
    """What every date before the upgrade did to everybody's streak."""
    query = "SELECT * FROM streak_changes WHERE day < '2026-03-17' ORDER BY player_id, day"
    return sql(town.folder, query)


async def refresh(town: Town) -> None:
    for player in PLAYERS:
        await town.services.statistics.of(player, viewer_id=player)


def test_the_recorded_streaks_contain_excuses_and_restorations_of_every_kind(town: Town) -> None:
    found = {reason for (reason,) in sql(town.folder, "SELECT DISTINCT reason FROM streak_changes")}
    assert found >= {"excused_outage", "excused_zone", "restored", "kept_assisted", "solved_earned"}
    ((restored,),) = sql(
        town.folder,
        "SELECT count(*) FROM streak_changes WHERE reason = 'restored' AND day < '2026-01-13'",
    )
    assert restored == 7
    days = "SELECT day FROM streak_changes WHERE player_id = 2 AND reason = 'excused_zone'"
    assert [day for (day,) in sql(town.folder, days)] == ["2026-02-08", "2026-02-10", "2026-02-12"]


@pytest.mark.parametrize("is_stored", [True, False])
async def test_streaks_from_before_the_present_rules_of_outages_never_change(
    town: Town, *, is_stored: bool
) -> None:
    assert (await town.database.write(fair_since)).isoformat() == FAIR_SINCE
    streaks, before = lengths(town), changes(town)
    if not is_stored:  # they are worked out from the games alone
        sql(town.folder, "DELETE FROM streak_changes")
    await refresh(town)
    assert (lengths(town), changes(town)) == (streaks, before)
    # And so they do when life goes on, though brief outages are forgotten.
    for player in PLAYERS[:3]:
        await town.play(player, 100)
    for days in (1, 7, 60):
        town.clock.advance(days=days)
        await town.services.heartbeat.pause()
        town.clock.advance(seconds=1)
        await town.services.heartbeat.beat()
        await town.settle()
        await refresh(town)
        assert changes(town) == before
    bests = [best for _, _, best, _ in streaks]
    assert all(after[2] >= best for after, best in zip(lengths(town), bests, strict=True))
