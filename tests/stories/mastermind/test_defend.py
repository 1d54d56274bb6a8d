"""The bot breaks a player's code: answers, what is refused, a sealed code."""

import pytest

from cogs.ui import replies
from cogs.ui.pages import button
from tests.support.loose import post
from tests.support.mastermind_stories import answer, opened, press, typed
from tests.support.screen import NOT_YOURS, buttons, custom_ids, seen, text
from tests.support.table import Table

RED, ORANGE, YELLOW = "🔴🟠🟡"


async def test_the_bot_finds_a_players_code(table: Table) -> None:
    board = await opened(table, table.ann, "defend")
    assert board.ephemeral
    assert "### Mastermind: the bot breaks your code\n-# 4 pegs · 6 colours" in text(board)
    assert ("**Think of a code** of 4 pegs, and write it down.\n🔴🟠🟡🟢🔵🟣\n") in text(board)
    assert (
        "**How many black pegs?** Right colour, right place.\n-# 1,296 codes are still possible."
    ) in text(board)
    assert buttons(board)[5:] == ["Enter my code instead", "How to play", "More"]
    turn = 0
    while "found your code" not in text(board):
        turn += 1
        assert f"`{turn:2}`" in text(board)
        await table.restart()
        board = await answer(table.ann, board, "OPPR")
    assert f"**The bot found your code in {turn} guesses.**" in text(board)
    assert buttons(board) == ["Play again", "Correct an answer", "Swap sides", "Coach"]
    again = await press(table.ann, board, "Play again")
    assert again.id != board.id
    assert "**Think of a code**" in text(again)


async def test_blacks_can_be_revised_and_outdated_clicks_do_nothing(table: Table) -> None:
    board = await opened(table, table.ann, "defend")
    board = await press(table.ann, board, "1")
    assert ("1 black. **And how many white?** Right colour, wrong place.") in text(board)
    board = await press(table.ann, board, "Change black")
    assert "**How many black pegs?**" in text(board)
    click = custom_ids(board)[0]
    await table.at_once([table.ann.click(board, custom_id=click) for _ in range(2)])
    assert "0 black. **And how many white?**" in text(board)
    old = await post(table.world, button("mm:d:blacks:1:7:RROY:3", "3"))
    shown = seen(await table.ann.click(old, label="3"))
    assert "0 black. **And how many white?**" in text(shown)


async def test_ending_a_game_asks_for_confirmation(table: Table) -> None:
    board = await press(table.ann, await opened(table, table.ann, "defend"), "End game")
    assert "**End this game?** The bot will stop guessing." in text(board)
    board = await press(table.ann, board, "Keep playing")
    board = await press(table.ann, await press(table.ann, board, "End game"), "Yes, end it")
    assert "**You ended this game.**" in text(board)
    late = await post(
        table.world,
        button("mm:d:fix:0:1:0:RROY:1", "1"),
        button("mm:d:choose:1", "Correct an answer"),
    )
    for label in ("1", "Correct an answer"):
        assert "**You ended this game.**" in text(await press(table.ann, late, label))


async def test_discord_is_told_to_wait_while_the_bot_thinks(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def it_is_not(_task: object, _seconds: float) -> bool:
        return False

    # The world's clock stands still, so no time passes while the bot thinks.
    monkeypatch.setattr(replies, "is_done_within", it_is_not)
    board = await opened(table, table.ann, "defend")
    assert board.ephemeral
    assert "**How many black pegs?**" in text(board)
    board = await press(table.ann, board, "1")
    assert "1 black. **And how many white?**" in text(board)
    stranger = await post(table.world, button("mm:d:end:1", "Yes, end it"))
    refused = await table.ben.click(stranger, label="Yes, end it")
    (answer,) = refused.followups
    assert answer.ephemeral
    assert text(answer) == NOT_YOURS
    callbacks = [r.json for r in table.env.http_requests if r.path.endswith("/callback")]
    assert [each["type"] for each in callbacks if each] == [5, 6, 6]


async def test_the_bot_breaks_a_sealed_code_without_asking_for_answers(table: Table) -> None:
    board = await opened(table, table.ann, "defend")
    form = await table.ann.click(board, label="Enter my code instead")
    assert form.modal is not None
    assert form.modal["title"] == "Your secret code"
    refused = seen(await table.ann.submit_modal(form, {"code": "RRG"}))
    assert text(refused) == ("`RRG` has 3 of 4 pegs. Add one.\n-# No code is set yet.")
    assert "RRG" not in "".join(custom_ids(refused))
    await table.restart()
    sealed = await typed(table.ann, refused, "GGRO", "Enter the code again")
    assert "🔒 Your code is one of 1,296." in text(sealed)
    assert "GGRO" not in str(sealed.components)
    (game,) = await table.services.mastermind.games.open_of(table.ann.id)
    assert game.sealed  # and the one it was instead of is over
    old = await press(table.ann, board, "2")
    assert "**You entered your code instead.** That started a new game" in text(old)
    step = await press(table.ann, sealed, "Next")
    assert f"` 1`\u2002{RED}{RED}{ORANGE}{YELLOW}\u20022 white\n" in text(step)
    assert "** of 1,296 codes left" in text(step)
    await table.restart()
    end = await press(table.ann, step, "All")
    assert "**The bot found your code in " in text(end)
    assert buttons(end) == ["Enter another code", "Swap sides", "Coach", "Is it fair?"]
    another = await typed(table.ann, end, "rrrr", "Enter another code")
    assert another.id != end.id
    assert "🔒" in text(another)


async def test_a_player_in_a_ranked_game_can_only_seal_a_code_for_the_bot_to_break(
    table: Table,
) -> None:
    ranked = await opened(table, table.ann, "play")
    assert "Not ranked" not in text(ranked)
    refused = await opened(table, table.ann, "defend")
    assert refused.ephemeral
    assert text(refused) == (
        "You're in a ranked game with the same kind of code. Finish it or give up first. Or "
        "seal a code, and I'll guess later."
    )
    assert buttons(refused) == ["Open that game", "Seal a code instead", OTHERS]
    sealed = await typed(table.ann, refused, "RGBY", "Seal a code instead")
    assert "Next" in buttons(sealed)
    waits = await press(table.ann, sealed, "Next")
    assert waits.id != sealed.id
    assert buttons(waits) == ["Open that game"]
    board = await press(table.ann, waits, "Open that game")
    assert text(board) == text(ranked)


async def test_a_game_opened_while_the_bot_guesses_says_that_it_is_unranked(table: Table) -> None:
    await opened(table, table.ann, "defend")
    board = await opened(table, table.ann, "play")
    assert "-# Not ranked: you had two ranked games open, or were defending a similar code" in text(
        board
    )


OTHERS = "Other pegs or colours"
