"""`python -m bot keep-out`, as a host types it."""

import asyncio
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.moderation.game import SERVER, USER
from bot.privacy.model import CONFIRMATION
from bot.services import Services, open_services
from tests.support.clock import FakeClock
from tests.support.databases import Databases
from tests.support.table import KEY

ANN, HERE = 770_000_000_000_000_001, 880_000_000_000_000_001


@pytest.fixture
def url(tmp_path: Path, databases: Databases, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", databases.leave_to_the_bot(tmp_path))
    return databases.new(tmp_path)


async def seen_by_another_process(url: str, *, deletes: bool = False) -> tuple[bool, bool]:
    """Whether a process keeps out Ann, and the server."""
    async with open_services(url, FakeClock(), puzzle_key=KEY) as services:
        assert isinstance(services, Services)
        if deletes:
            await services.privacy.players.delete(ANN, CONFIRMATION)
        await services.moderation.refresh()
        moderation = services.moderation
        return moderation.is_kept_out(ANN), moderation.is_server_kept_out(HERE)


def look(url: str, *, deletes: bool = False) -> tuple[bool, bool]:
    return asyncio.run(seen_by_another_process(url, deletes=deletes))


def test_a_host_keeps_somebody_out_lists_them_and_lets_them_in_again(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert look(url) == (False, False)
    assert main(["keep-out", USER, str(ANN)]) == 0
    assert f"The user {ANN} is kept out." in capsys.readouterr().out
    assert look(url) == (True, False)
    assert main(["keep-out", USER, str(ANN)]) == 0
    assert "kept out, as before." in capsys.readouterr().out
    assert main(["keep-out", SERVER, str(HERE)]) == 0
    capsys.readouterr()
    assert look(url) == (True, True)
    assert main(["keep-out", "list"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert [line.partition(",")[0] for line in told] == [f"user {ANN}", f"server {HERE}"]
    for what, number in ((USER, ANN), (SERVER, HERE)):
        assert main(["keep-out", what, str(number), "--undo"]) == 0
    assert look(url) == (False, False)
    capsys.readouterr()
    assert main(["keep-out", USER, str(ANN), "--undo"]) == 0
    assert "it was not kept out" in capsys.readouterr().out
    assert main(["keep-out", "list"]) == 0
    assert capsys.readouterr().out == "Nobody is kept out.\n"


def test_a_user_who_deletes_their_data_stays_kept_out_and_is_no_longer_named(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    look(url)
    assert main(["keep-out", USER, str(ANN)]) == 0
    assert look(url, deletes=True) == (True, False)
    capsys.readouterr()
    assert main(["keep-out", "list"]) == 0
    told = capsys.readouterr().out
    assert str(ANN) not in told
    assert "data are deleted" in told
    assert main(["keep-out", USER, str(ANN), "--undo"]) == 0
    assert look(url) == (False, False)


@pytest.mark.parametrize(
    "typed", [["user"], ["user", "--undo"], ["server"], ["list", str(ANN)], ["list", "--undo"]]
)
def test_an_incomplete_keep_out_command_is_refused(
    url: str, typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    look(url)
    assert main(["keep-out", *typed]) == 2
    assert "keep-out user 123456789012345678" in capsys.readouterr().err


@pytest.mark.parametrize("typed", ["123", "0", "-5", str(10**16 - 1), str(2**63), "\u0661" * 18])
@pytest.mark.parametrize("what", [USER, SERVER])
def test_a_number_that_is_no_discord_id_keeps_nobody_out(
    url: str, what: str, typed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["keep-out", what, typed])
    assert typed.startswith("-") or "is not a Discord id" in capsys.readouterr().err
    assert look(url) == (False, False)
