"""What everybody sees of a duel speaks the server's language, what is private the player's."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.catalogues import german
from tests.support.duel_stories import NUMBERS, WRONG, beat, press, said, to_move, typed, wait
from tests.support.screen import buttons, seen
from tests.support.table import Table

GERMAN = {
    "Accept": "Annehmen",
    "Set my number": "Meine Zahl",
    "Guess": "Raten",
    "Rematch": "Revanche",
    "Resign": "Aufgeben",
    "{player}, **it is your turn**: {link}.": "{player}, **du bist dran**: {link}.",
    "Duel: {first} and {second}": "Duell: {first} und {second}",
}


@pytest.fixture(autouse=True)
def _german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with german(tmp_path, monkeypatch, GERMAN):
        yield


async def test_boards_and_calls_speak_the_servers_language(table: Table, tmp_path: Path) -> None:
    table.env.backend.edit_guild(table.ann.guild.id, {"preferred_locale": "de"})
    await table.env.settle()
    command = await table.ann.slash(table.channel, "duel", opponent=table.ben, pace="relaxed")
    board = seen(command)
    assert buttons(board)[0] == "Annehmen"
    board = await press(table.ben, board, "Annehmen")
    for who, number in zip((table.ann, table.ben), NUMBERS, strict=True):
        board = await typed(who, board, number, "Meine Zahl")
    await beat(table)
    assert "**du bist dran**" in said(table)[0]
    who, _ = to_move(table, board)
    page = await press(who, board, "Notebook")
    assert "Guess" in buttons(page)
    await typed(who, page, WRONG[0])  # from the private page, so that the bot finds the board
    assert buttons(board)[0] == "Raten"
    question = await press(who, board, "Aufgeben")
    assert buttons(question)[0] == "Yes, resign"
    await wait(table, tmp_path, hours=25)  # by nobody's click
    assert buttons(board)[0] == "Revanche"


async def test_without_a_translation_it_is_english(table: Table) -> None:
    table.env.backend.edit_guild(table.ann.guild.id, {"preferred_locale": "fr"})
    await table.env.settle()
    board = seen(await table.ann.slash(table.channel, "duel", opponent=table.ben))
    assert buttons(board)[0] == "Accept"
