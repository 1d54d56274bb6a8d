"""Direct messages, and servers of which the bot is no member."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.support.screen import buttons, seen, text
from tests.support.sql import sql
from tests.support.table import SECRET, Table


@pytest.fixture
def elsewhere(table: Table) -> Table:
    """The server, as if a member had brought the bot along and it were no member."""
    guild_id = table.ann.guild.id
    table.env.backend.emit("GUILD_DELETE", {"id": str(guild_id)})
    assert table.bot.get_guild(guild_id) is None
    return table


async def test_dates_follow_the_players_zone_where_the_bot_is_no_member(
    elsewhere: Table, tmp_path: Path
) -> None:
    table = elsewhere
    await table.services.preferences.set_zone(table.ann.id, "Asia/Tokyo")
    table.clock.set(datetime(2026, 11, 20, 16, tzinfo=UTC))
    assert "FoCdle #325" in text(await table.focdle(table.ann))
    assert "FoCdle #324" in text(await table.focdle(table.ben))
    rows = sql(tmp_path, "SELECT guild_id, zone FROM plays ORDER BY id")
    assert rows == [(None, "Asia/Tokyo"), (None, "UTC")]


async def test_a_result_is_posted_as_the_answer_to_the_click_where_the_bot_is_no_member(
    elsewhere: Table,
) -> None:
    table = elsewhere
    board = await table.focdle(table.ann, guess=SECRET)
    result = await table.ann.click(board, label="Share")
    shared = seen(result)
    assert not shared.ephemeral
    assert shared.id != board.id
    assert buttons(shared) == ["Play #324"]
    sent = [r.path for r in table.env.http_requests if r.method == "POST"]
    assert not any("/channels/" in path for path in sent)


async def test_a_daily_begun_in_a_server_goes_on_in_direct_messages(table: Table) -> None:
    user = table.ann.user
    await table.focdle(table.ann, guess="12+34-5=41")
    board = seen(await user.slash("focdle"))
    assert "5 guesses left." in text(board)
    board = seen(await user.slash("focdle", guess=SECRET))
    assert not seen(await user.click(board, label="Share")).ephemeral
