"""A practice that is given up: asked once, its equation shown, and nothing lost by it."""

from typing import Any

import pytest
from simcord import ResponseMessage

from tests.support.screen import buttons, custom_ids, offered, reach, seen, text
from tests.support.table import Table

QUESTION = "**Give up?** You'll see the equation."
RUNNING = ["Guess", "Hint", "More"]


async def practice(table: Table, **options: Any) -> ResponseMessage:
    """Ann's practice."""
    return seen(await table.ann.slash(table.channel, "practice", **options))


async def begun(table: Table) -> tuple[ResponseMessage, str]:
    """Ann's practice of seven symbols after a wrong guess, and its equation."""
    board = await practice(table, length=7)
    play = int(custom_ids(board)[0].rpartition(":")[2])
    secret = (await table.services.daily.view(table.ann.id, play)).game.secret
    wrong = "1+2+3=6" if secret != "1+2+3=6" else "1+2+4=7"
    return await table.guess(table.ann, board, wrong), secret


async def test_giving_up_a_practice_asks_once_and_shows_the_equation(table: Table) -> None:
    board, secret = await begun(table)
    assert buttons(board) == RUNNING
    asked = await reach(table.ann, board, "Give up")
    assert asked.id == board.id
    assert text(asked).endswith(QUESTION)
    assert buttons(asked) == ["Yes, give up", "Keep playing"]
    kept = seen(await table.ann.click(asked, label="Keep playing"))
    assert QUESTION not in text(kept)
    assert buttons(kept) == RUNNING
    asked = await reach(table.ann, kept, "Give up")
    await table.restart()
    over = seen(await table.ann.click(asked, label="Yes, give up"))
    assert over.id == board.id
    assert f"### No harm done\n`{secret}` was the equation." in text(over)
    assert buttons(over) == ["Today's puzzle", "Coach", "More"]  # nobody likes to share it
    coach = seen(await table.ann.click(over, label="Coach"))
    assert "A short game" in text(coach)
    details = text(seen(await table.ann.click(coach, label="Details")))
    assert "0  4,518" in details
    over = await table.more(table.ann, over)
    assert offered(over) == ["Next one", "Try 8 symbols", "Is it fair?"]
    assert secret in text(seen(await table.ann.click(over, label="Is it fair?")))
    following = seen(await table.ann.click(over, label="Next one"))
    assert custom_ids(following)[0] != custom_ids(board)[0]


async def test_outdated_buttons_of_a_practice_given_up_show_its_end(table: Table) -> None:
    board, secret = await begun(table)
    await table.ann.click(board, label="More")
    older = await practice(table)
    form = await table.form(table.ann, await practice(table))
    asked = await reach(table.ann, await practice(table), "Give up")
    await table.ann.click(asked, label="Yes, give up")
    end = f"`{secret}` was the equation."
    assert end in text(seen(await table.ann.click(older, label="Guess")))
    hinted = seen(await table.ann.click(board, label="Hint"))
    assert "over" in text(hinted)
    again = seen(await table.ann.click(board, label="Give up"))
    assert end in text(again)
    assert "Yes, give up" not in buttons(again)
    guessed = seen(await table.ann.submit_modal(form, {"guess": secret}))
    assert end in text(guessed)
    assert "Solved" not in text(guessed)


async def test_two_simultaneous_clicks_on_give_up_both_show_the_end(table: Table) -> None:
    board, _ = await begun(table)
    first = await reach(table.ann, board, "Give up")
    second = await reach(table.ann, await practice(table), "Give up")
    clicks = [table.ann.click(each, label="Yes, give up") for each in (first, second)]
    for result in await table.at_once(clicks):
        assert "### No harm done" in text(seen(result))


async def test_only_a_practice_with_a_guess_can_be_given_up(table: Table) -> None:
    untouched = await practice(table, length=7)
    daily = await table.focdle(table.ann, guess="12+34-5=41")
    archived = await table.focdle(table.ann, puzzle="300", guess="12+34-5=41")
    assert buttons(untouched) == ["Guess", "How to play", "More"]
    for board in (daily, archived):
        more = seen(await table.ann.click(board, label="More"))
        assert "Is it fair?" in buttons(more)
        assert "Give up" not in buttons(more)


@pytest.mark.parametrize("puzzle", ["324", "300"])
async def test_a_daily_cannot_be_given_up(table: Table, puzzle: str) -> None:
    player = table.ann.id
    play = await table.services.daily.open(player, None, puzzle=puzzle, guess="12+34-5=41")
    kept = await table.services.practice.give_up(player, play.id)
    assert kept.game.outcome is None
    assert kept == await table.services.daily.view(player, play.id)
