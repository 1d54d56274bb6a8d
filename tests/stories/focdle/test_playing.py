"""Playing the daily through Discord, as members do."""

from tests.support.screen import buttons, offered, seen, text
from tests.support.table import SECRET, Table

OTHER = "65%43-21=1"
OVER = ["Share", "Coach", "More"]


async def test_a_whole_game_is_played_by_the_form(table: Table) -> None:
    board = await table.focdle(table.ann)
    assert board.ephemeral
    assert "FoCdle #324" in text(board)
    assert "Nov 20, 2026 · 10 symbols" in text(board)
    assert (
        "Find the hidden equation: three numbers, two operators and a result, as in `41-3+27"
        in text(board)
    )
    assert "\n-# `%` is the remainder: `17%5` is 2." in text(board)
    assert buttons(board) == ["Guess", "How to play", "More"]

    board = await table.guess(table.ann, board, "12 + 34 - 5 = 41")
    assert "`%` is the remainder" in text(board)
    assert "\n⬜🟡⬜⬜⬜⬜🟡🟡⬜🟩 `12+34-5=41`\n" in text(board)
    assert "🟩 `1` in place" in text(board)
    assert "🟡 `2 5 =` elsewhere" in text(board)
    assert "⬜ `3 4 + -` not in it" in text(board)
    assert "▫️ `0 6 7 8 9 * %` untried" in text(board)
    assert "5 guesses left." in text(board)

    board = await table.guess(table.ann, board, OTHER)
    assert "4 guesses left." in text(board)
    assert "remainder" not in text(board)

    board = await table.guess(table.ann, board, SECRET)
    assert "🟩🟩🟩🟩🟩🟩🟩🟩🟩🟩 `66%65%72=1`" in text(board)
    assert "Solved in 3 of 6 · 4 points" in text(board)
    midnight = 1795219200  # 2026-11-21 00:00 UTC
    assert f"Next puzzle <t:{midnight}:R>" in text(board)
    assert buttons(board) == OVER
    more = await table.more(table.ann, board)
    assert more.id == board.id
    assert offered(more) == ["Practice", "Today's board", "Remind me", "Is it fair?"]
    assert buttons(more) == [*OVER[:-1], *offered(more)]


async def test_the_guess_form_shows_known_clues(table: Table) -> None:
    board = await table.focdle(table.ann)
    form = (await table.form(table.ann, board)).modal
    assert form is not None
    assert form["title"] == "FoCdle #324 · guess 1 of 6"
    (field,) = form["components"]
    assert field["label"] == "Your equation: 10 symbols"
    assert "min_length" not in field["component"]

    board = await table.guess(table.ann, board, "12+34-5=41")
    form = (await table.form(table.ann, board)).modal
    assert form is not None
    assert form["title"] == "FoCdle #324 · guess 2 of 6"
    assert "`12+34-5=41`" in form["components"][0]["content"]
    assert "not in it" in form["components"][0]["content"]


async def test_a_refused_guess_at_focdle_is_not_spent_and_can_be_edited(table: Table) -> None:
    board = await table.focdle(table.ann)
    refused = await table.guess(table.ann, board, "12+34-5=4")
    assert refused.id == board.id
    assert ("`12+34-5=4` has 9 of 10 symbols. Add one.\n-# No guess was spent.") in text(refused)
    assert "Find the hidden equation: " not in text(refused)
    assert buttons(refused) == ["Edit", "How to play", "More"]

    form = await table.ann.click(refused, label="Edit")
    assert form.modal is not None
    assert form.modal["components"][0]["component"]["value"] == "12+34-5=4"
    board = seen(await table.ann.submit_modal(form, {"guess": "12+34-5=41"}))
    assert "5 guesses left." in text(board)
    assert "No guess was spent." not in text(board)
    assert buttons(board) == ["Guess", "Hint: −1 point", "More"]


async def test_a_refused_guess_stays_while_more_is_looked_at(table: Table) -> None:
    refused = await table.focdle(table.ann, guess="12+34-5=4")
    await table.restart()
    more = seen(await table.ann.click(refused, label="More"))
    assert "has 9 of 10 symbols." in text(more)
    assert buttons(more) == ["Edit", "How to play", *offered(more)]


async def test_a_first_hint_is_asked_about_and_each_says_what_it_shows(table: Table) -> None:
    board = await table.focdle(table.ann, guess="12+34-5=41")
    asked = seen(await table.ann.click(board, label="Hint: −1 point"))
    assert "**Take a hint?**" in text(asked)
    assert buttons(asked) == ["Hint: −1 point", "Keep playing"]
    await table.restart()
    hinted = seen(await table.ann.click(asked, label="Hint: −1 point"))
    assert "💡 `6` is in place 1." in text(hinted)
    hinted = seen(await table.ann.click(hinted, label="Hint: −1 point"))
    assert "💡 `6` is in place 2." in text(hinted)


async def test_an_edited_guess_keeps_its_text_over_a_restart(table: Table) -> None:
    refused = await table.focdle(table.ann, guess="12 + 34 : 5 = 4")
    await table.restart()
    form = await table.ann.click(refused, label="Edit")
    assert form.modal is not None
    assert form.modal["components"][0]["component"]["value"] == "12 + 34 : 5 = 4"


async def test_a_guess_after_the_end_of_a_focdle_is_refused(table: Table) -> None:
    board = await table.focdle(table.ann)
    form = await table.form(table.ann, board)
    await table.focdle(table.ann, guess=SECRET)
    late = seen(await table.ann.submit_modal(form, {"guess": "12+34-5=41"}))
    assert "This puzzle is finished." in text(late)
    assert buttons(late) == OVER
    assert "12+34-5=41" not in text(late)


async def test_the_guess_button_on_an_old_board_of_a_finished_game_shows_the_end(
    table: Table,
) -> None:
    board = await table.focdle(table.ann)
    await table.focdle(table.ann, guess=SECRET)
    finished = seen(await table.form(table.ann, board))
    assert "Solved on the first guess" in text(finished)


async def test_the_daily_is_played_in_direct_messages_too(table: Table) -> None:
    user = table.ann.user
    board = seen(await user.slash("focdle"))
    form = await user.click(board, label="Guess")
    board = seen(await user.submit_modal(form, {"guess": "12+34-5=41"}))
    assert "5 guesses left." in text(board)
    assert "5 guesses left." in text(await table.focdle(table.ann))
