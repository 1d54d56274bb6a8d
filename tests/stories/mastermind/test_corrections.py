"""Answers to the bot's guesses that contradict each other, and answers put right."""

from typing import Any

from simcord import MemberActor, ResponseMessage

from cogs.ui.pages import button
from tests.support.loose import post
from tests.support.mastermind_stories import answer, opened, press
from tests.support.screen import buttons, parts, seen, text
from tests.support.table import Table

RED, ORANGE, YELLOW = "🔴🟠🟡"


async def contradict(table: Table) -> ResponseMessage:
    """Answer so that no code is left: all four of two colours, then none of them."""
    board = await opened(table, table.ann, "defend")
    board = await press(table.ann, await press(table.ann, board, "0"), "4")
    while "No code fits" not in text(board):
        board = await press(table.ann, board, "0")
        if "And how many white?" in text(board):
            board = await press(table.ann, board, "0")
    return board


def answers(board: ResponseMessage) -> dict[str, Any]:
    """The list of answers, one of which can be corrected."""
    (found,) = [part for part in parts(board) if part["type"] == 3]
    return found


async def pick_answer(who: MemberActor, board: ResponseMessage, index: str) -> ResponseMessage:
    """Choose an answer to correct."""
    return seen(await who.select(board, [index], custom_id=answers(board)["custom_id"]))


async def test_a_contradiction_is_shown_and_repaired(table: Table) -> None:
    board = await contradict(table)
    first, *rest = [line for line in text(board).splitlines() if line.startswith("`")]
    assert first.startswith(f"` 1`\u2002{RED}{RED}{ORANGE}{YELLOW}\u20024 white")
    assert rest
    assert "⚠️ **No code fits these 2 answers together:**" in text(board)
    assert "✏️" not in text(board)  # it may be either
    assert buttons(board) == ["More"]
    await table.restart()
    assert answers(board)["options"][0] == {
        "label": "Guess 1: R R O Y",
        "value": "0",
        "description": "✏️ You answered 0 black, 4 white. Changing this one makes everything fit.",
        "default": False,
    }
    board = await pick_answer(table.ann, board, "0")
    assert "### Mastermind: correct an answer" in text(board)
    assert f"` 1`\u2002{RED}{RED}{ORANGE}{YELLOW}\u2002you answered: 4 white" in text(board)
    assert "Later guesses are dropped." in text(board)
    board = await press(table.ann, board, "0")
    assert "0 black. **And how many white?**" in text(board)
    board = await press(table.ann, board, "1")
    assert f"` 1`\u2002{RED}{RED}{ORANGE}{YELLOW}\u20021 white\n" in text(board)
    assert "**How many black pegs?**" in text(board)
    assert "codes are still possible" in text(board)


async def test_an_impossible_correction_is_explained_and_the_list_resets(
    table: Table,
) -> None:
    """A client shows a list with the same ids as it was left, and sends nothing of it again."""
    board = await contradict(table)
    compared = [line.removesuffix("\u2002✏️") for line in text(board).splitlines() if "` " in line]
    drawn = [answers(board)]
    asks = await pick_answer(table.ann, board, "0")
    assert f"\nCompare it with:\n{compared[1]}\n" in text(asks)
    board = await press(table.ann, asks, "Keep it")
    drawn.append(answers(board))
    assert "still no code fits" not in text(board)
    await table.restart()
    asks = await pick_answer(table.ann, board, "1")
    assert f"\nCompare it with:\n{compared[0]}\n" in text(asks)
    asks = await press(table.ann, asks, "0")
    assert f"\nCompare it with:\n{compared[0]}\n" in text(asks)
    await table.restart()
    board = await press(table.ann, asks, "1")
    assert "**Guess 2 now scores 0 black, 1 white, but still no code fits.**" in text(board)
    drawn.append(answers(board))
    for name in ("id", "custom_id"):
        assert len({each[name] for each in drawn}) == len(drawn)
    # The note is about the correction, and goes when the board is shown again.
    board = await press(table.ann, await press(table.ann, board, "End game"), "Keep playing")
    assert "still no code fits" not in text(board)
    board = await press(table.ann, await pick_answer(table.ann, board, "0"), "0")
    board = await press(table.ann, board, "1")
    assert "no code fits" not in text(board)


async def test_a_player_can_correct_an_answer_or_leave_the_list_at_any_time(table: Table) -> None:
    board = await opened(table, table.ann, "defend")
    board = await press(table.ann, await press(table.ann, board, "0"), "1")
    assert "Correct an answer" in buttons(board)
    stale = await post(table.world, button("mm:d:fix:5:1:0:RROY:1", "1"))
    assert "` 2`" in text(await press(table.ann, stale, "1"))
    board = await press(table.ann, board, "Correct an answer")
    assert "How many black pegs?" not in text(board)
    assert "codes are still possible" in text(board)
    assert answers(board)["options"][0]["description"] == "You answered 0 black, 1 white."
    board = await pick_answer(table.ann, board, "0")
    assert "are dropped" not in text(board)
    board = await press(table.ann, board, "Keep it")
    assert "` 2`" in text(board)
    board = await press(
        table.ann, await press(table.ann, board, "Correct an answer"), "Back to the game"
    )
    assert "**How many black pegs?**" in text(board)


async def test_a_wrong_answer_that_ended_the_game_is_corrected(table: Table) -> None:
    board = await opened(table, table.ann, "defend")
    board = await press(table.ann, board, "4")
    assert "**The bot found your code on its first guess.**" in text(board)
    await table.restart()
    board = await press(table.ann, board, "Correct an answer")
    assert "**The bot found your code on its first guess.**" in text(board)
    assert answers(board)["options"][0]["description"] == "You answered 4 black, 0 white."
    assert "Play again" in buttons(await press(table.ann, board, "Back to the game"))
    board = await press(table.ann, board, "Correct an answer")
    board = await pick_answer(table.ann, board, "0")
    board = await press(table.ann, await press(table.ann, board, "0"), "1")
    assert f"` 1`\u2002{RED}{RED}{ORANGE}{YELLOW}\u20021 white\n` 2`" in text(board)
    assert "**How many black pegs?**" in text(board)
    while "found your code" not in text(board):
        board = await answer(table.ann, board, "BBBR")
