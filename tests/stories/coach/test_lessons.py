"""*Find a better guess* through Discord."""

from pathlib import Path

from simcord import ResponseMessage

from tests.support.forging import forge_click, forge_form
from tests.support.mastermind_stories import press
from tests.support.screen import buttons, custom_ids, parts, seen, text
from tests.support.sql import sql
from tests.support.table import SECRET, Table

FIRST, SECOND = "12+34-5=41", "65%43-21=1"
FIND = "Find a better guess"
WAYS = ["Try again", "Show the best", "Back"]


async def coached(table: Table, *guesses: str) -> ResponseMessage:
    """The coach's page about a FoCdle of these guesses."""
    first, *others = guesses or (FIRST, SECOND, SECRET)
    board = await table.focdle(table.ann, guess=first)
    for guess in others:
        board = await table.guess(table.ann, board, guess)
    return await press(table.ann, board, "Coach")


async def tried(table: Table, page: ResponseMessage, guess: str, by: str = "") -> ResponseMessage:
    """What is said of a guess."""
    form = await table.ann.click(page, label=by or buttons(page)[0])
    return seen(await table.ann.submit_modal(form, {"guess": guess}))


async def test_a_lesson_compares_the_guesses_that_a_player_tries_with_the_one_made(
    table: Table, tmp_path: Path
) -> None:
    coach = await coached(table)
    page = await press(table.ann, coach, FIND)
    assert (page.id, page.ephemeral) == (coach.id, True)
    assert f"`{FIRST}`" in text(page)
    assert "Can you beat guess 2?" in text(page)
    for hidden in (SECOND, SECRET):
        assert hidden not in "".join([text(page), *custom_ids(page)])
    assert buttons(page) == ["Guess", *WAYS[1:]]
    guesses = sql(tmp_path, "SELECT * FROM guesses")

    worse = await tried(table, page, "10 + 10 × 3 = 40")
    assert worse.id == page.id
    told = (
        f"`10+10*3=40` is **not as good** as your `{SECOND}`. "
        "It leaves 525 possible; yours left 15."
    )
    assert told in text(worse)
    assert text(worse).endswith("Guess 1 says `1` isn't in place 1.")
    assert buttons(worse) == WAYS
    await table.restart()
    better = await tried(table, worse, "67+3%39=70")
    told = "It leaves 8 possible; yours left 15."
    assert text(better).endswith(f"`67+3%39=70` is **better** than your `{SECOND}`. {told}")
    same = await tried(table, better, "92-45-7=40")
    told = (
        f"`92-45-7=40` is **about as good** as your `{SECOND}`. "
        "It leaves 16 possible; yours left 15."
    )
    assert told in text(same)
    assert "Nothing beats it" not in text(same)
    best = await tried(table, same, "86*27%27=9")  # false, and nothing is asked
    assert (
        f"`86*27%27=9` is **better** than your `{SECOND}`. "
        "It leaves 3 possible; yours left 15." in text(best)
    )
    assert "🎉 **Nothing beats it.**" in text(best)
    assert buttons(best) == ["Back"]
    page = await press(table.ann, await press(table.ann, best, "Back"), FIND)
    same = await tried(table, page, "92-45-7=40")
    own = await tried(table, same, SECOND)
    assert text(own).endswith(f"You played `{SECOND}`. Try another.")

    known = await tried(table, own, SECRET)
    assert text(known).endswith(f"By now you know that `{SECRET}` is the answer. Try another.")
    assert buttons(known) == WAYS

    shown = await press(table.ann, known, "Show the best")
    assert "The best guess here is `86*27%27=9`: it leaves 3 possible; yours left 15." in text(
        shown
    )
    assert text(shown).endswith("A false equation can reveal more.")
    assert buttons(shown) == ["Back"]
    back = await press(table.ann, shown, "Back")
    assert (back.id, text(back)) == (coach.id, text(coach))
    assert sql(tmp_path, "SELECT * FROM guesses") == guesses


async def test_a_lesson_reads_and_refuses_the_same_guesses_as_the_board(table: Table) -> None:
    page = await press(table.ann, await coached(table), FIND)
    short = await tried(table, page, "12+34")
    assert "Add" in text(short)
    assert "No guess was spent." in text(short)
    assert buttons(short) == ["Edit", *WAYS[1:]]
    form = await table.ann.click(short, label="Edit")
    assert "12+34" in str(form.modal)
    false = seen(await table.ann.submit_modal(form, {"guess": "86*27%27=8"}))
    assert f"`86*27%27=8` is **better** than your `{SECOND}`" in text(false)
    again = await tried(table, page, FIRST)
    assert f"You played `{FIRST}` as guess 1." in text(again)


async def test_the_lesson_of_a_long_board_has_a_picture(table: Table, tmp_path: Path) -> None:
    board = await table.focdle(table.ann, puzzle="#324/13")
    guess = "98+66*37=2540"
    board = await table.guess(table.ann, board, guess)
    ((secret,),) = sql(tmp_path, "SELECT secret FROM puzzles WHERE length = 13")
    await table.guess(table.ann, board, secret)
    page = seen(await forge_click(table.ann, table.channel, "coach:find:play:1:1"))
    (drawn,) = [item for part in parts(page) for item in part.get("items", [])]
    assert drawn["description"].startswith(f"{guess}: ")
    assert secret not in drawn["description"]


async def test_a_lesson_is_shown_only_to_its_player(table: Table) -> None:
    page = await press(table.ann, await coached(table), FIND)
    false = await tried(table, page, "86*27%27=8")
    ids = [each for each in [*custom_ids(page), *custom_ids(false)] if each.startswith("coach:")]
    assert len(ids) == 6
    for custom_id in ids:
        theirs = text(seen(await forge_click(table.ben, table.channel, custom_id)))
        assert "somebody else's" in theirs
        assert SECOND not in theirs
    sent = await forge_form(table.ben, table.channel, "coach:form:play:1:1", {"guess": SECRET})
    assert "somebody else's" in text(seen(sent))
    for nothing in ("coach:find:play:1:3", "coach:best:play:1:99", "coach:find:play:2:0"):
        gone = seen(await forge_click(table.ann, table.channel, nothing))
        assert "That game is gone." in text(gone)
