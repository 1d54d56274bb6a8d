"""Playing at one's own pace: probes, hard mode, practice, the archive, unfinished games."""

from typing import Any

from simcord import ResponseMessage

from tests.support.overwrites import overwrite
from tests.support.screen import buttons, custom_ids, my_games, offered, parts, seen, text
from tests.support.table import SECRET, Table

FALSE = "65%43%22=1"  # it is 0


async def test_a_false_equation_is_questioned_before_it_is_played(table: Table) -> None:
    board = await table.guess(table.ann, await table.focdle(table.ann), FALSE)
    assert "`65%43%22` is 0, not 1. Spend a guess on it anyway?" in text(board)
    assert buttons(board) == ["Edit", "Play it anyway", "How to play", "More"]
    await table.restart()
    board = seen(await table.ann.click(board, label="Play it anyway"))
    assert f"`{FALSE}`" in text(board)
    assert "5 guesses left." in text(board)
    assert buttons(board) == ["Guess", "Hint: −1 point", "More"]


async def test_a_confirmed_false_equation_pressed_twice_spends_one_guess(table: Table) -> None:
    first = await table.focdle(table.ann, guess=FALSE)
    second = await table.focdle(table.ann, guess=FALSE)
    await table.at_once([table.ann.click(b, label="Play it anyway") for b in (first, second)])
    assert "5 guesses left." in text(await table.focdle(table.ann))


async def test_the_board_notes_a_guess_with_the_right_symbols_in_another_order(
    table: Table,
) -> None:
    twisted = "65%66%72=1"
    board = await table.focdle(table.ann, guess=twisted)
    board = seen(await table.ann.click(board, label="Play it anyway"))
    assert f"`{twisted}`≈" in text(board)
    assert text(board).count("same symbols, different order") == 1


async def hard_board(table: Table, *guesses: str) -> ResponseMessage:
    await table.services.preferences.set_hard_mode(table.ann.id, on=True)
    board = await table.focdle(table.ann)
    for guess in guesses:
        board = await table.focdle(table.ann, guess=guess)
    return board


REFUSED_IN_HARD_MODE = {
    FALSE: "`65%43%22` is 0, not 1. In hard mode, every guess must be a true equation.",
    "84-13*1=71": "Guess 1 found `6` in place 1: keep it there.",
    "61-44-1=16": "Guess 1 says `1` isn't in place 2.",
    "64%30%79=4": "Guess 1 found 2 of `6`: use as many.",
    "66%31%73=4": "Guess 1 found `5`: use it.",
}


async def test_hard_mode_refuses_a_guess_and_names_the_clue_that_it_violates(table: Table) -> None:
    board = await hard_board(table, "61%52+7=16")
    for guess, sentence in REFUSED_IN_HARD_MODE.items():
        board = await table.guess(table.ann, board, guess)
        assert sentence in text(board)
        assert "No guess was spent." in text(board)
        assert "Play it anyway" not in buttons(board)
        assert "5 guesses left." in text(board)


async def test_a_game_keeps_the_mode_in_which_it_began(table: Table) -> None:
    await table.focdle(table.ann, guess="12+34-5=41")
    play = int(custom_ids(await table.focdle(table.ann))[0].rpartition(":")[2])
    # Chosen for another day: the running game keeps its rules.
    table.clock.advance(days=1)
    await table.services.preferences.set_hard_mode(table.ann.id, on=True)
    running = await table.services.daily.view(table.ann.id, play)
    assert not running.rules.hard
    assert "hard mode" in text(await table.focdle(table.ann))


async def test_a_practice_brings_no_points_and_no_streak_and_leads_to_the_next(
    table: Table,
) -> None:
    board = seen(await table.ann.slash(table.channel, "practice", length=7))
    assert board.ephemeral
    assert "### FoCdle practice\n-# 7 symbols" in text(board)
    again = seen(await table.ann.slash(table.channel, "practice"))
    assert custom_ids(again) == custom_ids(board)
    secret = await secret_of(table, board)
    board = await table.guess(table.ann, board, secret)
    assert "Solved on the first guess" in text(board)
    assert "point" not in text(board)
    assert "Streak" not in text(board)
    assert buttons(board) == ["Today's puzzle", "Share", "Coach", "More"]
    board = await table.more(table.ann, board)
    assert offered(board) == ["Next one", "Try 8 symbols", "Is it fair?"]
    following = seen(await table.ann.click(board, label="Next one"))
    assert following.id != board.id
    assert "-# 7 symbols" in text(following)
    assert custom_ids(following)[0] != custom_ids(again)[0]


async def secret_of(table: Table, board: ResponseMessage) -> str:
    play = int(custom_ids(board)[0].rpartition(":")[2])
    return (await table.services.daily.view(table.ann.id, play)).game.secret


async def choices(table: Table, typed: str) -> list[dict[str, Any]]:
    return await table.ann.autocomplete(table.channel, "focdle", "puzzle", typed)


async def test_the_archive_shows_which_puzzles_are_solved(table: Table) -> None:
    await table.focdle(table.ann, guess=SECRET)
    await table.focdle(table.ann, puzzle="323")
    found = await choices(table, "")
    assert len(found) == 25
    assert [c["name"] for c in found[:3]] == [
        "#324 · Nov 20, 2026 · 10 symbols · ✅ solved",
        "#323 · Nov 19, 2026 · 10 symbols · … under way",
        "#322 · Nov 18, 2026 · 10 symbols · new",
    ]
    assert found[0]["value"] == "#324/10"


COMPLETED = [
    ("32", "#32/10", 6),
    ("#31", "#31/10", 11),
    ("2026-03-0", "#68/10", 9),
    ("5", "#5/10", 11),
    ("x", "", 0),
    ("12/9", "#12/9", 11),
    ("2026-01-12/13", "#12/13", 1),
    ("/11", "#324/11", 25),
    ("yesterday", "#323/10", 1),
    ("24.3.", "#83/10", 1),
    ("6/9", "#160/10", 12),
]


async def test_a_partly_typed_number_or_date_is_completed_to_puzzles_of_the_archive(
    table: Table,
) -> None:
    for typed, first, count in COMPLETED:
        found = await choices(table, typed)
        assert len(found) == count, typed
        assert [c["value"] for c in found[:1]] == ([first] if first else [])


async def test_a_player_is_asked_whether_an_ambiguous_puzzle_name_is_a_date_or_a_number(
    table: Table,
) -> None:
    asked = seen(await table.ann.slash(table.channel, "focdle", puzzle="6/9"))
    assert text(asked) == "Which one?"
    assert buttons(asked) == ["Jun 9 · #160", "#6 · 9 symbols"]
    assert "**FoCdle" not in text(await my_games(table.ann, table.channel))
    chosen = seen(await table.ann.click(asked, label="#6 · 9 symbols"))
    assert "FoCdle #6" in text(chosen)


async def test_a_long_board_is_text_where_the_bot_may_not_attach_files(table: Table) -> None:
    for allowed in (True, False):
        overwrite(table, table.channel, attach_files=allowed)
        board = seen(await table.ann.slash(table.channel, "practice", length=12))
        assert [part["type"] for part in parts(board)].count(12) == allowed
    board = await table.guess(table.ann, board, "98+76+54=228")
    assert "`98+76+54=228`" in text(board)


async def test_the_next_practice_of_a_long_length_has_a_new_picture_of_an_empty_board(
    table: Table,
) -> None:
    board = seen(await table.ann.slash(table.channel, "practice", length=13))
    assert [a.description for a in board.attachments] == ["An empty board"]
    board = await table.guess(table.ann, board, await secret_of(table, board))
    assert len(board.attachments) == 1
    assert "in place, in place" in (board.attachments[0].description or "")
    following = await table.more(table.ann, board)
    assert len(following.attachments) == 1
    following = seen(await table.ann.click(following, label="Next one"))
    assert [a.description for a in following.attachments] == ["An empty board"]
