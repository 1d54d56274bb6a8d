"""Deletions are noted beside backups: durably, by everybody who deletes, and naming nobody."""

import hashlib
import json
import logging
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.privacy import deletion_log
from bot.privacy.model import Keeps
from bot.services import Services
from tests.support.clock import NOON, FakeClock
from tests.support.no_room import no_room
from tests.support.sql import sql
from tests.support.table import SECRET

pytestmark = pytest.mark.sqlite

ANN, BEN = 770_000_000_000_000_001, 770_000_000_000_000_002
LIST = "deletions-2026-11-20.jsonl"


async def test_a_recorded_deletion_contains_a_salted_hash_in_place_of_the_players_id(
    services: Services, tmp_path: Path
) -> None:
    services.privacy.deletions.keep_in(tmp_path / "backups")
    for player in (ANN, BEN):
        await services.privacy.players.delete(player, "DELETE")
    file = tmp_path / "backups" / LIST
    text = file.read_text()
    assert str(ANN) not in text
    first, second = (json.loads(line) for line in text.split("\n") if line)
    assert first["salt"] == second["salt"]  # so each player is hashed once a date
    assert len(first["salt"]) == 32
    assert first["digest"] == hashlib.sha256(f"{first['salt']}:player:{ANN}".encode()).hexdigest()
    assert (first["at"], first["keeps"]) == (NOON.isoformat(), "mark")
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700


async def test_recorded_deletions_have_a_salt_for_each_date(
    services: Services, tmp_path: Path, clock: FakeClock
) -> None:
    services.privacy.deletions.keep_in(tmp_path)
    for _ in range(2):
        await services.privacy.players.delete(ANN, "DELETE")
        clock.advance(days=1)
    found = deletion_log.read_all({tmp_path})
    assert found is not None
    assert len({deletion.salt for deletion in found[0]}) == 2


async def test_a_deletion_that_cannot_be_recorded_is_done_and_logged_as_an_error(
    services: Services, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    services.privacy.deletions.keep_in(tmp_path / "file" / "backups")
    (tmp_path / "file").touch()
    await services.daily.open(ANN, 5, guess=SECRET)
    await services.privacy.players.delete(ANN, "DELETE")
    assert sql(tmp_path, f"SELECT * FROM plays WHERE player_id = {ANN}") == []
    (line,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert "python -m bot backup" in line.getMessage()
    assert "Not a directory" in line.getMessage()
    assert str(ANN) not in line.getMessage()
    assert line.exc_info is None


async def test_a_partial_line_in_the_record_of_deletions_spoils_no_other(
    services: Services, tmp_path: Path
) -> None:
    services.privacy.deletions.keep_in(tmp_path)
    await services.privacy.players.delete(ANN, "DELETE")
    size = (tmp_path / LIST).stat().st_size
    with no_room(size + 50):
        deletion = deletion_log.read_all({tmp_path})
        assert deletion is not None
        with pytest.raises(OSError, match="half of a line"):
            deletion_log.append(tmp_path, deletion[0][0])
    await services.privacy.players.delete(BEN, "DELETE")
    found = deletion_log.read_all({tmp_path})
    assert found is not None
    assert (len(found[0]), found[1]) == (2, 1)


@pytest.mark.parametrize(("more", "keeps"), [([], Keeps.MARK), (["--everything"], Keeps.NOTHING)])
def test_deletions_by_the_host_are_recorded_too(
    tmp_path: Path,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
    more: list[str],
    keeps: Keeps,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("BACKUPS", "backups")
    sql(tmp_path, f"INSERT INTO players (player_id, name, seen_at) VALUES ({ANN}, 'Ann', '{NOON}')")
    assert main(["forget", str(ANN), "--yes", *more]) == 0
    found = deletion_log.read_all({tmp_path / "backups"})
    assert found is not None
    assert [deletion.keeps for deletion in found[0]] == [keeps]
