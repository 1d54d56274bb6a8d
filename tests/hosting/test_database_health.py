"""What the database tells of itself, and the folder of its backups."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.database_health import DatabaseHealth
from bot.db.database import Database
from bot.outages import ShardRange
from bot.services import Services
from tests.support.clock import FakeClock

FIRST, SECOND = (2 << 22) + 42, (3 << 22) + 42
"""Servers on the first and on the second of two shards."""


async def set_up(services: Services, clock: FakeClock, guild_id: int) -> datetime:
    """A server that wants posts; when its first one is due."""
    clock.set(datetime(2026, 11, 19, 12, tzinfo=UTC))
    await services.settings.change(guild_id, channel_id=1, zone="UTC")
    due_at = (await services.posts.choices.view(guild_id)).next_at
    assert due_at is not None
    return due_at


async def late(services: Services) -> int:
    return (await services.health.look()).late_posts


async def test_a_post_counts_as_late_a_minute_after_its_time_until_a_process_claims_it(
    services: Services, clock: FakeClock
) -> None:
    clock.set(await set_up(services, clock, FIRST))
    assert await services.posts.book.due() == [FIRST]
    clock.advance(seconds=59)
    assert await late(services) == 0
    clock.advance(seconds=1)
    assert await late(services) == 1
    assert await services.posts.book.claim(FIRST) is not None
    assert await late(services) == 0


async def test_each_process_counts_late_posts_of_its_own_servers(
    services: Services, clock: FakeClock, database_url: str
) -> None:
    due = [await set_up(services, clock, guild_id) for guild_id in (FIRST, SECOND, SECOND + 1)]
    clock.set(max(due) + timedelta(minutes=1))
    database = await Database.open(database_url)
    ranges = [ShardRange(number, number, 2) for number in range(2)]
    found = [await DatabaseHealth(database, clock, each).look() for each in ranges]
    await database.close()
    assert [each.late_posts for each in found] == [1, 2]


async def test_the_reported_size_is_that_of_the_database(services: Services) -> None:
    assert 100_000 < (await services.health.look()).size < 100_000_000


async def test_health_reports_the_newest_backup_whichever_program_made_it(
    clock: FakeClock, database_url: str, tmp_path: Path
) -> None:
    clock.set(datetime(2026, 11, 26, 12, tzinfo=UTC))
    folder = tmp_path / "backups"
    database = await Database.open(database_url)
    health = DatabaseHealth(database, clock, backups=folder)
    assert await DatabaseHealth(database, clock).backed_up_at() is None
    assert await health.backed_up_at() is None
    folder.mkdir()
    for name, newest in (
        ("focdle-2026-11-26T030000Z.db.unfinished", None),
        ("games.db", None),
        ("focdle-2026-11-24T030000Z.db", datetime(2026, 11, 24, 3, tzinfo=UTC)),
        ("focdle-kept-2026-11-25T171500Z.db", datetime(2026, 11, 25, 17, 15, tzinfo=UTC)),
        ("focdle-2026-11-25T180000Z-of-0041.db", datetime(2026, 11, 25, 18, tzinfo=UTC)),
        # While the clock was wrong.
        ("focdle-2027-11-26T030000Z.db", datetime(2026, 11, 25, 18, tzinfo=UTC)),
    ):
        (folder / name).touch()
        assert await health.backed_up_at() == newest
    await database.close()
