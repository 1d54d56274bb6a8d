"""A finished board goes public: colours only, once a channel, with a way to play."""

from datetime import timedelta
from typing import Any

import discord
import pytest
from simcord import ResponseMessage

from tests.support.clock import NOON
from tests.support.overwrites import overwrite
from tests.support.screen import buttons, custom_ids, parts, seen, text
from tests.support.table import SECRET, Table


@pytest.fixture(autouse=True)
async def chosen(table: Table) -> None:
    """There is no card of the day: each result is a message of its own."""
    await table.services.posts.choices.set_todays_card(table.ann.guild.id, on=False)


async def test_a_shared_result_is_a_card_without_symbols(table: Table) -> None:
    await table.focdle(table.ann, guess="12+34-5=41")
    board = await table.focdle(table.ann, guess=SECRET)
    shared = seen(await table.ann.click(board, label="Share"))
    assert not shared.ephemeral
    assert text(shared) == f"{table.ann.mention} solved **FoCdle #324** in 2/6"
    [[card]] = [part["items"] for part in parts(shared) if part["type"] == 12]
    assert card["description"] == (
        "Guess 1: 1 in place, 3 elsewhere\nGuess 2: 10 in place, 0 elsewhere"
    )
    assert buttons(shared) == ["Play #324"]


async def test_a_shared_result_is_a_text_where_the_bot_may_not_attach_files(table: Table) -> None:
    overwrite(table, table.channel, attach_files=False)
    await table.focdle(table.ann, guess="12+34-5=41")
    board = await table.focdle(table.ann, guess=SECRET)
    shared = seen(await table.ann.click(board, label="Share"))
    assert text(shared) == (
        f"{table.ann.mention} solved **FoCdle #324** in 2/6\n"
        "⬜🟡⬜⬜⬜⬜🟡🟡⬜🟩\n"
        "🟩🟩🟩🟩🟩🟩🟩🟩🟩🟩"
    )
    assert not [part for part in parts(shared) if part["type"] == 12]


async def solved_practice(table: Table) -> ResponseMessage:
    board = seen(await table.ann.slash(table.channel, "practice", length=7))
    play = int(custom_ids(board)[0].rpartition(":")[2])
    secret = (await table.services.daily.view(table.ann.id, play)).game.secret
    return await table.guess(table.ann, board, secret)


async def test_a_shared_practice_leads_others_to_practice(table: Table) -> None:
    board = await solved_practice(table)
    shared = seen(await table.ann.click(board, label="Share"))
    assert text(shared) == (
        f"{table.ann.mention} solved a **FoCdle practice** in 1/6\nWhat are the odds?\n-# 7 symbols"
    )
    bens = seen(await table.ben.click(shared, label="Practice"))
    assert bens.ephemeral
    assert "-# 7 symbols" in text(bens)


async def test_a_result_can_be_shared_only_once_in_a_channel(table: Table) -> None:
    board = await table.focdle(table.ann, guess=SECRET)
    again = await table.focdle(table.ann)
    results = await table.at_once([table.ann.click(b, label="Share") for b in (board, again)])
    assert sorted(seen(result).ephemeral for result in results) == [False, True]
    refused = seen(await table.ann.click(board, label="Share"))
    assert text(refused).startswith("You've shared this here already.\n")


@pytest.mark.usefixtures("breaking")
async def test_a_share_that_could_not_be_posted_can_be_retried(table: Table) -> None:
    board = await table.focdle(table.ann, guess=SECRET)
    table.env.inject_error("POST", "/interactions/*", status=400, code=50035)
    failed = seen(await table.ann.click(board, label="Share"))
    assert failed.ephemeral
    assert "Something broke" in text(failed)
    assert not seen(await table.ann.click(board, label="Share")).ephemeral


async def test_a_share_lost_by_the_network_can_be_retried(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = await table.focdle(table.ann, guess=SECRET)
    send = discord.InteractionResponse.send_message

    async def lose_what_is_public(self: Any, *args: Any, **options: Any) -> Any:
        if not options.get("ephemeral"):
            raise ConnectionResetError
        return await send(self, *args, **options)

    with monkeypatch.context() as network:
        network.setattr(discord.InteractionResponse, "send_message", lose_what_is_public)
        failed = seen(await table.ann.click(board, label="Share"))
        assert "Discord lost my answer." in text(failed)
    refused = seen(await table.ann.click(board, label="Share"))  # it may be there
    assert "If it isn't there, press **Share** again <t:" in text(refused)
    table.clock.advance(minutes=15)
    assert not seen(await table.ann.click(board, label="Share")).ephemeral


async def test_a_late_result_says_that_the_date_was_over_in_the_server_where_it_is_shared(
    table: Table,
) -> None:
    await table.ben.slash(table.channel, "leaderboard")  # so that this is home
    await table.services.preferences.set_zone(table.ben.id, "Etc/GMT+12")
    table.clock.set(NOON + timedelta(hours=22))
    board = seen(await table.ben.user.slash("focdle", guess=SECRET, puzzle="324"))
    assert "Solved on the first guess · 6 points" in text(board)
    assert (
        "You played it too late to count on another server's boards. "
        "Your points and streak still count."
    ) in text(board)
    again = await table.focdle(table.ben, puzzle="324")
    shared = seen(await table.ben.click(again, label="Share"))
    assert "You played it too late to count on this server's boards." in text(shared)
    own = seen(await table.ben.user.click(board, label="Share"))
    assert "not on its boards" not in text(own)
