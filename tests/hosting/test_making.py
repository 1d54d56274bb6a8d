"""A backup is whole or has no name, and only its owner reads it."""

import asyncio
import errno
import fcntl
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from threading import Event

import pytest

from bot.__main__ import main
from bot.db.copies import Copied, CopyError, OldBackupError, delete_left
from bot.db.database import Database
from bot.hosting import backup
from bot.hosting.backup import back_up, make
from tests.support.clock import NOON, FakeClock
from tests.support.filled import fill
from tests.support.no_room import no_room
from tests.support.practices import add_practices

pytestmark = pytest.mark.sqlite  # PostgreSQL is backed up by its own programs

NAME = "focdle-kept-2026-11-20T120000Z.db"


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


async def test_a_backup_contains_what_an_open_database_had(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.db'}"
    folder = tmp_path / "backups"
    database = await Database.open(url)
    await database.write(fill)
    copied = await back_up(url, folder, FakeClock())
    await database.close()
    with (
        closing(sqlite3.connect(tmp_path / "games.db")) as first,
        closing(sqlite3.connect(copied.file)) as second,
    ):
        assert list(second.iterdump()) == list(first.iterdump())
    assert copied.rows > 0
    assert names(folder) == [copied.file.name] == [NAME]
    assert copied.file.stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700


async def test_what_a_killed_process_has_left_is_removed_and_what_is_being_made_stays(
    database_url: str, tmp_path: Path
) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    at_work = "focdle-2026-11-20T115959Z.db.unfinished"
    left = [f"focdle-2026-11-20T100000Z.db.unfinished{log}" for log in ("", "-wal", "-journal")]
    others = [at_work, f"{at_work}-wal", "mine.unfinished", "focdle-of-march.db.unfinished"]
    for name in (*left, *others):
        (folder / name).write_bytes(b"half")
    with (folder / at_work).open("rb") as copy:
        fcntl.flock(copy, fcntl.LOCK_EX)  # which is this process's own, as the bot's is
        await back_up(database_url, folder, FakeClock())
        assert names(folder) == sorted([NAME, *others])
    delete_left(folder)
    assert names(folder) == sorted([NAME, *others[2:]])


async def test_expired_backups_are_removed_after_the_new_one_and_foreign_files_stay(
    database_url: str, tmp_path: Path
) -> None:
    folder, clock = tmp_path / "backups", FakeClock()
    made = await make(database_url, folder, clock)
    ours = [made.copied.file.name]
    others = ["focdle-2026-01-01T000000Z.db.bak", "focdle-2026-13-01T000000Z.db", "x.db", "notes"]
    for name in others:
        (folder / name).write_bytes(b"mine")
    (folder / "focdle-2026-01-02T000000Z.db").mkdir()
    (folder / "focdle-2026-01-03T000000Z.db").symlink_to(folder / "notes")
    there = {*names(folder)} - {*ours}
    for _ in range(3):
        clock.advance(days=15)
        made = await make(database_url, folder, clock)
        ours.append(made.copied.file.name)
    assert {*names(folder)} == there | {*ours[-2:]}
    assert (made.gone, made.oldest) == (1, NOON + timedelta(days=30))


async def test_a_backup_made_by_hand_never_expires(database_url: str, tmp_path: Path) -> None:
    folder, clock = tmp_path / "backups", FakeClock()
    by_hand = await back_up(database_url, folder, clock)
    own = await make(database_url, folder, clock)  # in the same second
    clock.advance(minutes=1)
    also_by_hand = await back_up(database_url, folder, clock)
    clock.advance(days=1)
    await make(database_url, folder, clock)
    assert own.copied.file.exists()  # of its own it is the day's newest
    clock.advance(days=30)
    made = await make(database_url, folder, clock)
    kept = {by_hand.file.name, also_by_hand.file.name}
    assert {*names(folder)} == kept | {made.copied.file.name}
    assert own.copied.file.name not in kept
    assert made.oldest == NOON  # so that what was deleted since is noted


async def test_a_full_disk_keeps_the_old_backups_and_leaves_no_partial_one(
    database_url: str, tmp_path: Path
) -> None:
    folder, clock = tmp_path / "backups", FakeClock()
    await make(database_url, folder, clock)
    clock.advance(weeks=4)
    with no_room(100_000), pytest.raises(CopyError):
        await make(database_url, folder, clock)
    assert names(folder) == ["focdle-2026-11-20T120000Z.db"]
    await make(database_url, folder, clock)
    assert names(folder) == ["focdle-2026-12-18T120000Z.db"]


async def test_an_unwritable_folder_of_backups_is_reported(
    database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    wanted = ["backup", database_url, str(tmp_path / "file" / "backups")]
    assert await asyncio.to_thread(main, wanted) == 2
    assert capsys.readouterr().err == (
        "There is no new backup (Not a directory); the earlier ones are there. Check that the bot "
        "may write to the folder, and that the disk has room.\n"
    )


async def test_an_old_backup_that_cannot_be_deleted_is_not_reported_as_a_missing_new_one(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, clock = tmp_path / "backups", FakeClock()
    old = (await make(database_url, folder, clock)).copied.file
    clock.advance(weeks=4)
    unlink = Path.unlink

    def refuse(file: Path, *, missing_ok: bool = False) -> None:
        if file == old:
            raise PermissionError(errno.EACCES, "Permission denied")
        unlink(file, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(OldBackupError) as failed:
        await make(database_url, folder, clock)
    assert names(folder) == [old.name, "focdle-2026-12-18T120000Z.db"]
    assert failed.value.advice.startswith("The backup is there, but an old one")


class Asked(asyncio.Task[Copied]):
    """Is cancelled when what it does in other threads has asked so often whether it is."""

    left = 0

    def cancelling(self) -> int:
        self.left -= 1
        if not self.left:
            is_cancelled = Event()
            loop = self.get_loop()
            loop.call_soon_threadsafe(self.cancel)
            loop.call_soon_threadsafe(is_cancelled.set)
            is_cancelled.wait()
        return super().cancelling()


@pytest.mark.parametrize(("rows", "when"), [(0, 1), (5000, 12)], ids=["copies", "reads it back"])
async def test_a_cancelled_backup_leaves_no_file(
    database_url: str, tmp_path: Path, rows: int, when: int
) -> None:
    add_practices(tmp_path, rows, 11)
    making = Asked(back_up(database_url, tmp_path / "backups", FakeClock()))
    making.left = when
    with pytest.raises(asyncio.CancelledError):
        await making
    assert making.left == 0  # so that it was ended there and then
    assert names(tmp_path / "backups") == []


async def test_another_backup_in_the_same_second_is_refused_with_its_own_message(
    database_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(backup, "SystemClock", FakeClock)
    wanted = ["backup", database_url, str(tmp_path / "backups")]
    found = [await asyncio.to_thread(main, wanted) for _ in range(2)]
    assert found == [0, 2]
    assert (
        capsys.readouterr().err == "There is a backup of this second already. Please try again.\n"
    )
