"""Before a database is brought up to date it is copied, and whoever goes back finds the copy."""

import logging
import shutil
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.config import Settings
from bot.db import before_migrating
from bot.db import database as databases
from bot.db.before_migrating import CopiesBefore
from bot.db.copies import Name, backups_in, copy_file
from bot.errors import DamagedDatabaseError, NewerDatabaseError
from bot.hosting.backup import make, put_back
from bot.hosting.deep_checks import DatabaseChecks
from bot.services import Services, open_services
from tests.support import later
from tests.support.clock import FakeClock
from tests.support.no_room import no_room
from tests.support.sql import sql
from tests.support.table import KEY

pytestmark = pytest.mark.sqlite  # PostgreSQL is copied by its own programs

ANN = 770_000_000_000_000_001
BEFORE = later.BEFORE
NEWEST = later.REVISION


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "backups"


@pytest.fixture
def earlier(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database of an earlier version, in which somebody has played."""
    assert database_url
    insert = "INSERT INTO players (player_id, name, seen_at)"
    sql(tmp_path, f"{insert} VALUES ({ANN}, 'Ann', '2026-11-20 12:00:00.000000')")
    later.come(monkeypatch.setattr)


@asynccontextmanager
async def bot(url: str, clock: FakeClock, folder: Path | None) -> AsyncGenerator[Services]:
    opened = open_services(url, clock, puzzle_key=KEY, backups=folder)
    async with opened as services:
        yield services


def files(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir()) if folder.exists() else []


def revision_in(file: Path) -> str:
    with closing(sqlite3.connect(file)) as copy:
        ((revision,),) = copy.execute("SELECT version_num FROM alembic_version").fetchall()
        return str(revision)


@pytest.mark.usefixtures("earlier")
async def test_a_start_that_migrates_copies_the_database_first_and_the_next_start_does_not(
    database_url: str, tmp_path: Path, folder: Path, clock: FakeClock
) -> None:
    for _ in range(2):
        async with bot(database_url, clock, folder):
            clock.advance(minutes=1)
    name = f"focdle-2026-11-20T120000Z-of-{BEFORE}.db"
    assert files(folder) == [name]
    assert revision_in(folder / name) == BEFORE
    assert sql(tmp_path, "SELECT version_num FROM alembic_version") == [(NEWEST,)]


@pytest.mark.usefixtures("earlier")
async def test_no_process_writes_between_the_copy_and_the_migration(
    database_url: str, tmp_path: Path, folder: Path, clock: FakeClock
) -> None:
    class Copies(CopiesBefore):
        async def make(self, file: Path | None, revision: str) -> None:
            await super().make(file, revision)
            with (
                closing(sqlite3.connect(tmp_path / "test.db", timeout=0)) as other,
                pytest.raises(sqlite3.OperationalError, match="locked"),
            ):
                other.execute("DELETE FROM streaks")

    database = await databases.Database.open(database_url, copies=Copies(folder, clock))
    await database.close()
    assert len(files(folder)) == 1


async def test_a_new_or_current_database_is_not_copied_at_the_start(
    database_url: str, tmp_path: Path, folder: Path, clock: FakeClock
) -> None:
    for url in (database_url, f"sqlite:///{tmp_path / 'new.db'}"):
        async with bot(url, clock, folder):
            pass
    assert files(folder) == []


@pytest.mark.usefixtures("earlier")
def test_the_forget_command_also_copies_the_database_before_it_migrates(
    database_url: str, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text(f"DATABASE_URL={database_url}\nBACKUPS={folder}\n")
    assert main(["forget", str(ANN), "--yes"]) == 0
    assert [name.revision for name in backups_in(folder).values()] == [BEFORE]


@pytest.mark.usefixtures("earlier")
def test_a_move_copies_a_database_that_it_migrates(
    database_url: str, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text(f"BACKUPS={folder}\n")
    assert main(["move", database_url, "sqlite:///new.db"]) == 0
    assert [name.revision for name in backups_in(folder).values()] == [BEFORE]


@pytest.mark.parametrize("lacks", ["room", "folder", "wish"])
@pytest.mark.usefixtures("earlier")
async def test_a_start_that_cannot_copy_migrates_all_the_same_and_says_so(
    lacks: str,
    database_url: str,
    tmp_path: Path,
    clock: FakeClock,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING, before_migrating.__name__)
    (tmp_path / "file").touch()
    place = {"room": tmp_path / "b", "folder": tmp_path / "file" / "b", "wish": None}[lacks]
    why = {
        "room": "twice its size is not free on the disk",
        "folder": "Not a directory",
        "wish": "BACKUPS is off",
    }[lacks]
    if lacks == "room":
        size = (tmp_path / "test.db").stat().st_size
        usage = shutil.disk_usage(tmp_path)._replace(free=2 * size - 1)

        def almost_full(_path: Path) -> object:
            return usage

        monkeypatch.setattr(shutil, "disk_usage", almost_full)
    async with bot(database_url, clock, place):
        pass
    said = f"the database is brought up to date without a copy: {why}"
    assert [record.getMessage() for record in caplog.records] == [said]
    assert sql(tmp_path, "SELECT version_num FROM alembic_version") == [(NEWEST,)]


@pytest.mark.usefixtures("earlier")
async def test_a_full_disk_during_the_copy_leaves_no_partial_copy(
    database_url: str, folder: Path, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    with no_room(100_000):
        copies = CopiesBefore(folder, clock)
        await copies.make(databases.file_at(database_url), BEFORE)
    assert "without a copy" in caplog.text
    assert files(folder) == []


@pytest.mark.usefixtures("earlier")
async def test_a_damaged_database_is_not_migrated(
    database_url: str, tmp_path: Path, folder: Path, clock: FakeClock
) -> None:
    file = tmp_path / "test.db"
    content = file.read_bytes()
    ((root,),) = sql(tmp_path, "SELECT rootpage FROM sqlite_master WHERE name = 'hints'")
    place = (int(root) - 1) * 4096
    file.write_bytes(content[:place] + b"\xa5" * 4096 + content[place + 4096 :])
    with pytest.raises(DamagedDatabaseError):
        async with bot(database_url, clock, folder):
            pass
    assert files(folder) == []
    assert sql(tmp_path, "SELECT version_num FROM alembic_version") == [(BEFORE,)]


@pytest.mark.usefixtures("earlier")
async def test_an_older_version_names_the_newest_copy_that_it_can_use(
    database_url: str, tmp_path: Path, folder: Path, clock: FakeClock
) -> None:
    sql(tmp_path, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(NewerDatabaseError) as refused:
        async with bot(database_url, clock, folder):
            pass
    assert "restore" not in refused.value.advice
    for day, revision in ((1, BEFORE), (2, NEWEST), (3, "9998"), (4, "")):
        name = Name(datetime(2026, 11, day, tzinfo=UTC), revision=revision)
        await copy_file(tmp_path / "test.db", folder, name)
    with pytest.raises(NewerDatabaseError) as refused:
        async with bot(database_url, clock, folder):
            pass
    copy = folder / f"focdle-2026-11-02T000000Z-of-{NEWEST}.db"
    settings = Settings("", database_url, backups=folder)
    checks = DatabaseChecks(settings, clock)
    assert [str(copy) in found.text async for found in checks.schema()] == [True]
    await checks.close()
    assert refused.value.advice.endswith(f"python -m bot restore {copy}")


@pytest.mark.usefixtures("earlier")
async def test_a_copy_expires_like_a_nightly_backup_and_its_restore_repeats_later_deletions(
    database_url: str, tmp_path: Path, folder: Path, clock: FakeClock
) -> None:
    async with bot(database_url, clock, folder) as services:
        services.privacy.deletions.keep_in(folder)
        clock.advance(hours=1)
        await services.privacy.players.delete(ANN, "DELETE")
    (copy,) = backups_in(folder)
    found = await put_back(database_url, copy, {folder}, clock)
    assert found.deleted == 1
    assert sql(tmp_path, f"SELECT * FROM players WHERE player_id = {ANN}") == []
    for _ in range(28):
        assert copy.exists() or clock.now() >= datetime(2026, 11, 27, tzinfo=UTC)
        clock.advance(days=1)
        await make(database_url, folder, clock)
    assert not copy.exists()
