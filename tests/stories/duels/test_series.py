"""A series that went on when series were given up, as its two players see it."""

from pathlib import Path

from tests.support.duel_stories import (
    NUMBERS,
    WRONG,
    accept,
    challenge,
    press,
    resign,
    to_move,
    typed,
)
from tests.support.forging import forge_form
from tests.support.posted import post_buttons, post_text
from tests.support.screen import seen, text
from tests.support.sql import sql
from tests.support.table import Table

SENTENCE = "Series are gone: this one ends with this duel."


async def test_an_old_challenge_to_a_series_becomes_a_single_duel(
    table: Table, tmp_path: Path
) -> None:
    board = await challenge(table)
    sql(tmp_path, "UPDATE duels SET of_series = true")
    shown = await accept(table.ben, board)
    assert SENTENCE in text(shown)
    assert "random pick" not in text(shown)
    await typed(table.ben, board, NUMBERS[1], "Set my number")
    shown = await press(table.ann, board, "Start")
    assert SENTENCE in text(shown)
    assert "random pick" not in text(shown)
    first, _ = to_move(table, shown)
    await typed(first, shown, WRONG[0])
    await resign(table.ben, board)
    (over,) = table.channel.history()
    assert SENTENCE in post_text(over)
    assert "Rematch" in post_buttons(over)


async def test_an_old_form_that_asks_for_the_length_of_a_series_opens_a_single_duel(
    table: Table,
) -> None:
    chosen = {"numbers": ["4"], "mode": "equal", "pace": "live", "length": "3", "rated": True}
    route = f"du:form:challenge:{table.ben.id}"
    told = seen(await forge_form(table.ann, table.channel, route, chosen))
    board = await typed(table.ann, told, NUMBERS[0], "Set my number")
    assert "challenges" in text(board)
    assert SENTENCE not in text(board)
