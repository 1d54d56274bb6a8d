"""Players who click faster than the bot can be asked."""

from typing import Final

from simcord import InteractionResult

from tests.support.screen import seen, text
from tests.support.table import Table

TOO_FAST: Final = "That was fast! Nothing was lost. Wait a few seconds."


def is_silent(result: InteractionResult) -> bool:
    """Whether an answer shows nothing."""
    return result.acknowledged and result.response is None


async def test_a_player_over_the_limit_is_told_to_wait_once_and_can_still_guess(
    table: Table,
) -> None:
    ann = table.ann
    board = await table.focdle(ann)  # the first of ten
    for _ in range(9):
        assert TOO_FAST not in text(seen(await ann.slash(table.channel, "stats")))
    told = seen(await ann.slash(table.channel, "stats"))
    assert told.ephemeral
    assert text(told) == TOO_FAST
    assert is_silent(await ann.slash(table.channel, "stats"))
    assert is_silent(await ann.slash(table.channel, "practice"))
    # What is not heavy goes on, and so does everybody else.
    shown = await table.guess(ann, board, "12+34-5=41")
    assert "5 guesses left." in text(shown)
    assert "4 guesses left." in text(await table.focdle(ann, guess="12+34-6=40"))
    assert TOO_FAST not in text(seen(await ann.slash(table.channel, "privacy")))
    assert TOO_FAST not in text(seen(await table.ben.slash(table.channel, "stats")))
    table.clock.advance(seconds=1)
    assert TOO_FAST not in text(seen(await ann.slash(table.channel, "stats")))


async def test_a_player_over_the_limit_of_clicks_can_still_export_and_delete_their_data(
    table: Table,
) -> None:
    ann = table.ann
    await table.focdle(ann)
    pages = [seen(await ann.slash(table.channel, "privacy")) for _ in range(41)]
    page, told = pages[0], pages[-1]
    assert [text(each) == TOO_FAST for each in pages] == [False] * 40 + [True]
    asking = seen(await ann.click(pages[1], label="Delete everything"))
    before = text(asking)
    assert (await ann.click(asking, label="Keep my data")).acknowledged
    assert text(asking) == before
    assert told.ephemeral
    for _ in range(11):
        await ann.slash(table.channel, "stats")
    assert len(seen(await ann.click(page, label="Export my data")).attachments) == 1
    page = seen(await ann.click(page, label="Delete everything"))
    form = await ann.click(page, label="Delete …")
    assert "deleted" in text(seen(await ann.submit_modal(form, {"confirmation": "DELETE"})))


async def test_completions_over_the_limit_are_empty(table: Table) -> None:
    found = [
        len(await table.ann.autocomplete(table.channel, "focdle", "puzzle", "3")) for _ in range(41)
    ]
    assert min(found[:40]) > 0
    assert found[40] == 0
