"""A player breaks the bot's code, privately."""

from pathlib import Path
from typing import Any

from cogs.ui.pages import button
from engine import Mastermind
from tests.support.forging import forge_form
from tests.support.loose import post
from tests.support.mastermind_stories import (
    change_form,
    changed,
    colour_id,
    fix_secret,
    opened,
    press,
    proposed,
    put,
    typed,
)
from tests.support.screen import NOT_YOURS, buttons, parts, seen, text
from tests.support.table import Table

COLOURS = ["R", "O", "Y", "G", "B", "P"]
CONTROLS = ["Guess", "Undo", "How to play", "More"]
OTHERS = "Other pegs or colours"


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
    assert "### Astonishing!\nSolved in 3 of 12." in text(board)
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
    assert "**Give up?** You'll see the code, and the game ends." in text(board)
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
    "RRGBY": "`RRGBY` has 5 pegs, not 4. Take one out.",
    "ROYGBP": "`ROYGBP` has 6 pegs, not 4. Take 2 out.",
    "RRGx": (
        "`RRGx`: `x` in place 4 isn't a colour. "
        "Type letters (`R\xa0O\xa0Y\xa0G\xa0B\xa0P`), names or emoji."
    ),
    "RR\u200bGB": (
        "`RRGB` has something invisible in place 3 (`zero width space`). Type it again."
    ),
    "red gren rr": "`red gren rr`: `gren` in place 2 isn't a colour. Did you mean `green`?",
    "red gray rr": (
        "`red gray rr`: `gray` in place 2 isn't a colour. "
        "Type letters (`R\xa0O\xa0Y\xa0G\xa0B\xa0P`), names or "
        "emoji."
    ),
    "RRGW": "`RRGW`: `W` (white) in place 4 isn't in this game. Use `R\xa0O\xa0Y\xa0G\xa0B\xa0P`.",
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


SETTINGS = {
    ("pegs", 2): "A code has 3 to 6 pegs, not 2.",
    ("pegs", 7): "A code has 3 to 6 pegs, not 7.",
    ("colours", 3): "Choose 4 to 10 colours, not 3.",
    ("colours", 11): "Choose 4 to 10 colours, not 11.",
    ("guesses", 5): "Choose 6 to 13 guesses, not 5.",
    ("guesses", 14): "Choose 6 to 13 guesses, not 14.",
}


async def test_an_invalid_setting_gets_its_own_sentence_and_changes_nothing(table: Table) -> None:
    await opened(table, table.ann, "play")
    for (option, value), sentence in SETTINGS.items():
        values = {"pegs": "4", "colours": "6", "repeats": True, "guesses": "12"}
        sent = values | {option: str(value)}
        result = await forge_form(table.ann, table.channel, "mm:form:change:p:1", sent)
        assert text(seen(result)) == sentence
    (game,) = await table.services.mastermind.games.open_of(table.ann.id)
    assert (game.id, game.rules) == (1, Mastermind())


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
        assert text(answer) == ("That game is gone. Start a new one!")


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


SMALL: dict[str, Any] = {"pegs": 3, "colours": 8, "repeats": False, "guesses": 10}
USUAL = "-# 4 pegs · 6 colours · with repeats · 12 guesses\n"
CHANGED = "-# 3 pegs · 8 colours · no repeats · 10 guesses\n"
UNRANKED = "-# Not ranked: you changed the settings."


class TestChange:
    async def test_a_changed_game_is_not_ranked_and_says_so_and_the_next_one_is_ranked_again(
        self, table: Table
    ) -> None:
        board = await opened(table, table.ann, "play")
        assert UNRANKED not in text(board)
        form = await change_form(table.ann, board)
        assert form.modal is not None
        assert "Ranked: 4 pegs · 6 colours · with repeats · 12 guesses" in str(form.modal)
        assert proposed(form) == {"pegs": "4", "colours": ["6"], "repeats": True, "guesses": ["12"]}
        chosen = await changed(table.ann, board, **SMALL)
        assert chosen.id == board.id
        assert CHANGED in text(chosen)
        assert UNRANKED in text(chosen)
        assert proposed(await change_form(table.ann, chosen)) == {
            "pegs": "3",
            "colours": ["8"],
            "repeats": False,
            "guesses": ["10"],
        }
        await table.restart()
        following = await opened(table, table.ann, "play")
        assert USUAL in text(following)
        assert UNRANKED not in text(following)
        back = await changed(table.ann, chosen, pegs=4, colours=6, repeats=True, guesses=12)
        assert USUAL in text(back)
        assert UNRANKED not in text(back)

    async def test_a_running_game_keeps_its_setting(self, table: Table, tmp_path: Path) -> None:
        board = await opened(table, table.ann, "play")
        form = await change_form(table.ann, board)
        stale = await post(table.world, button("mm:p:change:1", "Other settings"))
        fix_secret(tmp_path, "RGBY")
        await typed(table.ann, await opened(table, table.ann, "play"), "RROO")
        for answer in (
            await press(table.ann, stale, "Other settings"),
            seen(await table.ann.submit_modal(form, proposed(form) | {"pegs": "3"})),
        ):
            assert "This game has begun. Start another to change pegs or colours." in text(answer)
            assert "11 guesses left." in text(answer)
            assert USUAL in text(answer)
            assert "Other settings" not in buttons(await press(table.ann, answer, "More"))
        theirs = await press(table.ben, stale, "Other settings")
        assert text(theirs) == NOT_YOURS

    async def test_the_next_defence_has_the_setting_of_the_last_one(self, table: Table) -> None:
        board = await opened(table, table.ann, "defend")
        assert USUAL in text(board)
        chosen = await changed(table.ann, board, **SMALL)
        assert chosen.id == board.id
        assert CHANGED in text(chosen)
        await table.restart()
        assert CHANGED in text(await opened(table, table.ann, "defend"))
        assert USUAL in text(await opened(table, table.ben, "defend"))

    async def test_beside_a_ranked_game_the_bot_breaks_codes_of_other_pegs(
        self, table: Table
    ) -> None:
        await opened(table, table.ann, "play")
        refused = await opened(table, table.ann, "defend")
        assert buttons(refused) == ["Open that game", "Seal a code instead", OTHERS]
        still = await changed(table.ann, refused, OTHERS, guesses=8)
        assert buttons(still) == ["Open that game", "Seal a code instead", OTHERS]
        board = await changed(table.ann, refused, OTHERS, pegs=5)
        assert "-# 5 pegs · 6 colours · with repeats · 12 guesses\n" in text(board)
