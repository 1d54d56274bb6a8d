"""Backups as a host has them: beside the running bot, after a kill, and killed themselves."""

import shutil
import signal
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import closing
from pathlib import Path

import pytest

from bot.db.copies import delete_left
from tests.process.host import Host
from tests.process.loopback import Loopback
from tests.process.players import Player, stored_turns
from tests.support.databases import Databases, used
from tests.support.sql import sql

pytestmark = pytest.mark.sqlite

ANN, BEN, DAN = Player(5), Player(6), Player(7)


@pytest.mark.long(only=True)
async def test_a_damaged_file_is_restored_and_later_deletions_are_repeated(
    host: Host, discord: Loopback
) -> None:
    left = host.database.with_name("focdle.db.restoring")  # by a restore that was killed
    left.touch()
    run = host.fork()
    session = await discord.next_session()
    assert not left.exists()
    for player in (ANN, BEN):
        assert player.hear(await player.guess(session))
    # The night's backup, since there was none, in a folder that nobody has named.
    await host.until_logged("focdle-backups/focdle-")
    assert await host.fork_to_back_up("backup", "sqlite:///focdle.db", "by-hand").status() == 0
    (backup,) = (host.folder / "by-hand").iterdir()
    assert await host.fork_to_forget("5", "--yes").status() == 0
    assert DAN.hear(await DAN.guess(session))
    assert stored_turns(host).keys() == {6, 7}
    restoring = ("restore", str(backup))
    with host.database.open("r+b") as file:
        assert await host.fork_to_back_up(*restoring).status() == 2
        file.write(b"\0" * 8192)
    assert await host.fork_to_back_up(*restoring).status() == 2  # what is damaged is in use, too
    assert host.log.count("The bot is running, or another program has the database open.") == 2
    run.signal(signal.SIGKILL)
    await run.status()
    assert await host.fork_to_back_up(*restoring).status() == 0, host.log
    assert "Done again: 1 deletion made since then." in host.output
    assert host.output.splitlines()[-2] == "Start the bot now."
    assert used().are_whole(host.folder)
    assert stored_turns(host) == {6: [(0, BEN.guesses[0])]}
    host.fork()
    session = await discord.next_session()
    assert BEN.hear(await BEN.guess(session))
    assert len(stored_turns(host)[6]) == 2

    outages = "SELECT shard FROM outages WHERE began_at < ended_at GROUP BY shard ORDER BY shard"
    assert host.query(outages) == host.query("SELECT shard FROM pulses ORDER BY shard") != []


async def test_an_unwritable_backup_folder_does_not_stop_the_bot(
    host: Host, discord: Loopback
) -> None:
    (host.folder / "file").touch()
    host.environment["BACKUPS"] = "file/backups"
    run = host.fork()
    session = await discord.next_session()
    await host.until_logged("There is no new backup (Not a directory)")
    await Player(8).guess(session)
    run.signal(signal.SIGTERM)
    assert await run.status() == 0
    assert "Traceback" not in host.log
    assert host.log.count("There is no new backup") == 1
    assert "The bot tries again by itself." in host.log


@pytest.fixture
async def alone(tmp_path: Path, databases: Databases) -> AsyncGenerator[Host]:
    """Somebody whose bot was killed: some of what it stored is only in the log of the database."""
    databases.leave_to_the_bot(tmp_path)
    databases.new(tmp_path)
    host = Host(tmp_path, "")
    host.environment["BACKUPS"] = "backups"
    yield host
    await host.close()


def mark(folder: Path, text: str) -> None:
    sql(
        folder,
        f"INSERT INTO facts VALUES ('is', '{text}') ON CONFLICT DO UPDATE SET value='{text}'",
    )


def marked(file: Path) -> str:
    """What a database is marked with, if it is whole."""
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        ((text,),) = database.execute("SELECT value FROM facts WHERE name = 'is'").fetchall()
        return str(text)


def leave_as_if_killed(host: Host, text: str) -> None:
    """Mark the database only in its log."""
    copies = host.folder / "copies"
    copies.mkdir()
    with closing(sqlite3.connect(host.database, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("UPDATE facts SET value = ? WHERE name = 'is'", (text,))
        for each in host.folder.glob("focdle.db*"):
            shutil.copy(each, copies)
    for each in copies.iterdir():
        each.replace(host.folder / each.name)
    copies.rmdir()


async def steps_of(host: Host, *arguments: str) -> list[int]:
    """The steps of a backup or a restore."""
    assert await host.fork_to_back_up(*arguments).status() == 0, host.log
    many = int(host.output.split()[-2])
    assert many > 20
    return [*range(1, many + 1)]


def as_it_was(host: Host, template: Path) -> None:
    """Let the host's folder be what it was when the template was made."""
    for each in host.folder.iterdir():
        if each.name.startswith("focdle.db"):
            each.unlink()
    shutil.rmtree(host.folder / "backups")
    shutil.copytree(template, host.folder, dirs_exist_ok=True)


@pytest.mark.long(only=True)
async def test_a_killed_restore_has_done_everything_or_nothing(
    alone: Host, tmp_path_factory: pytest.TempPathFactory
) -> None:
    mark(alone.folder, "new")
    assert await alone.fork_to_back_up("backup").status() == 0
    (backup,) = (alone.folder / "backups").iterdir()
    mark(alone.folder, "older")
    leave_as_if_killed(alone, "old")
    template = tmp_path_factory.mktemp("template") / "folder"
    shutil.copytree(alone.folder, template)
    content, found = backup.read_bytes(), set[str]()
    for step in await steps_of(alone, "restore", str(backup)):
        as_it_was(alone, template)
        run = alone.fork_to_back_up("restore", str(backup), step=step)
        assert await run.status() == -signal.SIGKILL, step
        found.add(marked(alone.database))
        assert found <= {"old", "new"}, step
        # Nobody has to wait or to clear up: it is done by doing it again.
        again = alone.fork_to_back_up("restore", str(backup))
        assert await again.status() == 0, (step, alone.log)
        assert marked(alone.database) == "new"
        assert backup.read_bytes() == content
        names = {each.name for each in alone.folder.glob("focdle.db*")}
        assert {name for name in names if ".replaced-" not in name} == {"focdle.db"}, step
    assert found == {"old", "new"}


@pytest.mark.long(only=True)
async def test_a_killed_backup_leaves_a_complete_backup_or_none(
    alone: Host, tmp_path_factory: pytest.TempPathFactory
) -> None:
    mark(alone.folder, "earlier")
    assert await alone.fork_to_back_up("backup").status() == 0
    (earlier,) = (alone.folder / "backups").iterdir()
    earlier.rename(earlier.with_name("focdle-kept-2026-01-01T030000Z.db"))
    (alone.folder / "backups" / "notes").touch()
    mark(alone.folder, "now")
    template = tmp_path_factory.mktemp("template") / "folder"
    shutil.copytree(alone.folder, template)
    found = set[tuple[str, ...]]()
    for step in await steps_of(alone, "backup"):
        as_it_was(alone, template)
        run = alone.fork_to_back_up("backup", step=step)
        assert await run.status() == -signal.SIGKILL, step
        backups = sorted((alone.folder / "backups").glob("focdle-*Z.db"))
        found.add(tuple(map(marked, backups)))
        delete_left(alone.folder / "backups")
        there = {file.name for file in (alone.folder / "backups").iterdir()}
        assert there == {"notes", *(file.name for file in backups)}
        assert marked(alone.database) == "now"
    assert found == {("earlier",), ("earlier", "now")}
