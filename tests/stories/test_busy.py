"""What comes too late at the door is kept: *Try again* does it, where the board was, once."""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from tests.support import duel_stories as duels
from tests.support import mastermind_stories as mastermind
from tests.support.databases import Databases
from tests.support.screen import buttons, parts, seen, text
from tests.support.sql import sql
from tests.support.table import SECRET, Table

BUSY = "I'm very busy. Nothing was lost. Try again in a moment."
AGAIN = "Try again"

NoTime = Callable[[], AbstractContextManager[None]]


def _briefly(most: float) -> float:
    return most / 1000


@pytest.fixture
def no_time(databases: Databases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> NoTime:
    """Another program holds the database, and nobody waits."""

    @contextmanager
    def hold() -> Generator[None]:
        with monkeypatch.context() as patch, databases.held(tmp_path):
            patch.setattr("bot.db.database.patience", _briefly)
            yield

    return hold


async def test_a_focdle_guess_that_a_busy_database_refused_can_be_made_again_by_button(
    table: Table, no_time: NoTime, tmp_path: Path
) -> None:
    board = await table.focdle(table.ann)
    form = await table.form(table.ann, board)
    with no_time():
        told = seen(await table.ann.submit_modal(form, {"guess": "12+34-5=41"}))
        assert told.id == board.id
        assert text(told) == f"{BUSY}\n`12+34-5=41` is kept: press **Try again**."
        assert buttons(told) == [AGAIN]
        told = seen(await table.ann.click(told, label=AGAIN))  # and once more there is no time
        assert "`12+34-5=41` is kept" in text(told)
    await table.restart()
    again = [table.ann.click(told, label=AGAIN) for _ in range(2)]
    one, other = map(seen, await table.at_once(again))
    assert one.id == other.id == board.id
    assert "5 guesses left." in text(other)
    assert sql(tmp_path, "SELECT turn, code FROM guesses") == [(0, "12+34-5=41")]


async def test_a_guess_typed_with_the_command_survives_a_busy_database_too(
    table: Table, no_time: NoTime
) -> None:
    with no_time():
        told = await table.focdle(table.ann, guess=SECRET)
        assert buttons(told) == [AGAIN]
        empty = await table.focdle(table.ann)  # of a look nothing is to be kept
        assert (text(empty), buttons(empty)) == (BUSY, [])
    board = seen(await table.ann.click(told, label=AGAIN))
    assert "Solved on the first guess" in text(board)


async def test_mastermind_rows_and_answers_survive_a_busy_database(
    table: Table, no_time: NoTime
) -> None:
    board = await mastermind.opened(table, table.ann, "play")
    form = await table.ann.click(board, label="Guess")
    with no_time():
        told = seen(await table.ann.submit_modal(form, {"code": "rrgb"}))
    assert "`rrgb` is kept" in text(told)
    board = await mastermind.press(table.ann, told, AGAIN)
    assert board.id == told.id
    assert "11 guesses left." in text(board)
    board = await mastermind.put(table.ann, board, "OOYY")
    with no_time():
        told = await mastermind.press(table.ann, board, "Guess")
    assert text(told) == BUSY
    assert "10 guesses left." in text(await mastermind.press(table.ann, told, AGAIN))

    refused = await mastermind.opened(table, table.ann, "defend")  # beside a ranked game
    defence = await mastermind.changed(table.ann, refused, "Other pegs or colours", pegs=3)
    with no_time():
        told = await mastermind.press(table.ann, defence, "1")
    assert buttons(told) == [AGAIN]
    assert "1 black. **And how many white?**" in text(
        await mastermind.press(table.ann, told, AGAIN)
    )


async def test_a_busy_database_loses_no_guess_of_a_duel_but_a_secret_has_to_be_typed_again(
    table: Table, no_time: NoTime
) -> None:
    board = await duels.challenge(table)
    form = await duels.form(table.ben, board, "Accept")
    with no_time():
        told = seen(await table.ben.submit_modal(form, {"number": duels.NUMBERS[1]}))
    assert told.ephemeral
    assert text(told) == BUSY
    assert not any(duels.NUMBERS[1] in str(part) for part in parts(told))
    told = await duels.typed(table.ben, told, duels.NUMBERS[1], AGAIN)
    assert "Your number is set: ||4567||." in text(told)
    first, _second = duels.to_move(table, board)
    form = await duels.form(first, board)
    with no_time():
        told = seen(await first.submit_modal(form, {"number": "0589"}))
    assert "`0589` is kept" in text(told)
    assert told.ephemeral
    page = await duels.press(first, told, AGAIN)
    assert page.id == told.id
    assert "0589" in text(page)
    assert "0589" in text(board)
