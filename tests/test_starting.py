"""What may follow the program's name, and what is refused before anything starts."""

from pathlib import Path

import pytest

from bot.__main__ import main
from bot.outages import ShardRange


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", "x")
    monkeypatch.setenv("DATABASE_URL", "sqlite:///focdle.db")


@pytest.mark.parametrize("arguments", ["--shards 0-1/4", "--shards 3/4"])
def test_several_processes_share_no_file(
    arguments: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments.split()) == 2
    assert "need a database of PostgreSQL's" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    ["--shards 4/4", "--shards 2-1/4", "--shards -1/4"],
)
def test_what_is_no_range_is_refused(arguments: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments.split())
    assert "--shards" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", ["--processes 2", "--processes 4 --shards 0-3/4"])
def test_who_starts_a_supervisor_reads_what_to_do_instead(
    arguments: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments.split())
    assert "start each process by itself" in capsys.readouterr().err


def test_ranges_are_written_as_they_are_typed() -> None:
    assert str(ShardRange(0, 24, 100)) == "0-24/100"
