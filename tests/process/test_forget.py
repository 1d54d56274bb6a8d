"""The host hands out or deletes a player's data, for those who cannot use Discord."""

import asyncio
import json
import stat
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.services import open_services
from tests.process.host import KEY, Host
from tests.process.loopback import Loopback
from tests.process.players import Player
from tests.support import duels
from tests.support.clock import FakeClock
from tests.support.databases import Databases, used
from tests.support.duels import ANN, BEN
from tests.support.sql import sql

ROOT = Path(__file__).parents[2]


@pytest.fixture
def database(tmp_path: Path, databases: Databases, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a database in which Ann has played twice and begun a duel with Ben."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", databases.leave_to_the_bot(tmp_path))
    asyncio.run(_fill(databases.new(tmp_path)))
    return tmp_path


async def _fill(url: str) -> None:
    async with open_services(url, FakeClock(), puzzle_key=KEY) as services:
        await services.standings.members.seen(ANN, "Ann", guild_id=5, guild_name="Ann")
        await services.daily.open(ANN, 5, guess="12+34-5=41")
        await services.practice.open(ANN, None)
        await duels.playing(services)
        await services.heartbeat.beat()


def has_ann(folder: Path) -> bool:
    return (ANN,) in sql(folder, "SELECT player_id FROM plays")


@pytest.fixture
def type_in(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    return lambda text: monkeypatch.setattr(sys, "stdin", StringIO(text))


def test_the_forget_command_asks_before_it_deletes(
    database: Path, type_in: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(f"{ANN}\n")
    assert main(["forget", str(ANN)]) == 0
    said = capsys.readouterr().out
    assert f"Stored about {ANN}: 1 daily puzzle, 1 undated puzzle, 1 duel." in said
    assert "stays with a stand-in: 1 game." in said
    assert "Going on: 1 of them." in said
    assert f"Everything about {ANN} is deleted." in said
    assert not has_ann(database)
    assert (BEN,) in sql(database, "SELECT player_id FROM duel_seats")
    assert (ANN,) not in sql(database, "SELECT player_id FROM duel_seats")
    assert main(["forget", str(ANN)]) == 0
    assert capsys.readouterr().out == f"Nothing is stored about {ANN}.\n"


KEPT = "For 7 days a keyed hash of the id stays (not with --everything)"


def hashes(folder: Path) -> int:
    return len(sql(folder, "SELECT * FROM recent_deletions"))


def test_only_the_everything_option_makes_the_forget_command_delete_what_is_kept(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["forget", str(ANN), "--yes"]) == 0
    said = capsys.readouterr().out
    assert KEPT in said
    assert f"Everything about {ANN} is deleted." in said
    assert hashes(database) == 1
    assert main(["forget", str(ANN), "--yes", "--everything"]) == 0
    assert capsys.readouterr().out.startswith(f"Everything about {ANN} is deleted.")
    assert hashes(database) == 0
    asyncio.run(_fill(used().url(database)))
    assert main(["forget", str(ANN), "--yes", "--everything"]) == 0
    assert KEPT not in capsys.readouterr().out
    assert hashes(database) == 0


@pytest.mark.parametrize("typed", ["", "\n", "yes\n", f"{BEN}\n", f"{ANN}1\n"])
def test_the_forget_command_deletes_only_when_the_id_is_typed_again(
    database: Path, type_in: Callable[[str], None], capsys: pytest.CaptureFixture[str], typed: str
) -> None:
    type_in(typed)
    assert main(["forget", str(ANN)]) == 1
    assert "Nothing was deleted" in capsys.readouterr().out
    assert has_ann(database)


def test_the_forget_command_with_the_yes_option_asks_no_question(
    database: Path, type_in: Callable[[str], None]
) -> None:
    type_in("")
    assert main(["forget", str(ANN), "--yes"]) == 0
    assert not has_ann(database)


def test_the_forget_command_writes_an_export_once_and_readable_only_by_the_host(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ann.json"
    assert main(["forget", str(ANN), "--export", str(file)]) == 0
    assert str(file) in capsys.readouterr().out
    data = json.loads(file.read_text())
    assert data["player_id"] == str(ANN)
    assert [len(play["guesses"]) for play in data["focdle"]] == [1, 0]
    assert [play["id"] for play in data["focdle"]] == [1, 2]  # only Discord's ids are text
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert has_ann(database)
    before = file.read_bytes()
    assert main(["forget", str(ANN), "--export", str(file)]) == 2
    assert "Name a new file." in capsys.readouterr().err
    assert file.read_bytes() == before


def test_the_forget_command_refuses_to_delete_and_export_at_once(
    database: Path, tmp_path: Path
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["forget", str(ANN), "--yes", "--export", str(tmp_path / "ann.json")])
    assert has_ann(database)


@pytest.mark.parametrize("text", ["Ann", "-5", "0", "1.5", str(2**63), "<@11>", ""])
def test_the_forget_command_refuses_an_invalid_id(
    database: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["forget", "--", text])
    assert "is not a Discord id" in capsys.readouterr().err
    assert has_ann(database)


def test_the_forget_command_creates_no_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert main(["forget", "5"]) == 2
    assert "There is no database at focdle.db." in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_deletion_by_the_host_does_not_count_as_a_start_or_stop_of_the_bot(
    database: Path,
) -> None:
    before = sql(database, "SELECT * FROM pulses")
    assert len(before) == 1
    assert main(["forget", str(ANN), "--yes"]) == 0
    assert sql(database, "SELECT * FROM pulses") == before


@pytest.mark.long(only=True)
async def test_a_host_deletes_a_player_while_the_bot_runs(host: Host, discord: Loopback) -> None:
    player = Player(5)
    host.fork()
    session = await discord.next_session()
    await player.guess(session)
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "bot", "forget", "5", "--yes"],
        cwd=host.folder,
        env={"PYTHONPATH": str(ROOT), "DATABASE_URL": host.environment["DATABASE_URL"]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Everything about 5 is deleted." in done.stdout
    on_postgres = "postgres" in host.environment["DATABASE_URL"]
    assert ("forget again after" if on_postgres else "one deletes it again") in done.stdout
    assert host.query("SELECT * FROM plays") == []
    await Player(6).guess(session)
    assert len(host.query("SELECT * FROM plays")) == 1
