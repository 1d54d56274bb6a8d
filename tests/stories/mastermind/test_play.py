"""A player breaks the bot's code, privately."""

from pathlib import Path

from cogs.ui.pages import button
from tests.support.loose import post
from tests.support.mastermind_stories import colour_id, fix_secret, opened, press, put, typed
from tests.support.screen import buttons, parts, seen, text
from tests.support.table import Table

COLOURS = ["R", "O", "Y", "G", "B", "P"]
CONTROLS = ["Guess", "Undo", "How to play", "More"]
CHOSEN = {"pegs": "3", "colours": ["8"], "repeats": False, "guesses": ["10"]}


async def test_a_whole_mastermind_is_played_by_buttons_and_form(
    table: Table, tmp_path: Path
) -> None:
    board = await opened(table, table.ann, "play")
    fix_secret(tmp_path, "RRGB")
    assert board.ephemeral
    assert "### Mastermind\n-# 4 pegs · 6 colours · with repeats · 12 guesses\n" in text(board)
    assert "press 4 colours, then **Guess**." in text(board)
    assert buttons(board) == COLOURS + CONTROLS

    board = await put(table.ann, board, "RGO")
    assert "` 1`\u2002🔴🟢🟠▫️" in text(board)
    board = await press(table.ann, board, "Undo")
    board = await put(table.ann, board, "RB")
    assert "The row is full: press **Guess**. 12 guesses left." in text(board)
    colours = [part for part in parts(board) if part.get("label") in COLOURS]
    assert all(part["disabled"] for part in colours)
    board = await press(table.ann, board, "Guess")
    assert "` 1`\u2002🔴🟢🔴🔵\u20022 black, 2 white\n` 2`\u2002▫️▫️▫️▫️" in text(board)
    assert "11 guesses left." in text(board)

    board = await typed(table.ann, board, "yellow, y 🟡🟡")
    assert "` 2`\u2002🟡🟡🟡🟡\u2002none\n" in text(board)
    board = await typed(table.ann, board, "rrgb")
    assert "` 3`\u2002🔴🔴🟢🔵\u20024 black\n" in text(board)
    assert "**Solved in 3 of 12.**" in text(board)
    assert buttons(board) == ["Play again", "Share", "Coach", "More"]

    shared = seen(await table.ann.click(board, label="Share"))
    assert not shared.ephemeral
    assert f"**{table.ann.mention} broke the code in 3 of 12.**" in text(shared)
    assert "` 2`\u2002🟡🟡🟡🟡\u2002none\n" in text(shared)
    bens = seen(await table.ben.click(shared, label="Try it"))
    assert bens.ephemeral
    assert buttons(bens)[0] == "Play"


async def test_a_row_survives_a_restart(table: Table) -> None:
    board = await put(table.ann, await opened(table, table.ann, "play"), "RO")
    await table.restart()
    board = await put(table.ann, board, "Y")
    assert "` 1`\u2002🔴🟠🟡▫️" in text(board)


async def test_simultaneous_clicks_on_pegs_are_all_stored_and_a_double_submission_plays_once(
    table: Table, tmp_path: Path
) -> None:
    board = await opened(table, table.ann, "play")
    ids = [colour_id(board, colour) for colour in "ROYG"]
    await table.at_once([table.ann.click(board, custom_id=each) for each in ids])
    (game,) = await table.services.mastermind.games.open_of(table.ann.id)
    assert sorted(game.pending) == sorted("ROYG")
    board = await opened(table, table.ann, "play", guesses=6)
    fix_secret(tmp_path, "PPPP")
    board = await put(table.ann, board, "ROYG")
    await table.at_once([table.ann.click(board, label="Guess") for _ in range(2)])
    assert "5 guesses left." in text(board)


async def test_the_play_again_button_keeps_the_setting(table: Table, tmp_path: Path) -> None:
    options = {"pegs": 3, "colours": 10, "repeats": False, "guesses": 6}
    board = await opened(table, table.ann, "play", **options)
    assert "-# 3 pegs · 10 colours · no repeats · 6 guesses" in text(board)
    board = await press(table.ann, board, "Give up")
    assert "**Give up?** You will see the code, and the game is over." in text(board)
    assert buttons(board) == ["Yes, give up", "Keep playing"]
    board = await press(table.ann, board, "Keep playing")
    assert "Guess" in buttons(board)
    fix_secret(tmp_path, "KNW")
    board = await press(table.ann, await press(table.ann, board, "Give up"), "Yes, give up")
    assert "**You gave up.** The code was\n🩷🟤⚪ `KNW`" in text(board)
    again = await press(table.ann, board, "Play again")
    assert again.id != board.id
    assert "-# 3 pegs · 10 colours · no repeats · 6 guesses" in text(again)


GUESSES = {
    "": "Type 4 colours, such as `ROYG`.",
    "RRG": "`RRG` has 3 of 4 pegs. Add one.",
    "RR": "`RR` has 2 of 4 pegs. Add 2.",
    "RRGBY": "`RRGBY` has 5 pegs, this game 4. Take one out.",
    "ROYGBP": "`ROYGBP` has 6 pegs, this game 4. Take 2 out.",
    "RRGx": ("`RRGx`: `x` at place 4 is no colour. Type letters (`R O Y G B P`), names or emoji."),
    "RR\u200bGB": (
        "`RRGB`: something invisible stands at place 3 (`zero width space`). Type it anew."
    ),
    "red gren rr": "`red gren rr`: `gren` at place 2 is no colour. Did you mean `green`?",
    "red gray rr": (
        "`red gray rr`: `gray` at place 2 is no colour. Type letters (`R O Y G B P`), names or "
        "emoji."
    ),
    "RRGW": "`RRGW`: `W` (white) at place 4 is not in this game: `R O Y G B P`.",
    "OOYY": "You played `OOYY` as guess 1.",
}


async def test_each_mistaken_mastermind_guess_gets_its_own_sentence_and_is_not_spent(
    table: Table, tmp_path: Path
) -> None:
    board = await opened(table, table.ann, "play")
    fix_secret(tmp_path, "RRGB")
    board = await typed(table.ann, board, "OOYY")
    for wrong, sentence in GUESSES.items():
        label = "Edit" if "Edit" in buttons(board) else "Guess"
        board = await typed(table.ann, board, wrong, label)
        assert f"\n{sentence}\n-# No guess was spent." in text(board), wrong
        assert "11 guesses left." in text(board), wrong
        assert ("Edit" in buttons(board)) == bool(wrong)
        if wrong:
            form = await table.ann.click(board, label="Edit")
            assert form.modal is not None
            value = form.modal["components"][-1]["component"]["value"]
            assert value == wrong.replace("\u200b", "")


async def test_a_second_peg_of_a_colour_is_refused_where_repeats_are_off(table: Table) -> None:
    board = await opened(table, table.ann, "play", repeats=False)
    refused = await typed(table.ann, board, "RGRB")
    assert ("`RGRB` has `R` (red) twice, and repeats are off.\n-# No guess was spent.") in text(
        refused
    )
    board = await put(table.ann, refused, "R")
    (used,) = [part for part in parts(board) if part.get("custom_id") == colour_id(board, "R")]
    assert used["disabled"]


async def test_simultaneous_clicks_on_pegs_respect_that_repeats_are_off_and_that_the_row_is_full(
    table: Table,
) -> None:
    board = await opened(table, table.ann, "play", pegs=3, repeats=False)
    results = await table.at_once(
        [table.ann.click(board, custom_id=colour_id(board, c)) for c in "RR"]
    )
    answers = [text(seen(result)) for result in results]
    refused = "`R` (red) is in the row already, and repeats are off."
    assert any("\u2002🔴▫️▫️" in answer and refused in answer for answer in answers)
    assert any("Repeats are off." in answer for answer in answers)
    results = await table.at_once(
        [table.ann.click(board, custom_id=colour_id(board, c)) for c in "OYG"]
    )
    answers = [text(seen(result)) for result in results]
    refused = "The row is full. Press *Guess* or *Undo*."
    assert any("press **Guess**" in answer and refused in answer for answer in answers)


SETTINGS = {
    ("pegs", 2): "A code has 3 to 6 pegs, not 2.",
    ("pegs", 7): "A code has 3 to 6 pegs, not 7.",
    ("colours", 3): "There are 4 to 10 colours, not 3.",
    ("colours", 11): "There are 4 to 10 colours, not 11.",
    ("guesses", 5): "There are 6 to 13 guesses, not 5.",
    ("guesses", 14): "There are 6 to 13 guesses, not 14.",
}


async def test_an_invalid_setting_gets_its_own_sentence(table: Table) -> None:
    for (option, value), sentence in SETTINGS.items():
        answer = await opened(table, table.ann, "play", **{option: value})
        assert answer.ephemeral
        assert text(answer) == sentence
    answer = await opened(table, table.ann, "defend", pegs=5, colours=4, repeats=False)
    assert text(answer) == ("Without repeats, 5 pegs need at least 5 colours; you chose 4.")
    assert await table.services.mastermind.games.open_of(table.ann.id) == []


BUTTONS = {
    "R": "mm:p:put:1:R",
    "Undo": "mm:p:undo:1",
    "Submit": "mm:p:submit:1:RRRR",
    "Type it": "mm:p:type:1",
    "Give up": "mm:p:ask:1",
    "Yes, give up": "mm:p:end:1",
    "Keep playing": "mm:p:keep:1",
    "Play again": "mm:p:again:1",
}


async def test_every_button_of_a_missing_mastermind_says_that_the_game_is_gone(
    table: Table,
) -> None:
    message = await post(table.world, *(button(i, label) for label, i in BUTTONS.items()))
    for label in BUTTONS:
        answer = await press(table.ann, message, label)
        assert text(answer) == ("That game is gone. Type `/mastermind play` for a new one.")


async def test_a_finished_mastermind_board_takes_no_more_clicks(table: Table) -> None:
    board = await opened(table, table.ann, "play")
    form = await table.ann.click(board, label="Guess")
    await table.services.mastermind.solo.surrender(table.ann.id, 1)
    late = seen(await table.ann.submit_modal(form, {"code": "RRRR"}))
    assert "This game is over." in text(late)
    assert buttons(late) == ["Play again", "More"]
    message = await post(table.world, *(button(BUTTONS[label], label) for label in ("R", "Undo")))
    for label in ("R", "Undo"):
        late = await press(table.ann, message, label)
        assert "This game is over." in text(late)


async def test_mastermind_is_played_in_direct_messages_too(table: Table) -> None:
    user = table.ann.user
    board = seen(await user.slash("mastermind play"))
    board = seen(await user.click(board, custom_id=colour_id(board, "R")))
    assert "🔴▫️▫️▫️" in text(board)


class TestSetting:
    async def test_a_setting_chosen_in_a_form_is_kept_for_the_next_game(self, table: Table) -> None:
        board = await opened(table, table.ann, "play")
        form = await table.ann.click(
            await press(table.ann, board, "More"), label="Other pegs or colours"
        )
        chosen = seen(await table.ann.submit_modal(form, CHOSEN))
        assert chosen.id == board.id
        assert "-# 3 pegs · 8 colours · no repeats · 10 guesses\n" in text(chosen)
        await table.restart()
        again = await opened(table, table.ann, "play")
        assert "-# 3 pegs · 8 colours · no repeats · 10 guesses\n" in text(again)
        partly = await opened(table, table.ann, "play", pegs=5, guesses=9)
        assert "-# 5 pegs · 8 colours · no repeats · 9 guesses\n" in text(partly)
        bens = await opened(table, table.ben, "play")
        assert "-# 4 pegs · 6 colours · with repeats · 12 guesses\n" in text(bens)

    async def test_an_impossible_setting_is_refused_and_the_board_stays(self, table: Table) -> None:
        board = await opened(table, table.ann, "play")
        form = await table.ann.click(
            await press(table.ann, board, "More"), label="Other pegs or colours"
        )
        impossible = CHOSEN | {"pegs": "6", "colours": ["4"]}
        refused = seen(await table.ann.submit_modal(form, impossible))
        assert refused.ephemeral
        assert "6 pegs" in text(refused)
        board = await opened(table, table.ann, "play")
        assert "-# 4 pegs · 6 colours · with repeats · 12 guesses\n" in text(board)

    async def test_a_running_game_keeps_its_setting(self, table: Table) -> None:
        stale = await press(table.ann, await opened(table, table.ann, "play"), "More")
        begun = await typed(table.ann, await opened(table, table.ann, "play"), "RROO")
        assert "Other pegs or colours" not in buttons(await press(table.ann, begun, "More"))
        assert "11 guesses left." in text(await press(table.ann, stale, "Other pegs or colours"))
