"""What a FoCdle's clicks cost: one transaction each, in which each thing is read once."""

import pytest

from bot.people.model import Asking
from tests.support.screen import seen, text
from tests.support.sql import statements
from tests.support.table import SECRET, Table

READING = 1
"""The play with its guesses, whether it has hints, and what its player has chosen."""
GUESS = READING + 1
END = 27
"""With the streak, the leaderboards of a first daily, how hard it was, what was remarkable, and
whether it is to be shared by itself."""


@pytest.mark.parametrize("asks", [Asking.FALSE, Asking.NOTHING])
async def test_a_guess_and_its_form_take_a_known_number_of_database_statements(
    table: Table, asks: Asking
) -> None:
    await table.services.preferences.set_asking(table.ann.id, asks)
    board = await table.guess(table.ann, await table.focdle(table.ann), "12+34-5=41")
    with statements() as made:
        shown = await table.form(table.ann, board)
    assert [len(each) for each in made] == [READING]
    with statements() as made:
        board = seen(await table.ann.submit_modal(shown, {"guess": "98-76+9=31"}))
    assert "4 guesses left." in text(board)
    assert [len(each) for each in made] == [GUESS]
    shown = await table.form(table.ann, board)
    skips = asks is Asking.NOTHING
    with statements() as made:
        board = seen(await table.ann.submit_modal(shown, {"guess": "98-76+9=32"}))
    assert ("3 guesses left." in text(board)) == skips
    assert [len(each) for each in made] == [GUESS if skips else READING]


async def test_a_solving_guess_takes_few_database_statements(table: Table) -> None:
    shown = await table.form(table.ann, await table.focdle(table.ann))
    with statements() as made:
        board = seen(await table.ann.submit_modal(shown, {"guess": SECRET}))
    assert "Solved on the first guess" in text(board)
    assert len(made) == 1
    assert len(made[0]) <= END, made[0]


@pytest.mark.parametrize("command", ["play", "stats"])
async def test_a_common_command_takes_one_transaction(table: Table, command: str) -> None:
    await table.focdle(table.ann, guess=SECRET)
    with statements() as made:
        await table.ann.slash(table.channel, command)
    assert len(made) == 1
