"""What a host types, and reads."""

import re
import socket
import sqlite3
import sys
from collections.abc import Generator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.hosting import backup
from bot.hosting.run import run
from bot.version import version
from deploy.installing import SETS
from tests.support.clock import FakeClock
from tests.support.databases import used
from tests.support.sql import sql
from tests.support.unhurried import take_time

pytestmark = pytest.mark.sqlite

ANN = 770_000_000_000_000_001
TOKEN = "the-token-that-discord-knows"
NOWHERE = (
    "The database cannot be used (No such file or directory). Check DATABASE_URL, whether the bot "
    "may write there (for a file, to its folder, too), and whether the disk has room.\n"
)
BACKED_UP_BY_POSTGRES = (
    "BACKUPS is for a database that is a file of SQLite's. PostgreSQL has its own way: leave "
    "BACKUPS out, and make backups with pg_dump.\n"
)
NEWER = "The database was written by a newer version of this bot. "
TRIAL = (
    "The database was made by a trial version; 1.0 begins a new one. Nothing in it was changed: "
    "move the file away, or point DATABASE_URL to another database.\n"
)


class Terminal:
    """A terminal in the folder of a bot, at a time."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], clock: FakeClock) -> None:
        self.folder = folder
        self.clock = clock
        self._capsys = capsys

    def type(self, *arguments: str) -> tuple[int, str, str]:
        """What follows `python -m bot`; the status, and what it says on both channels."""
        status = main(arguments)
        said = self._capsys.readouterr()
        return status, said.out, said.err

    def start(self, more: str = "") -> tuple[int, str, str]:
        """What a start says that comes to nothing, without the line that tells the version."""
        with (self.folder / ".env").open("a") as env:
            env.write(f"DISCORD_TOKEN={TOKEN}\n{more}\n")
        (self.folder / ".env").chmod(0o600)
        status = run()
        said = self._capsys.readouterr()
        return status, said.out, re.sub(r".* focdle-bot .+\n", "", said.err)


@pytest.fixture
def terminal(
    tmp_path: Path,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    clock: FakeClock,
) -> Terminal:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BACKUPS", raising=False)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setattr(backup, "SystemClock", lambda: clock)
    (tmp_path / ".env").write_text(f"DATABASE_URL={database_url}\nBACKUPS=backups\n")
    return Terminal(tmp_path, capsys, clock)


def test_a_backup_by_hand_uses_the_settings_and_removes_no_backup(terminal: Terminal) -> None:
    for hours in (0, 0, 24 * 40, 24, 1):
        terminal.clock.advance(hours=hours, seconds=1)
        status, said, why = terminal.type("backup")
        assert (status, why) == (0, "")
    assert said == (
        "backups/focdle-kept-2026-12-31T130005Z.db is there, whole, with 1 row.\n"
        "It stays until you delete it.\n"
    )
    assert len(list((terminal.folder / "backups").iterdir())) == 5


def test_the_program_says_its_version(terminal: Terminal) -> None:
    assert terminal.type("--version") == (0, f"focdle-bot {version()}\n", "")


def test_backups_are_stored_beside_the_database_by_default(terminal: Terminal) -> None:
    url = f"sqlite:///{terminal.folder / 'games' / 'mine.db'}"
    (terminal.folder / "games").mkdir()
    (terminal.folder / "test.db").rename(terminal.folder / "games" / "mine.db")
    (terminal.folder / ".env").write_text(f"DATABASE_URL={url}\n")
    assert terminal.type("backup")[0] == 0
    assert len(list((terminal.folder / "games" / "mine-backups").iterdir())) == 1
    (terminal.folder / ".env").write_text(f"DATABASE_URL={url}\nBACKUPS=Off\n")
    assert terminal.type("backup")[2].startswith("BACKUPS is off. Name a folder: ")


def test_a_restore_says_what_it_did_and_what_to_do_next(terminal: Terminal) -> None:
    sql(
        terminal.folder,
        f"INSERT INTO players VALUES ({ANN}, 'Ann', '2026-11-20 11:00:00.000', NULL, NULL)",
    )
    beat = "'2026-11-20 11:59:30.000000'"
    sql(terminal.folder, f"INSERT INTO pulses VALUES (0, 1, {beat}, 'x', NULL)")
    assert terminal.type("backup")[0] == 0
    assert main(["forget", str(ANN), "--yes"]) == 0
    terminal.type("backup")
    terminal.clock.advance(hours=3)
    status, said, why = terminal.type("restore", "backups/focdle-kept-2026-11-20T120000Z.db")
    assert (status, why) == (0, "")
    replaced = terminal.folder / "test.db.replaced-2026-11-20T150000Z"
    assert said == (
        "backups/focdle-kept-2026-11-20T120000Z.db is whole, with 3 rows.\n"
        "Done again: 1 deletion made since then.\n"
        "In it the bot was on Discord until 2026-11-20 11:59 UTC. What was played later is lost; "
        "for streaks and clocks of duels, the bot counts as having been away since then.\n"
        f"It is {terminal.folder}/test.db now.\n"
        f"What was there before is {replaced}. Delete it "
        "when you need it no more: whoever has deleted their data since the backup may be in it.\n"
        "Start the bot now.\n"
    )
    assert sql(terminal.folder, "SELECT * FROM players") == []


def test_a_backup_from_another_place_brings_no_deleted_player_back(terminal: Terminal) -> None:
    sql(terminal.folder, f"INSERT INTO streaks VALUES ({ANN}, 3, 3, 0, NULL, 0)")
    url = f"sqlite:///{terminal.folder / 'test.db'}"
    assert terminal.type("backup", url, "elsewhere")[0] == 0
    assert main(["forget", str(ANN), "--yes", "--everything"]) == 0
    terminal.type("restore", "elsewhere/focdle-kept-2026-11-20T120000Z.db")
    assert sql(terminal.folder, "SELECT * FROM streaks") == []


@pytest.mark.parametrize("has_half_a_line", [False, True])
def test_a_restore_says_when_the_record_of_deletions_is_missing_or_unreadable(
    terminal: Terminal, *, has_half_a_line: bool
) -> None:
    elsewhere = terminal.folder / "elsewhere"
    url = f"sqlite:///{terminal.folder / 'test.db'}"
    assert terminal.type("backup", url, str(elsewhere))[0] == 0
    if has_half_a_line:
        (elsewhere / "deletions-2026-11-20.jsonl").write_text('\n{"number": "9c')
    _, said, _ = terminal.type("restore", f"{elsewhere}/focdle-kept-2026-11-20T120000Z.db")
    line = said.splitlines()[2 if has_half_a_line else 1]
    assert line.startswith(
        "Unreadable: 1 line in the lists of deletions."
        if has_half_a_line
        else "There is no list of deletions beside it or in BACKUPS."
    )


def test_an_impossible_restore_says_why_and_what_to_do(terminal: Terminal) -> None:
    database = terminal.folder / "test.db"
    (terminal.folder / "notes").write_text("no database" * 1000)
    asked = {
        "notes": "notes is no backup of this bot's, or it is damaged. Take another one.",
        "no.db": "There is no file no.db.",
        "test.db": "test.db is the database itself. Name a backup.",
    }
    for file, why in asked.items():
        status, said, told = terminal.type("restore", file)
        assert (status, said) == (2, "")
        assert told == why + "\nNothing was restored, and the database is as it was.\n"
    terminal.type("backup")
    with closing(sqlite3.connect(database)) as other:
        other.execute("PRAGMA journal_mode = WAL")  # as the bot has it
        other.execute("SELECT * FROM facts").fetchall()
        _, _, told = terminal.type("restore", "backups/focdle-kept-2026-11-20T120000Z.db")
        assert told.startswith("The bot is running, or another program has the database open.")
    (terminal.folder / ".env").write_text("DATABASE_URL=postgresql://me@localhost/x")
    assert "pg_dump" in terminal.type("restore", "notes")[2]
    assert "pg_dump" in terminal.type("backup")[2]


@pytest.mark.parametrize("arguments", [["backup", "sqlite:///x.db"], ["restore"]])
def test_a_command_with_missing_arguments_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    with suppress(SystemExit):
        assert main(arguments) == 2
    assert re.search("ame a database and a folder|required: FILE", capsys.readouterr().err)


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("LOG_LEVEL=chatty", "LOG_LEVEL is chatty; "),
        ("PUZZLE_KEY=fifteen letters", "PUZZLE_KEY is easy to guess, "),
        ("DATABASE_URL=mysql://bot:hunter2@localhost/f", "DATABASE_URL must name a file of "),
        ("DATABASE_URL=sqlite://host:hunter2/f", "DATABASE_URL must name a file of "),
        ("DATABASE_URL=sqlite:///nowhere/focdle.db", NOWHERE),
        ("DATABASE_URL=postgresql://me:hunter2@localhost/x", BACKED_UP_BY_POSTGRES),
    ],
)
def test_a_start_with_an_invalid_setting_names_the_setting_and_no_secret(
    terminal: Terminal, setting: str, says: str
) -> None:
    status, said, why = terminal.start(setting)
    assert (status, said, why[: len(says)]) == (2, "", says)
    for secret in (TOKEN, "fifteen letters", "hunter2"):
        assert secret not in why


@pytest.mark.parametrize(("revision", "says"), [("9999", NEWER), ("0065", TRIAL)])
def test_a_start_does_not_change_a_database_that_it_cannot_migrate(
    terminal: Terminal, revision: str, says: str
) -> None:
    sql(terminal.folder, f"UPDATE alembic_version SET version_num = '{revision}'")
    status, said, why = terminal.start()
    assert (status, said, why[: len(says)]) == (2, "", says)
    assert "Traceback" not in why
    assert sql(terminal.folder, "SELECT version_num FROM alembic_version") == [(revision,)]


def test_a_start_without_postgresqls_library_names_the_task_that_installs_it(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "bot.db.postgres", None)
    status, _, why = terminal.start("DATABASE_URL=postgresql://me:hunter2@localhost/x\nBACKUPS=")
    assert status == 2
    assert why.endswith(" python3 tasks.py install postgres\n")
    assert "postgres" in SETS


@pytest.fixture
def _impatient() -> Generator[None]:
    take_time(0.1)
    yield
    take_time()


@pytest.mark.usefixtures("_impatient")
def test_a_start_with_a_busy_database_exits_with_a_status_that_allows_a_retry(
    terminal: Terminal,
) -> None:
    with used().held(terminal.folder):
        status, _, why = terminal.start()
    assert (status, "in use by another program" in why) == (3, True)
    nobody = f"DATABASE_URL=postgresql://me:hunter2@/x?host={terminal.folder}\nBACKUPS="
    status, _, why = terminal.start(nobody)
    assert status == 3
    assert why.startswith("The database's server cannot be reached (")
    assert why.endswith("). Check whether it is running, and DATABASE_URL.\n")
    assert "hunter2" not in why


def test_a_start_with_a_port_in_use_says_so_in_one_line(terminal: Terminal) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        status, _, why = terminal.start(f"HEALTH_ADDRESS={port}")
    assert (status, why) == (
        3,
        (
            f"Nobody can ask how the bot is at 127.0.0.1:{port} (address already in use). Put "
            "another port into HEALTH_ADDRESS, or leave it out.\n"
        ),
    )
