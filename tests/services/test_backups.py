"""A backup is whole or has no name, and only its owner reads it."""

import asyncio
import os
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from bot import backup
from bot.backup import main
from bot.errors import NoDatabaseError
from bot.services.backups import NoFileError, back_up
from bot.storage.database import Database
from tests.support.clock import NOON, FakeClock
from tests.support.filled import fill

pytestmark = pytest.mark.sqlite  # PostgreSQL is backed up by its own programs


async def test_a_backup_has_what_an_open_database_had(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.db'}"
    folder = tmp_path / "backups"
    database = await Database.open(url)
    async with database.transaction() as tx:
        await fill(tx)
    copied = await back_up(url, folder, FakeClock())
    await database.close()
    with (
        closing(sqlite3.connect(tmp_path / "games.db")) as first,
        closing(sqlite3.connect(copied.file)) as second,
    ):
        assert list(second.iterdump()) == list(first.iterdump())
    assert copied.rows > 0
    assert [file.name for file in folder.iterdir()] == [copied.file.name]
    assert copied.file.stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700


async def test_half_a_backup_is_begun_anew(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.db'}"
    await (await Database.open(url)).close()
    first = await back_up(url, tmp_path / "one", FakeClock())
    half = tmp_path / "two" / (first.file.name + ".unfinished")
    half.parent.mkdir()
    half.write_bytes(first.file.read_bytes()[:5000])
    second = await back_up(url, half.parent, FakeClock())
    assert second.rows == first.rows
    assert not half.exists()


async def test_what_was_left_unfinished_for_a_day_goes(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.db'}"
    await (await Database.open(url)).close()
    left, at_work = (tmp_path / f"focdle-{name}.db.unfinished" for name in ("left", "at-work"))
    for file in (left, at_work):
        file.write_bytes(b"half")
    for file, hours in ((left, 25), (at_work, 23)):
        begun = (NOON - timedelta(hours=hours)).timestamp()
        os.utime(file, (begun, begun))
    await back_up(url, tmp_path, FakeClock())
    assert not left.exists()
    assert at_work.exists()


async def test_two_of_one_second_are_told_apart_from_a_damaged_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"sqlite:///{tmp_path / 'games.db'}"
    await (await Database.open(url)).close()
    monkeypatch.setattr(backup, "SystemClock", FakeClock)
    found = [await asyncio.to_thread(main, [url, str(tmp_path / "backups")]) for _ in range(2)]
    assert found == [0, 2]
    assert (
        capsys.readouterr().err == "There is a backup of this second already. Please try again.\n"
    )


def test_what_is_no_database_gets_no_backup(tmp_path: Path) -> None:
    (tmp_path / "games.db").write_bytes(b"no database" * 1000)
    assert main([f"sqlite:///{tmp_path / 'games.db'}", str(tmp_path / "backups")]) == 2
    assert not list((tmp_path / "backups").glob("*.db"))


async def test_postgres_is_sent_to_its_own_program(tmp_path: Path) -> None:
    with pytest.raises(NoFileError):
        await back_up("postgresql+asyncpg://localhost/focdle", tmp_path, FakeClock())


async def test_a_file_that_is_not_there_gets_no_backup(tmp_path: Path) -> None:
    with pytest.raises(NoDatabaseError):
        await back_up(f"sqlite:///{tmp_path / 'games.db'}", tmp_path / "backups", FakeClock())
