"""A series that went on when series were given up, as its two players see it."""

from pathlib import Path

from tests.support.duel_stories import NUMBERS, challenge, press, typed
from tests.support.forging import forge_form
from tests.support.posted import post_buttons, post_text
from tests.support.screen import seen, text
from tests.support.sql import sql
from tests.support.table import Table

SENTENCE = "Series are gone: this one ends with this duel."


async def test_a_challenge_to_one_becomes_one_duel_and_no_other_follows(
    table: Table, tmp_path: Path
) -> None:
    board = await challenge(table)
    sql(tmp_path, "UPDATE duels SET of_series = true")
    shown = await press(table.ben, board, "Accept")
    for who, number in zip((table.ann, table.ben), NUMBERS, strict=True):
        assert SENTENCE in text(shown)
        assert "random pick" not in text(shown)
        shown = await typed(who, board, number, "Set my number")
    assert SENTENCE in text(shown)
    assert "random pick" not in text(shown)
    asked = await press(table.ben, board, "Resign")
    await press(table.ben, asked, "Yes, resign")
    (over,) = table.channel.history()
    assert SENTENCE in post_text(over)
    assert "Rematch" in post_buttons(over)


async def test_a_form_that_still_asks_how_many_duels_makes_one(table: Table) -> None:
    chosen = {"numbers": ["4"], "mode": "equal", "pace": "live", "length": "3", "rated": True}
    route = f"du:form:challenge:{table.ben.id}"
    board = seen(await forge_form(table.ann, table.channel, route, chosen))
    assert "challenges" in text(board)
    assert SENTENCE not in text(board)
