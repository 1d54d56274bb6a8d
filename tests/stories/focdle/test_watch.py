"""The bot breaks an equation that it drew, and says why it guesses what it guesses."""

from cogs.ui.pages import button
from tests.support.loose import post
from tests.support.screen import buttons, custom_ids, reach, seen, text
from tests.support.table import Table

EQUATION = "2+96%56=42"
# What the tests' key draws it from.
STEP = "fd:step:10:0000000000000001:{}"


async def test_the_bot_explains_each_guess_at_focdle(table: Table) -> None:
    board = seen(await table.ann.slash(table.channel, "practice", watch=True))
    assert board.ephemeral
    assert text(board) == (
        "### FoCdle: watch the bot\n-# 10 symbols\nOne of 1,805,274, and the bot does not look. "
        "What would you guess?"
    )
    assert buttons(board) == ["Next", "All", "How to play"]
    fixed = await post(table.world, button(STEP.format(1), "Next"))
    board = seen(await table.ann.click(fixed, label="Next"))
    assert "** of 1,805,274 equations left" in text(board)
    assert EQUATION not in text(board) + "".join(custom_ids(board))
    await table.restart()
    again = seen(await table.ann.click(fixed, label="Next"))
    assert text(again) == text(board)
    board = seen(await table.ann.click(board, label="All"))
    assert f"🟩🟩🟩🟩🟩🟩🟩🟩🟩🟩 `{EQUATION}`" in text(board)
    assert "**Found in 4 guesses.**" in text(board)
    assert buttons(board) == ["Watch again", "Now you"]
    assert "One of 1,805,274" in text(seen(await table.ann.click(board, label="Watch again")))


async def test_a_practice_leads_to_watching_the_bot_and_back_at_the_same_length(
    table: Table,
) -> None:
    daily = table.services.daily
    done = await daily.open(table.ann.id, None, puzzle="300")  # who is new is shown less
    await daily.guess(table.ann.id, done.id, done.game.secret)
    board = seen(await table.ann.slash(table.channel, "practice", length=7))
    assert buttons(board) == ["Guess", "How to play", "More"]
    watched = await reach(table.ann, board, "Watch the bot")
    assert watched.id == board.id
    assert "-# 7 symbols" in text(watched)
    daily = await table.focdle(table.ann)
    assert "Watch the bot" not in buttons(seen(await table.ann.click(daily, label="More")))
    over = seen(await table.ann.click(watched, label="All"))
    back = seen(await table.ann.click(over, label="Now you"))
    assert "FoCdle practice" in text(back)
    assert "7 symbols" in text(back)
    # Nothing of it is stored: the practice and today's puzzle are the only games.
    games = seen(await table.ann.slash(table.channel, "games"))
    assert len([each for each in custom_ids(games) if each.startswith("fd:resume")]) == 2


async def test_watching_an_invalid_length_is_refused(table: Table) -> None:
    board = seen(await table.ann.slash(table.channel, "practice", length=6, watch=True))
    assert "7 to 15" in text(board)
    old = await post(table.world, button("fd:step:6:0123456789abcdef:1", "Next"))
    assert "7 to 15" in text(seen(await table.ann.click(old, label="Next")))


async def test_watching_the_bot_at_a_chosen_level_is_refused(
    table: Table,
) -> None:
    watched = await table.ann.slash(table.channel, "practice", watch=True, level="hard")
    refused = seen(watched)
    assert refused.ephemeral
    assert text(refused) == "Leave `level` out to watch: the bot draws any equation."
