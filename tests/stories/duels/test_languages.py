"""What everybody sees of a duel speaks the server's language, what is private the player's."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.catalogues import german
from tests.support.duel_stories import (
    NUMBERS,
    WRONG,
    beat,
    dare,
    press,
    said,
    to_move,
    typed,
    wait,
)
from tests.support.screen import buttons
from tests.support.table import Table

GERMAN = {
    "Accept": "Annehmen",
    "Guess": "Raten",
    "Rematch": "Revanche",
    "More": "Mehr",
    "{player}, **it's your turn**: {link}.": "{player}, **du bist dran**: {link}.",
}


@pytest.fixture(autouse=True)
def _german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with german(tmp_path, monkeypatch, GERMAN):
        yield


async def test_boards_and_pings_use_the_servers_language(table: Table, tmp_path: Path) -> None:
    table.env.backend.edit_guild(table.ann.guild.id, {"preferred_locale": "de"})
    await table.env.settle()
    board = await dare(table.ann, table.channel, table.ben)
    assert buttons(board)[:2] == ["Annehmen", "Decline"]
    board = await typed(table.ben, board, NUMBERS[1], "Annehmen")
    await beat(table, 30)
    assert "**du bist dran**" in said(table)[0]
    who, _ = to_move(table, board)
    page = await press(who, board, "Notebook")
    assert "Guess" in buttons(page)
    await typed(who, page, WRONG[0])  # from the private page, so that the bot finds the board
    assert buttons(board)[0] == "Raten"
    page = await press(who, board, "Mehr")
    assert "Resign" in buttons(page)
    await wait(table, tmp_path, hours=25)  # by nobody's click
    assert buttons(board)[0] == "Revanche"
