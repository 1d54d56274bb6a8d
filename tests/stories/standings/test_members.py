"""Whoever clicks is known from then on, by the name they have there."""

import logging
from pathlib import Path

import pytest

from bot.errors import StorageBusyError
from tests.support.sql import sql
from tests.support.table import Table


def members(folder: Path) -> list[tuple[int, int, str]]:
    query = "SELECT guild_id, player_id, name FROM members ORDER BY player_id"
    return [(row[0], row[1], row[2]) for row in sql(folder, query)]


async def test_a_player_who_types_a_command_or_clicks_becomes_a_member(
    table: Table, tmp_path: Path
) -> None:
    assert members(tmp_path) == []
    await table.focdle(table.ann)
    assert members(tmp_path) == [(table.ann.guild.id, table.ann.id, "Ann")]
    board = await table.focdle(table.ben)
    await table.guess(table.ben, board, "12+34-5=41")
    assert [name for _, _, name in members(tmp_path)] == ["Ann", "Ben"]


async def test_a_busy_database_while_a_member_is_stored_is_logged_as_a_warning(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def busy(*_: object, **__: object) -> None:
        raise StorageBusyError

    monkeypatch.setattr(table.services.standings.members, "seen", busy)
    with caplog.at_level(logging.WARNING):
        await table.focdle(table.ann)
    (record,) = [r for r in caplog.records if "member" in r.getMessage()]
    assert record.levelno == logging.WARNING
    assert record.exc_info is None
