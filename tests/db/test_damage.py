"""A file that is damaged, or cannot be one, is called so wherever it is met first."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.db.database import Database
from bot.errors import DamagedDatabaseError, StorageError, UnusableDatabaseError

pytestmark = pytest.mark.sqlite  # its files

_PAGE = 4096


def overwritten(content: bytes) -> bytes:
    """Most pages are somebody else's."""
    return content[: 3 * _PAGE] + b"\xa5" * (len(content) - 3 * _PAGE)


def cut(content: bytes) -> bytes:
    """Half of it did not reach the disk."""
    return content[: len(content) // 2 // _PAGE * _PAGE]


def other(_content: bytes) -> bytes:
    """It is no database at all."""
    return b"not a database, but long enough to be read as one" * 100


def zeros(content: bytes) -> bytes:
    """A power cut has left only the length."""
    return bytes(len(content))


PROGRAMS: dict[str, Callable[[str], int]] = {
    "doctor": lambda _url: main(["doctor", "--offline"]),
    "backup": lambda url: main(["backup", url, "copies"]),
    "forget": lambda _url: main(["forget", "770000000000000001", "--yes"]),
    "move": lambda url: main(["move", url, "sqlite:///other.db"]),
}


@pytest.fixture
def url(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text(f"DATABASE_URL={database_url}\n")
    return database_url


@pytest.fixture(params=[overwritten, cut, other, zeros], ids=lambda damage: damage.__name__)
def damaged(request: pytest.FixtureRequest, url: str, tmp_path: Path) -> str:
    damage: Callable[[bytes], bytes] = request.param
    (tmp_path / "test.db").write_bytes(damage((tmp_path / "test.db").read_bytes()))
    return url


async def test_a_start_with_a_damaged_file_says_that_it_is_damaged(damaged: str) -> None:
    with pytest.raises(DamagedDatabaseError) as refused:
        await Database.open(damaged)
    said = refused.value.advice
    assert said.startswith("The database is damaged (")
    assert "restore FILE" in said


@pytest.mark.parametrize("program", PROGRAMS)
def test_each_program_says_that_a_damaged_file_is_damaged(
    program: str, damaged: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert PROGRAMS[program](damaged) == 2
    said = capsys.readouterr()
    assert "The database is damaged (" in said.out + said.err
    assert "Traceback" not in said.err
    assert [*Path("copies").glob("*")] == []


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.usefixtures("url")
def test_each_program_says_that_the_path_of_the_database_is_a_folder(
    program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".env").write_text(f"DATABASE_URL=sqlite:///{tmp_path}\n")
    assert PROGRAMS[program](f"sqlite:///{tmp_path}") == 2
    said = capsys.readouterr()
    assert f"The database cannot be used ({os.strerror(21)}). " in said.out + said.err


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/", os.strerror(21)),
        ("folder", os.strerror(21)),
        ("nowhere/focdle.db", os.strerror(2)),
        ("~/focdle.db", os.strerror(2)),
        (".env/focdle.db", os.strerror(20)),
        ("x" * 300, os.strerror(36)),
    ],
)
@pytest.mark.usefixtures("url")
async def test_an_impossible_path_for_a_database_is_refused_with_the_reason(
    path: str, why: str, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(UnusableDatabaseError) as refused:
        await Database.open(f"sqlite:///{path}")
    assert not isinstance(refused.value, DamagedDatabaseError)
    assert refused.value.advice.startswith(f"The database cannot be used ({why}). ")


@pytest.mark.skipif(os.geteuid() == 0, reason="nobody keeps root from writing")
async def test_a_read_only_file_is_refused_as_read_only(url: str, tmp_path: Path) -> None:
    (tmp_path / "test.db").chmod(0o400)
    with pytest.raises(StorageError) as refused:
        await Database.open(url)
    assert "readonly" in refused.value.advice
