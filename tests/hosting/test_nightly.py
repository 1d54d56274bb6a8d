"""The night's backup: once, whatever the bot was doing at that hour, and after every failure."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.db.copies import CopyError
from bot.hosting.backup import Nightly
from bot.privacy import deletion_log
from bot.services import Services, open_services
from tests.support.clock import FakeClock
from tests.support.no_room import no_room
from tests.support.sql import sql, statements
from tests.support.table import KEY

pytestmark = pytest.mark.sqlite

ANN, BEN = 770_000_000_000_000_001, 770_000_000_000_000_002


def nightly(services: Services, url: str, folder: Path, clock: FakeClock) -> Nightly:
    """What a process has that has just started."""
    services.privacy.deletions.keep_in(folder)
    return Nightly(url, folder, clock, services.leases, services.privacy.deletions)


def made_at(folder: Path) -> list[str]:
    return sorted(file.name[7:-4] for file in folder.glob("*.db"))


async def test_each_night_has_one_backup_even_after_a_restart(
    services: Services, database_url: str, tmp_path: Path, clock: FakeClock
) -> None:
    folder, made = tmp_path / "backups", list[str]()
    for moment in (
        "2026-11-20T12:00",  # the first start
        "2026-11-20T13:00",
        "2026-11-21T02:59",
        "2026-11-21T03:00",
        "2026-11-21T23:00",
        "2026-11-25T09:00",  # it was down for some nights
        "2026-11-26T02:00",
    ):
        clock.set(datetime.fromisoformat(moment).replace(tzinfo=UTC))
        if await nightly(services, database_url, folder, clock).make_if_due():
            made.append(moment)
    assert made == ["2026-11-20T12:00", "2026-11-21T03:00", "2026-11-25T09:00"]
    assert made_at(folder) == ["2026-11-20T120000", "2026-11-21T030000", "2026-11-25T090000"]


async def test_two_processes_make_one_backup_a_night(
    services: Services, database_url: str, tmp_path: Path, clock: FakeClock
) -> None:
    async with open_services(database_url, clock, puzzle_key=KEY) as other:
        both = [nightly(each, database_url, tmp_path / "b", clock) for each in (services, other)]
        made = await asyncio.gather(*(each.make_if_due() for each in both))
    assert sorted(each is None for each in made) == [False, True]
    assert len(made_at(tmp_path / "b")) == 1


async def test_a_failed_backup_is_repeated_an_hour_later(
    services: Services, database_url: str, tmp_path: Path, clock: FakeClock
) -> None:
    tonight = nightly(services, database_url, tmp_path / "backups", clock)
    with no_room(100_000), pytest.raises(CopyError):
        await tonight.make_if_due()
    clock.advance(hours=1)
    assert await tonight.make_if_due() is not None
    with statements() as made:
        assert await tonight.make_if_due() is None
    assert made == []  # it asks only the folder, each hour


async def test_a_deletion_stays_recorded_until_every_backup_is_younger(
    services: Services, database_url: str, tmp_path: Path, clock: FakeClock
) -> None:
    folder = tmp_path / "backups"
    tonight = nightly(services, database_url, folder, clock)
    await tonight.make_if_due()
    await services.privacy.players.delete(ANN, "DELETE")
    clock.set(datetime(2026, 11, 21, 3, tzinfo=UTC))
    await tonight.make_if_due()
    await services.privacy.players.delete(BEN, "DELETE")
    assert known_and_noted(tmp_path) == (2, 2)  # the backup of the day before is older
    clock.set(datetime(2026, 11, 27, 3, tzinfo=UTC))
    await tonight.make_if_due()
    assert known_and_noted(tmp_path) == (1, 1)
    assert [file.name for file in folder.glob("*.jsonl")] == ["deletions-2026-11-21.jsonl"]
    clock.set(datetime(2026, 12, 14, 3, tzinfo=UTC))
    await tonight.make_if_due()
    assert known_and_noted(tmp_path) == (0, 0)


def known_and_noted(folder: Path) -> tuple[int, int]:
    """How many deletions the database knows, and how many lists have."""
    known = sql(folder, "SELECT * FROM facts WHERE name LIKE 'deletion %'")
    found = deletion_log.read_all({folder / "backups"})
    return len(known), 0 if found is None else len(found[0])
