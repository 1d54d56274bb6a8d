"""Whoever wants it is asked before a guess that clues rule out: named, mended, or played anyway."""

import pytest

from bot.people.model import Asking
from tests.support.screen import buttons, custom_ids, parts, seen, text
from tests.support.table import Table

FIRST = "12+34-5=41"
AGAINST = "98-76+9=31"
"""It puts `=` where `FIRST` has shown that it is not."""
FALSE = "98-76+9=32"
ASKED = "Spend a guess on it anyway?"


@pytest.fixture(autouse=True)
async def careful(table: Table) -> None:
    panel = seen(await table.ann.slash(table.channel, "preferences"))
    panel = seen(await table.ann.click(panel, label="More"))
    await table.ann.select(panel, ["impossible"], custom_id=f"pref:asking:{table.ann.id}")


async def test_a_careful_player_reads_the_violated_clue_before_a_guess_is_spent(
    table: Table,
) -> None:
    await table.focdle(table.ann, guess=FIRST)
    board = await table.guess(table.ann, await table.focdle(table.ann), AGAINST)
    assert f"can't win. Guess 1 says `=` isn't in place 8. {ASKED}" in text(board)
    assert "5 guesses left." in text(board)
    assert buttons(board) == ["Edit", "Play it anyway", "Hint: −1 point", "More"]
    blue = [part["label"] for part in parts(board) if part.get("style") == 1]
    assert blue == ["Edit"]
    form = await table.ann.click(board, label="Edit")
    assert form.modal is not None
    assert form.modal["components"][-1]["component"]["value"] == AGAINST
    await table.restart()
    played = seen(await table.ann.click(board, label="Play it anyway"))
    assert f"`{AGAINST}`" in text(played)
    assert "4 guesses left." in text(played)


async def test_a_careful_player_confirms_a_false_inconsistent_equation_only_once(
    table: Table,
) -> None:
    await table.focdle(table.ann, guess=FIRST)
    board = await table.focdle(table.ann, guess=FALSE)
    assert ASKED in text(board)
    board = seen(await table.ann.click(board, label="Play it anyway"))
    assert "4 guesses left." in text(board)


async def test_a_false_equation_that_agrees_with_all_clues_is_still_questioned(
    table: Table,
) -> None:
    board = await table.focdle(table.ann, guess="65%43%22=1")
    assert "Spend a guess on it anyway?" in text(board)
    await table.services.preferences.set_asking(table.ann.id, Asking.NOTHING)
    assert "5 guesses left." in text(await table.focdle(table.ann, guess="65%43%22=1"))


async def test_an_impossible_guess_is_questioned_in_practice_too(table: Table) -> None:
    play = await table.services.practice.open(table.ann.id, None, 10)
    wrong = FIRST if play.game.secret != FIRST else AGAINST
    board = seen(await table.ann.slash(table.channel, "practice"))
    board = await table.guess(table.ann, board, wrong)
    # The same symbols in other places go against whatever was found.
    twisted = {FIRST: "21+43-5=59", AGAINST: "89-67+9=31"}[wrong]
    board = await table.guess(table.ann, board, twisted)
    assert ASKED in text(board)
    assert f"fd:probe:{play.id}:{twisted}" in custom_ids(board)


async def test_a_guess_against_the_clues_is_played_at_once_for_a_player_who_is_not_careful(
    table: Table,
) -> None:
    await table.focdle(table.ben, guess=FIRST)
    assert "4 guesses left." in text(await table.focdle(table.ben, guess=AGAINST))
