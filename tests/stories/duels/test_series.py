"""A series of duels as two members play it: board after board, in one channel."""

from pathlib import Path

import discord
from simcord import MemberActor, ResponseMessage

from tests.support.duel_stories import NUMBERS, beat, playing, press, setting, typed, wait
from tests.support.posted import post_buttons, post_text
from tests.support.screen import buttons, seen, text
from tests.support.table import Table


def last(table: Table) -> discord.Message:
    """The newest message in the channel."""
    return max(table.channel.history(), key=lambda message: message.id)


def one(table: Table, message_id: int) -> discord.Message:
    """A message of the channel, as it is now."""
    return next(message for message in table.channel.history() if message.id == message_id)


async def begun(table: Table, board: ResponseMessage | discord.Message) -> ResponseMessage:
    """A later duel of a series once both have set their numbers."""
    shown = None
    for who, number in zip((table.ann, table.ben), NUMBERS, strict=True):
        shown = await typed(who, board, number, "Set my number")
    assert shown is not None
    return shown


def in_either_order(
    head: str, one: MemberActor, score: str, other: MemberActor, shown: str
) -> bool:
    """Whether a score is shown: who moves first in a duel stands first."""
    turned = f"{head}{other.mention} **{score[::-1]}** {one.mention}"
    return f"{head}{one.mention} **{score}** {other.mention}" in shown or turned in shown


async def given_up(table: Table, board: ResponseMessage | discord.Message) -> ResponseMessage:
    """A board after Ben has resigned."""
    asked = await press(table.ben, board, "Resign")
    return await press(table.ben, asked, "Yes, resign")


async def test_a_series_goes_on_below_with_both_called(table: Table) -> None:
    board = await playing(table, best_of="3")
    before = len(table.env.http_requests)
    await given_up(table, board)
    over = one(table, board.id)
    assert in_either_order("Series: ", table.ann, "1 – 0", table.ben, post_text(over))
    assert "Rematch" not in post_buttons(over)
    following = last(table)
    assert following.id != board.id
    assert in_either_order("Duel 2 · ", table.ann, "1 – 0", table.ben, post_text(following))
    calls = [
        request.json["allowed_mentions"]
        for request in table.env.http_requests[before:]
        if request.method == "POST" and request.json and "nonce" in request.json
    ]
    assert [sorted(call["users"]) for call in calls] == [sorted([table.ann.id, table.ben.id])]
    page = await press(table.ann, over, "Next duel")
    assert page.ephemeral
    assert "Set my number" in buttons(page)
    await table.restart()
    board = await begun(table, following)
    await given_up(table, board)
    over = one(table, following.id)
    assert f"👑 **{table.ann.mention} wins the series 2 – 0.**" in post_text(over)
    assert "Rematch" in post_buttons(over)
    assert last(table).id == following.id


async def test_both_stop_a_series_between_two_duels(table: Table) -> None:
    await given_up(table, await playing(table, best_of="5"))
    following = last(table)
    shown = await press(table.ann, following, "Stop the series")
    assert f"{table.ann.mention} would stop the series here." in text(shown)
    shown = await press(table.ben, following, "Play on")
    assert "would stop" not in text(shown)
    await press(table.ann, following, "Stop the series")
    over = await press(table.ben, following, "Agree to stop")
    assert "**The series was stopped**, as both players wanted." in text(over)
    assert in_either_order("The series ends at ", table.ann, "1 – 0", table.ben, text(over))
    asked = await press(table.ann, await setting(table, best_of="3"), "Cancel")
    assert "Call the duel off?" in text(asked)


async def test_giving_a_later_duel_up_says_what_it_costs(table: Table) -> None:
    await given_up(table, await playing(table, best_of="5"))
    asked = await press(table.ann, last(table), "Give up")
    assert "Your opponent gets it, and no rating changes." in text(asked)
    await press(table.ann, asked, "Yes, give it up")
    assert in_either_order("Duel 3 · ", table.ann, "1 – 1", table.ben, post_text(last(table)))


async def test_a_next_duel_that_could_not_be_posted_is_in_games(table: Table) -> None:
    board = await playing(table, best_of="3")
    table.env.inject_error("POST", "/channels/*/messages", status=403, code=50001)
    await given_up(table, board)
    assert last(table).id == board.id
    games = seen(await table.ben.slash(table.channel, "games"))
    assert "best of 3" in text(games)


async def test_the_clock_posts_what_a_process_that_ended_did_not(
    table: Table, tmp_path: Path
) -> None:
    board = await playing(table, best_of="3")
    table.env.inject_error("POST", "/channels/*/messages", status=503)
    await given_up(table, board)
    await wait(table, tmp_path, seconds=70)
    assert "Duel 2" in post_text(last(table))
    await beat(table, 10)
    assert sum("Duel 2" in post_text(message) for message in table.channel.history()) == 1
